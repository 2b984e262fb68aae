package vt

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
	protected // DECSCA: selective erase leaves it alone

	underlineShift      = 13
	underlineMask  Attr = 7 << underlineShift
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
	return a&^underlineMask | Attr(u)<<underlineShift
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
	b = append(b, '0')
	for _, f := range sgrFlags {
		if s.Attr.Has(f.attr) {
			b = append(append(b, ';'), f.code...)
		}
	}
	switch u := s.Attr.Underline(); u {
	case UnderlineNone:
	case UnderlineSingle:
		b = append(b, ";4"...)
	default:
		b = append(b, ";4:"...)
		b = append(b, '0'+byte(u))
	}
	b = s.FG.appendSGR(b, 30)
	b = s.BG.appendSGR(b, 40)
	return s.UnderlineColor.appendSGR(b, 50)
}

// appendSGR appends the parameters for c. base is 30 for text, 40 for the background and 50 for the
// underline, which has only the long forms.
func (c Color) appendSGR(b []byte, base int64) []byte {
	if r, g, bl, ok := c.RGB(); ok {
		b = strconv.AppendInt(append(b, ';'), base+8, 10)
		b = append(b, ":2:"...)
		for _, v := range [...]uint8{r, g, bl} {
			b = strconv.AppendInt(append(b, ':'), int64(v), 10)
		}
		return b
	}
	i, ok := c.Index()
	switch {
	case !ok:
		return b
	case i < 8 && base < 50:
		return strconv.AppendInt(append(b, ';'), base+int64(i), 10)
	case i < 16 && base < 50:
		return strconv.AppendInt(append(b, ';'), base+60+int64(i-8), 10)
	}
	b = strconv.AppendInt(append(b, ';'), base+8, 10)
	b = append(b, ":5:"...)
	return strconv.AppendInt(b, int64(i), 10)
}
