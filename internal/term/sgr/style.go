// Package sgr has how text looks: colours, attributes and kinds of underlines, as the sequence SGR
// sets them, and the names and values of colours. It knows nothing of terminals.
package sgr

import "strconv"

// A Color is the colour of text, background or underline. The zero Color is the terminal's default.
type Color uint32

const (
	colorIndexed Color = 1 << 24
	colorRGB     Color = 2 << 24
)

// Indexed returns entry i of the palette: 0-7 are the ANSI colours, 8-15 the bright ones, 16-231 a
// 6×6×6 cube and 232-255 greys.
func Indexed(i uint8) Color { return colorIndexed | Color(i) }

// RGB returns a direct colour.
func RGB(r, g, b uint8) Color {
	return colorRGB | Color(r)<<16 | Color(g)<<8 | Color(b)
}

// Index returns the palette index, and false if c is not indexed.
func (c Color) Index() (uint8, bool) { return uint8(c), c&^0xff == colorIndexed }

// RGB returns the components of a direct colour, and false if c is not one.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c&colorRGB != 0
}

// Attr is a set of text attributes: flags, and a kind of underline.
type Attr uint16

const (
	Bold Attr = 1 << iota
	Faint
	Italic
	Blink
	RapidBlink
	Inverse
	Conceal
	Strikethrough
	Overline
	Protected // DECSCA: selective erase leaves it alone

	underlineShift      = 13
	UnderlineMask  Attr = 7 << underlineShift // the bits of the kind
)

// An Underline is a kind of underline, numbered as in SGR 4:n.
type Underline uint8

const (
	UnderlineNone Underline = iota
	UnderlineSingle
	UnderlineDouble
	UnderlineCurly
	UnderlineDotted
	UnderlineDashed
)

// Underline returns the kind of underline.
func (a Attr) Underline() Underline { return Underline(a >> underlineShift) }

// WithUnderline returns a with underline u.
func (a Attr) WithUnderline(u Underline) Attr {
	return a&^UnderlineMask | Attr(u)<<underlineShift
}

// Has reports whether any of the given flags is set.
func (a Attr) Has(flags Attr) bool { return a&flags != 0 }

// A Style is the look of text. The zero Style is plain text.
type Style struct {
	FG, BG, UnderlineColor Color
	Attr                   Attr
}

// sgrFlags are the flags with their SGR parameters.
var sgrFlags = [...]struct {
	attr Attr
	code string
}{
	{Bold, "1"}, {Faint, "2"}, {Italic, "3"}, {Blink, "5"}, {RapidBlink, "6"},
	{Inverse, "7"}, {Conceal, "8"}, {Strikethrough, "9"}, {Overline, "53"},
}

// AppendSGR appends the parameters of the SGR sequence that sets exactly s, starting with the
// reset: "0", "0;1;38:2::255:0:0".
func (s Style) AppendSGR(b []byte) []byte {
	b = append(b, "0;"...)
	b = s.appendChanges(b, Style{}, ':')
	return b[:len(b)-1]
}

// AppendSGRFrom appends the SGR sequence that changes from another style to s. It writes colours of
// text and background with semicolons, which every terminal with such colours understands, and
// features that were introduced with colons, such as kinds of underlines, with colons.
func (s Style) AppendSGRFrom(b []byte, from Style) []byte {
	b = append(b, "\x1b["...)
	if s == (Style{}) {
		return append(b, 'm')
	}
	start := len(b)
	if !from.Attr.within(s.Attr) {
		b = append(b, "0;"...)
		from = Style{}
	}
	if b = s.appendChanges(b, from, ';'); len(b) > start {
		b = b[:len(b)-1]
	}
	return append(b, 'm')
}

// within reports whether o has all flags of a, so that setting the others is enough to get there.
func (a Attr) within(o Attr) bool {
	u := a.Underline()
	return (a&^o)&^UnderlineMask == 0 && (u == o.Underline() || u == UnderlineNone)
}

// appendChanges appends the parameters in which s differs from another style with fewer attributes,
// each with a semicolon after it. sep separates the components of colours of text and background.
func (s Style) appendChanges(b []byte, from Style, sep byte) []byte {
	for _, f := range sgrFlags {
		if s.Attr.Has(f.attr) && !from.Attr.Has(f.attr) {
			b = append(append(b, f.code...), ';')
		}
	}
	if u := s.Attr.Underline(); u != from.Attr.Underline() {
		b = append(b, '4')
		if u != UnderlineSingle {
			b = append(b, ':', '0'+byte(u))
		}
		b = append(b, ';')
	}
	b = appendColor(b, from.FG, s.FG, 30, sep)
	b = appendColor(b, from.BG, s.BG, 40, sep)
	return appendColor(b, from.UnderlineColor, s.UnderlineColor, 50, ':')
}

// appendColor appends the parameters for a change of colour, if it changes. base is 30 for text, 40
// for the background and 50 for the underline, which has only the long forms.
func appendColor(b []byte, from, to Color, base int64, sep byte) []byte {
	if from == to {
		return b
	}
	number := func(n int64, end byte) { b = append(strconv.AppendInt(b, n, 10), end) }
	if red, green, blue, ok := to.RGB(); ok {
		number(base+8, sep)
		number(2, sep)
		if sep == ':' {
			b = append(b, sep) // no colour space
		}
		number(int64(red), sep)
		number(int64(green), sep)
		number(int64(blue), ';')
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
