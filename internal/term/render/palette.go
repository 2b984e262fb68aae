package render

import (
	"cmp"
	"fmt"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// inPalette returns a row of the program's screen in the colours that the program has set (OSC 4
// and 10 to 12). The person's terminal keeps its own palette: a picture has direct colours instead,
// so that nothing else on that terminal changes, and overlays keep their colours. Only the cursor's
// colour is the terminal's.
func inPalette(p *vt.Palette, r cells.Row) cells.Row {
	if p == nil {
		return r
	}
	color := func(c, standard sgr.Color) sgr.Color {
		if c == 0 {
			return standard
		}
		if i, ok := c.Index(); ok {
			return cmp.Or(p[i], c)
		}
		return c
	}
	return r.Restyled(func(s sgr.Style) sgr.Style {
		return sgr.Style{
			FG: color(s.FG, p[vt.PaletteForeground]), BG: color(s.BG, p[vt.PaletteBackground]),
			UnderlineColor: color(s.UnderlineColor, 0), Attr: s.Attr,
		}
	})
}

// appendCursorColor sets the colour of the terminal's cursor; 0 is its usual one.
func appendCursorColor(b []byte, c sgr.Color) []byte {
	red, green, blue, ok := c.RGB()
	if !ok {
		return append(b, "\x1b]112\x1b\\"...)
	}
	return fmt.Appendf(b, "\x1b]12;rgb:%02x/%02x/%02x\x1b\\", red, green, blue)
}
