package render

import (
	"strconv"

	"ui-mcp/internal/term/vt"
)

// sgrFlags are the flags of styles with their SGR parameters.
var sgrFlags = [...]struct {
	attr vt.Attr
	code int64
}{
	{vt.Bold, 1}, {vt.Faint, 2}, {vt.Italic, 3}, {vt.Blink, 5}, {vt.RapidBlink, 6},
	{vt.Inverse, 7}, {vt.Conceal, 8}, {vt.Strikethrough, 9}, {vt.Overline, 53},
}

// appendStyle appends the SGR sequence that changes from one style to a different one. It writes
// colours of text and background with semicolons, which every terminal with such colours
// understands, and features that were introduced with colons, such as kinds of underlines, with
// colons.
func appendStyle(b []byte, from, to vt.Style) []byte {
	b = append(b, "\x1b["...)
	if to == (vt.Style{}) {
		return append(b, 'm')
	}
	start := len(b)
	if !adds(from.Attr, to.Attr) {
		b = append(b, '0', ';')
		from = vt.Style{}
	}
	for _, f := range sgrFlags {
		if to.Attr.Has(f.attr) && !from.Attr.Has(f.attr) {
			b = append(strconv.AppendInt(b, f.code, 10), ';')
		}
	}
	if u := to.Attr.Underline(); u != from.Attr.Underline() {
		b = append(b, '4')
		if u != vt.UnderlineSingle {
			b = append(b, ':', '0'+byte(u))
		}
		b = append(b, ';')
	}
	b = appendColor(b, from.FG, to.FG, 30)
	b = appendColor(b, from.BG, to.BG, 40)
	b = appendColor(b, from.UnderlineColor, to.UnderlineColor, 50)
	if len(b) > start {
		b = b[:len(b)-1]
	}
	return append(b, 'm')
}

// adds reports whether to has all flags of from, so that setting the new ones is enough.
func adds(from, to vt.Attr) bool {
	flags := func(a vt.Attr) vt.Attr { return a.WithUnderline(vt.UnderlineNone) }
	return flags(from)&^flags(to) == 0 && (from.Underline() == to.Underline() || from.Underline() == vt.UnderlineNone)
}

// appendColor appends the parameters for a change of colour, if it changes, with a semicolon after
// each. base is 30 for text, 40 for the background and 50 for the underline, which has only the
// long forms.
func appendColor(b []byte, from, to vt.Color, base int64) []byte {
	if from == to {
		return b
	}
	sep := byte(';')
	if base == 50 {
		sep = ':'
	}
	number := func(n int64, end byte) { b = append(strconv.AppendInt(b, n, 10), end) }
	if r, g, bl, ok := to.RGB(); ok {
		number(base+8, sep)
		number(2, sep)
		if sep == ':' {
			b = append(b, sep) // no colour space
		}
		number(int64(r), sep)
		number(int64(g), sep)
		number(int64(bl), ';')
		return b
	}
	i, ok := to.Index()
	switch {
	case !ok:
		number(base+9, ';')
	case i < 8 && base < 50:
		number(base+int64(i), ';')
	case i < 16 && base < 50:
		number(base+60+int64(i-8), ';')
	default:
		number(base+8, sep)
		number(5, sep)
		number(int64(i), ';')
	}
	return b
}
