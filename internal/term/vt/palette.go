package vt

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"ui-mcp/internal/term/sgr"
)

// The slots of the palette after the 256 indexed colours.
const (
	paletteForeground = 256 + iota
	paletteBackground
	paletteCursor
)

// palette has the colours that the program has set.
type palette struct {
	set     map[int]sgr.Color // by slot; nil if none is set
	shared  bool              // a snapshot has the map, so it must not change
	changes uint64
}

// share returns the map, which will not change any more.
func (p *palette) share() map[int]sgr.Color {
	p.shared = true
	return p.set
}

// own makes sure that the map may be changed.
func (p *palette) own() {
	if p.shared {
		p.set, p.shared = maps.Clone(p.set), false
	}
	if p.set == nil {
		p.set = map[int]sgr.Color{}
	}
	p.changes++
}

func (p *palette) put(slot int, c sgr.Color) {
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
func (p *palette) color(slot int) sgr.Color {
	if c, ok := p.set[slot]; ok {
		return c
	}
	switch slot {
	case paletteForeground, paletteCursor:
		return sgr.Direct(0xe5e5e5)
	case paletteBackground:
		return sgr.Direct(0)
	}
	return sgr.Standard(uint8(slot))
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
	if c := sgr.ParseColor(spec); c != 0 {
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
