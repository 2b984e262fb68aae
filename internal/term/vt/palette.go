package vt

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// The slots of the palette after the 256 indexed colours.
const (
	paletteForeground = 256 + iota
	paletteBackground
	paletteCursor
)

// palette has the colours that the program has set.
type palette struct {
	set     map[int]Color // by slot; nil if none is set
	shared  bool          // a snapshot has the map, so it must not change
	changes uint64
}

// share returns the map, which will not change any more.
func (p *palette) share() map[int]Color {
	p.shared = true
	return p.set
}

// own makes sure that the map may be changed.
func (p *palette) own() {
	if p.shared {
		p.set, p.shared = maps.Clone(p.set), false
	}
	if p.set == nil {
		p.set = map[int]Color{}
	}
	p.changes++
}

func (p *palette) put(slot int, c Color) {
	if p.set[slot] != c {
		p.own()
		p.set[slot] = c
	}
}

func (p *palette) reset(slot int) {
	if _, ok := p.set[slot]; ok {
		p.own()
		delete(p.set, slot)
	}
}

// color returns the colour of a slot: xterm's unless the program has set one.
func (p *palette) color(slot int) Color {
	if c, ok := p.set[slot]; ok {
		return c
	}
	switch slot {
	case paletteForeground, paletteCursor:
		return direct(0xe5e5e5)
	case paletteBackground:
		return direct(0)
	}
	return StandardColor(uint8(slot))
}

func direct(rgb uint32) Color { return colorRGB | Color(rgb) }

// StandardColor returns xterm's colour for an entry of the palette.
func StandardColor(index uint8) Color {
	switch {
	case index < 16:
		return direct(ansiColors[index])
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

// setColors is OSC 4: pairs of an index and a colour, or a question mark.
func (t *Terminal) setColors(s string) {
	fields := strings.Split(s, ";")
	for i := 0; i+1 < len(fields) && i < 2*maxParams; i += 2 {
		n, err := strconv.ParseUint(fields[i], 10, 8)
		if err != nil {
			continue
		}
		t.setColor(int(n), fmt.Sprintf("4;%d", n), fields[i+1])
	}
}

// setDynamicColors is OSC 10 to 12: a colour for each of the commands from n on.
func (t *Terminal) setDynamicColors(n int, s string) {
	for i, spec := range strings.Split(s, ";") {
		if n+i > 12 {
			return
		}
		t.setColor(paletteForeground+n+i-10, strconv.Itoa(n+i), spec)
	}
}

// setColor sets the colour of a slot, or for "?" reports it: the report begins with command.
func (t *Terminal) setColor(slot int, command, spec string) {
	if spec == "?" {
		r, g, b, _ := t.palette.color(slot).RGB()
		t.reply(fmt.Sprintf("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", command, r, r, g, g, b, b))
		return
	}
	if c := parseColor(spec); c != 0 {
		t.changePalette(func(p *palette) { p.put(slot, c) })
	}
}

// resetColor is OSC 110 to 112.
func (t *Terminal) resetColor(slot int) { t.changePalette(func(p *palette) { p.reset(slot) }) }

// changePalette changes the palette, and reports a background that became dark or light to a
// program that wants to know (mode 2031).
func (t *Terminal) changePalette(change func(*palette)) {
	before := t.light()
	change(&t.palette)
	if t.modes.Has(ModeSchemeReports) && t.light() != before {
		t.reportScheme()
	}
}

// light reports whether the background is nearer to white than to black.
func (t *Terminal) light() bool {
	r, g, b, _ := t.palette.color(paletteBackground).RGB()
	return 299*int(r)+587*int(g)+114*int(b) >= 1000*128
}

// resetColors is OSC 104: it resets the given indexes, or all.
func (t *Terminal) resetColors(s string) {
	if s == "" {
		for i := range 256 {
			t.palette.reset(i)
		}
		return
	}
	for field := range strings.SplitSeq(s, ";") {
		if n, err := strconv.ParseUint(field, 10, 8); err == nil {
			t.palette.reset(int(n))
		}
	}
}

// parseColor reads a colour as XParseColor does: rgb:R/G/B with one to four hexadecimal digits
// each; #RGB, #RRGGBB, #RRRGGGBBB or #RRRRGGGGBBBB, where missing digits are zeros; or one of
// namedColors, in any case. It returns 0 for anything else.
func parseColor(s string) Color {
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
		return direct(rgb)
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
