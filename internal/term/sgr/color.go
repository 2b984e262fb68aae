package sgr

import (
	"strconv"
	"strings"
)

// Direct returns a colour of the form 0xRRGGBB.
func Direct(rgb uint32) Color { return colorRGB | Color(rgb) }

// Standard returns xterm's colour for an entry of the palette.
func Standard(index uint8) Color {
	switch {
	case index < 16:
		return Direct(ansiColors[index])
	case index < 232:
		n := index - 16
		level := func(n uint8) uint8 {
			if n == 0 {
				return 0
			}
			return 55 + 40*n
		}
		return RGB(level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(index-232)
	return RGB(grey, grey, grey)
}

var ansiColors = [16]uint32{
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
}

// ParseColor reads a colour as XParseColor does: rgb:R/G/B with one to four hexadecimal digits
// each; #RGB, #RRGGBB, #RRRGGGBBB or #RRRRGGGGBBBB, where missing digits are zeros; or one of
// namedColors, in any case. It returns 0 for anything else.
func ParseColor(s string) Color {
	s = strings.ToLower(s)
	if rest, ok := strings.CutPrefix(s, "#"); ok {
		n := len(rest) / 3
		if len(rest) != 3*n {
			return 0
		}
		return parseComponents([]string{rest[:n], rest[n : 2*n], rest[2*n:]}, func(v uint64, digits int) uint64 {
			return v << 16 >> (4*digits + 8)
		})
	}
	if rest, ok := strings.CutPrefix(s, "rgb:"); ok {
		return parseComponents(strings.Split(rest, "/"), func(v uint64, digits int) uint64 {
			most := uint64(1)<<(4*digits) - 1
			return (v*255 + most/2) / most
		})
	}
	if rgb, ok := namedColors[s]; ok {
		return Direct(rgb)
	}
	return 0
}

// namedColors are the basic names of colours, in lower case, with the values that X11 gives them.
var namedColors = map[string]uint32{
	"black": 0x000000, "white": 0xffffff, "gray": 0xbebebe, "grey": 0xbebebe, "red": 0xff0000, "green": 0x00ff00,
	"blue": 0x0000ff, "cyan": 0x00ffff, "magenta": 0xff00ff, "yellow": 0xffff00, "orange": 0xffa500, "purple": 0xa020f0,
}

// parseComponents reads three components of one to four hexadecimal digits, and scales each to
// eight bits. It returns 0 if they are malformed.
func parseComponents(parts []string, scale func(v uint64, digits int) uint64) Color {
	if len(parts) != 3 {
		return 0
	}
	var c [3]uint8
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return 0
		}
		c[i] = uint8(scale(v, len(p)))
	}
	return RGB(c[0], c[1], c[2])
}
