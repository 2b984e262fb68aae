package render

import (
	"fmt"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A palette has the colours that a program has set (OSC 4 and 10 to 12). The person's terminal
// keeps its own palette: a picture has direct colours instead, so that nothing else on that
// terminal changes, and overlays keep their colours. Only the cursor's colour is the terminal's.
type palette struct {
	any                    bool
	indexed                [256]sgr.Color // 0 if not set
	foreground, background sgr.Color
	cursor                 sgr.Color
}

func paletteOf(s *vt.Snapshot) palette {
	var p palette
	p.foreground, p.background, p.cursor = s.DynamicColors()
	p.any = p.foreground != 0 || p.background != 0
	for i := range p.indexed {
		p.indexed[i] = s.Color(uint8(i))
		p.any = p.any || p.indexed[i] != 0
	}
	return p
}

// row returns a row of the program's screen in the colours of the palette.
func (p *palette) row(r cells.Row) cells.Row {
	if !p.any {
		return r
	}
	return r.Restyled(func(s sgr.Style) sgr.Style {
		return sgr.Style{
			FG: p.color(s.FG, p.foreground), BG: p.color(s.BG, p.background),
			UnderlineColor: p.color(s.UnderlineColor, 0), Attr: s.Attr,
		}
	})
}

func (p *palette) color(c, standard sgr.Color) sgr.Color {
	if c == 0 {
		return standard
	}
	if i, ok := c.Index(); ok && p.indexed[i] != 0 {
		return p.indexed[i]
	}
	return c
}

// appendCursorColor sets the colour of the terminal's cursor; 0 is its usual one.
func appendCursorColor(b []byte, c sgr.Color) []byte {
	red, green, blue, ok := c.RGB()
	if !ok {
		return append(b, "\x1b]112\x1b\\"...)
	}
	return fmt.Appendf(b, "\x1b]12;rgb:%02x/%02x/%02x\x1b\\", red, green, blue)
}
