package vt

import (
	"fmt"
	"strconv"
	"strings"

	"ui-mcp/internal/term/sgr"
)

// The slots of a palette after the 256 indexed colours.
const (
	PaletteForeground = 256 + iota
	PaletteBackground
	PaletteCursor
	paletteSize
)

// A Palette has the colours that a program has set, by slot; 0 where it has set none. It is
// immutable.
type Palette [paletteSize]sgr.Color

// At returns the colour of a slot, or 0 if the program has not set it. A nil palette has none.
func (p *Palette) At(slot int) sgr.Color {
	if p == nil {
		return 0
	}
	return p[slot]
}

// setSlot sets the colour of a slot, or with 0 resets it.
func (t *Terminal) setSlot(slot int, c sgr.Color) {
	if t.palette.At(slot) == c {
		return
	}
	var next Palette
	if t.palette != nil {
		next = *t.palette
	}
	next[slot] = c
	if t.palette = &next; next == (Palette{}) {
		t.palette = nil
	}
}

// color returns the colour of a slot: xterm's unless the program has set one.
func (t *Terminal) color(slot int) sgr.Color {
	if c := t.palette.At(slot); c != 0 {
		return c
	}
	switch slot {
	case PaletteForeground, PaletteCursor:
		return sgr.Direct(0xe5e5e5)
	case PaletteBackground:
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
		t.setColor(PaletteForeground+n+i-10, strconv.Itoa(n+i), spec)
	}
}

// setColor sets the colour of a slot, or for "?" reports it: the report begins with command.
func (t *Terminal) setColor(slot int, command, spec string) {
	if spec == "?" {
		r, g, b, _ := t.color(slot).RGB()
		t.reply(fmt.Sprintf("\x1b]%s;rgb:%02x%02x/%02x%02x/%02x%02x\x1b\\", command, r, r, g, g, b, b))
		return
	}
	if c := sgr.ParseColor(spec); c != 0 {
		t.changeColor(slot, c)
	}
}

// changeColor sets the colour of a slot, or with 0 resets it (OSC 110 to 112). It reports a
// background that became dark or light to a program that wants to know (mode 2031).
func (t *Terminal) changeColor(slot int, c sgr.Color) {
	before := t.light()
	t.setSlot(slot, c)
	if t.modes.Has(ModeSchemeReports) && t.light() != before {
		t.reportScheme()
	}
}

// light reports whether the background is nearer to white than to black.
func (t *Terminal) light() bool {
	r, g, b, _ := t.color(PaletteBackground).RGB()
	return 299*int(r)+587*int(g)+114*int(b) >= 1000*128
}

// resetColors is OSC 104: it resets the given indexes, or all.
func (t *Terminal) resetColors(s string) {
	if s == "" {
		for i := range 256 {
			t.setSlot(i, 0)
		}
		return
	}
	for field := range strings.SplitSeq(s, ";") {
		if n, err := strconv.ParseUint(field, 10, 8); err == nil {
			t.setSlot(int(n), 0)
		}
	}
}
