package vt

import (
	"ui-mcp/internal/term/scrollback"
	"ui-mcp/internal/term/sgr"
)

// sgr is SGR: the style of the text that follows.
func (t *Terminal) sgr() {
	p := &t.cur.pen
	if t.nparams == 0 || t.nparams == 1 && t.params[0] == 0 {
		*p = scrollback.Pen{Link: p.Link, Style: sgr.Style{Attr: p.Attr & sgr.Protected}}
		t.ink, t.blank, t.inkFresh = 0, 0, *p == scrollback.Pen{}
		return
	}
	t.inkFresh = false
	for i := 0; i < t.nparams; i++ {
		// Parameters after a colon belong to the one before it.
		end := i + 1
		for end < t.nparams && t.colons>>end&1 != 0 {
			end++
		}
		switch n := t.params[i]; {
		case n == 38 || n == 48 || n == 58:
			c, last, ok := t.sgrColor(i, end)
			if ok {
				switch n {
				case 38:
					p.FG = c
				case 48:
					p.BG = c
				default:
					p.UnderlineColor = c
				}
			}
			end = last
		case n == 4 && end > i+1:
			if u := t.params[i+1]; u <= uint16(sgr.UnderlineDashed) {
				p.Attr = p.Attr.WithUnderline(sgr.Underline(u))
			}
		case end > i+1: // no other attribute has subparameters
		case n == 0:
			*p = scrollback.Pen{Link: p.Link, Style: sgr.Style{Attr: p.Attr & sgr.Protected}}
		case n >= 30 && n <= 37:
			p.FG = sgr.Indexed(uint8(n - 30))
		case n >= 40 && n <= 47:
			p.BG = sgr.Indexed(uint8(n - 40))
		case n >= 90 && n <= 97:
			p.FG = sgr.Indexed(uint8(n - 90 + 8))
		case n >= 100 && n <= 107:
			p.BG = sgr.Indexed(uint8(n - 100 + 8))
		case n == 39:
			p.FG = 0
		case n == 49:
			p.BG = 0
		case n == 59:
			p.UnderlineColor = 0
		case int(n) < len(sgrAttrs):
			a := &sgrAttrs[n]
			p.Attr = p.Attr&^a.clear | a.set
		}
		i = end - 1
	}
}

var sgrAttrs = [56]struct{ clear, set sgr.Attr }{
	1:  {set: sgr.Bold},
	2:  {set: sgr.Faint},
	3:  {set: sgr.Italic},
	4:  {clear: sgr.UnderlineMask, set: sgr.Attr(0).WithUnderline(sgr.UnderlineSingle)},
	5:  {clear: sgr.RapidBlink, set: sgr.Blink},
	6:  {clear: sgr.Blink, set: sgr.RapidBlink},
	7:  {set: sgr.Inverse},
	8:  {set: sgr.Conceal},
	9:  {set: sgr.Strikethrough},
	21: {clear: sgr.UnderlineMask, set: sgr.Attr(0).WithUnderline(sgr.UnderlineDouble)},
	22: {clear: sgr.Bold | sgr.Faint},
	23: {clear: sgr.Italic},
	24: {clear: sgr.UnderlineMask},
	25: {clear: sgr.Blink | sgr.RapidBlink},
	27: {clear: sgr.Inverse},
	28: {clear: sgr.Conceal},
	29: {clear: sgr.Strikethrough},
	53: {set: sgr.Overline},
	55: {clear: sgr.Overline},
}

// sgrColor parses the colour at parameter i, whose subparameters end before end:
//
//	38:5:N  38:2:R:G:B  38:2:SPACE:R:G:B  38;5;N  38;2;R;G;B
//
// It returns the index of the parameter after the colour, and false if there is no colour.
func (t *Terminal) sgrColor(i, end int) (c sgr.Color, next int, ok bool) {
	p := t.params[:t.nparams]
	if end > i+1 { // with colons
		switch sub := p[i+1 : end]; {
		case sub[0] == 5 && len(sub) >= 2:
			c, ok = sgrIndexed(sub[1])
		case sub[0] == 2 && len(sub) == 4:
			c, ok = sgrRGB(sub[1:])
		case sub[0] == 2 && len(sub) >= 5: // with a colour space
			c, ok = sgrRGB(sub[2:])
		}
		return c, end, ok
	}
	rest := p[i+1:]
	switch {
	case len(rest) >= 2 && rest[0] == 5:
		c, ok = sgrIndexed(rest[1])
		return c, i + 3, ok
	case len(rest) >= 4 && rest[0] == 2:
		c, ok = sgrRGB(rest[1:])
		return c, i + 5, ok
	case len(rest) > 0 && (rest[0] == 2 || rest[0] == 5):
		return 0, len(p), false // incomplete
	}
	return 0, i + 1, false
}

func sgrIndexed(n uint16) (sgr.Color, bool) { return sgr.Indexed(uint8(n)), n < 256 }

func sgrRGB(p []uint16) (sgr.Color, bool) {
	return sgr.RGB(uint8(p[0]), uint8(p[1]), uint8(p[2])), p[0] < 256 && p[1] < 256 && p[2] < 256
}
