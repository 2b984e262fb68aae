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

// An RGBColor is a colour with eight bits per component.
type RGBColor struct{ R, G, B uint8 }

// palette has the colours that the program has set.
type palette struct {
	set     map[int]RGBColor // by slot; nil if none is set
	shared  bool             // a snapshot has the map, so it must not change
	changes uint64
}

// share returns the map, which will not change any more.
func (p *palette) share() map[int]RGBColor {
	p.shared = true
	return p.set
}

// own makes sure that the map may be changed.
func (p *palette) own() {
	if p.shared {
		p.set, p.shared = maps.Clone(p.set), false
	}
	if p.set == nil {
		p.set = map[int]RGBColor{}
	}
	p.changes++
}

func (p *palette) put(slot int, c RGBColor) {
	if old, ok := p.set[slot]; ok && old == c {
		return
	}
	p.own()
	p.set[slot] = c
}

func (p *palette) reset(slot int) {
	if _, ok := p.set[slot]; ok {
		p.own()
		delete(p.set, slot)
	}
}

// color returns the colour of a slot: xterm's unless the program has set one.
func (p *palette) color(slot int) RGBColor {
	if c, ok := p.set[slot]; ok {
		return c
	}
	switch slot {
	case paletteForeground, paletteCursor:
		return RGBColor{0xe5, 0xe5, 0xe5}
	case paletteBackground:
		return RGBColor{}
	}
	return StandardColor(uint8(slot))
}

// StandardColor returns xterm's colour for an entry of the palette.
func StandardColor(index uint8) RGBColor {
	switch {
	case index < 16:
		return ansiColors[index]
	case index < 232:
		n := index - 16
		level := func(n uint8) uint8 {
			if n == 0 {
				return 0
			}
			return 55 + 40*n
		}
		return RGBColor{level(n / 36), level(n / 6 % 6), level(n % 6)}
	}
	grey := 8 + 10*(index-232)
	return RGBColor{grey, grey, grey}
}

var ansiColors = [16]RGBColor{
	{0, 0, 0}, {205, 0, 0}, {0, 205, 0}, {205, 205, 0}, {0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	{127, 127, 127}, {255, 0, 0}, {0, 255, 0}, {255, 255, 0}, {92, 92, 255}, {255, 0, 255}, {0, 255, 255}, {255, 255, 255},
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

// setColor sets the colour of a slot, or reports it if spec is a question mark. A report begins
// with command.
func (t *Terminal) setColor(slot int, command, spec string) {
	if spec == "?" {
		c := t.palette.color(slot)
		t.reply(fmt.Sprintf("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", command, c.R, c.R, c.G, c.G, c.B, c.B))
		return
	}
	if c, ok := parseColor(spec); ok {
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
	c := t.palette.color(paletteBackground)
	return 299*int(c.R)+587*int(c.G)+114*int(c.B) >= 1000*128
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
// namedColors, in any case.
func parseColor(s string) (RGBColor, bool) {
	if rest, ok := strings.CutPrefix(s, "#"); ok {
		n := len(rest) / 3
		if len(rest) != 3*n {
			return RGBColor{}, false
		}
		return parseComponents([]string{rest[:n], rest[n : 2*n], rest[2*n:]}, func(v uint64, digits int) uint64 {
			return v << 16 >> (4*digits + 8)
		})
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(s), "rgb:"); ok {
		return parseComponents(strings.Split(rest, "/"), func(v uint64, digits int) uint64 {
			most := uint64(1)<<(4*digits) - 1
			return (v*255 + most/2) / most
		})
	}
	c, ok := namedColors[strings.ToLower(s)]
	return c, ok
}

// namedColors are the basic names of colours, in lower case, with the values that X11 gives them.
var namedColors = map[string]RGBColor{
	"black": {0, 0, 0}, "white": {255, 255, 255}, "gray": {190, 190, 190}, "grey": {190, 190, 190},
	"red": {255, 0, 0}, "green": {0, 255, 0}, "blue": {0, 0, 255},
	"cyan": {0, 255, 255}, "magenta": {255, 0, 255}, "yellow": {255, 255, 0},
	"orange": {255, 165, 0}, "purple": {160, 32, 240},
}

// parseComponents reads three components of one to four hexadecimal digits, and scales each to
// eight bits.
func parseComponents(parts []string, scale func(v uint64, digits int) uint64) (RGBColor, bool) {
	if len(parts) != 3 {
		return RGBColor{}, false
	}
	var c [3]uint8
	for i, p := range parts {
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return RGBColor{}, false
		}
		c[i] = uint8(scale(v, len(p)))
	}
	return RGBColor{c[0], c[1], c[2]}, true
}
