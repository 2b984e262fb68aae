package picture

import (
	"ui-mcp/internal/term/sgr"
)

// An rgb is a colour, 0xRRGGBB.
type rgb uint32

func (c rgb) mix(other rgb, part uint32) rgb {
	// Red and blue at once: there is room for their products between them.
	const outer, inner = 0xff00ff, 0x00ff00
	rest := 256 - part
	rb := (uint32(c)&outer*rest + uint32(other)&outer*part) >> 8 & outer
	g := (uint32(c)&inner*rest + uint32(other)&inner*part) >> 8 & inner
	return rgb(rb | g)
}

type scheme struct {
	text, background rgb
	ansi             [16]rgb
}

var schemes = map[Theme]*scheme{
	Dark: {
		text: 0xd8dce3, background: 0x16181d,
		ansi: [16]rgb{
			0x30363f, 0xe5565b, 0x5fb562, 0xd0a03c, 0x3874cf, 0xb06be0, 0x45b8c7, 0xc6ccd5,
			0x6c7580, 0xff7f80, 0x82d884, 0xf0c561, 0x74aefc, 0xd29bf5, 0x66d3e0, 0xf7f9fb,
		},
	},
	Light: {
		text: 0x24292f, background: 0xffffff,
		ansi: [16]rgb{
			0x24292f, 0xc5222f, 0x1a7a35, 0x8f6400, 0x1463cc, 0x8048cf, 0x1c8791, 0xaab2bc,
			0x67707a, 0xe0474f, 0x2b9a4b, 0xb98500, 0x3d87f0, 0x9d6bea, 0x2897a2, 0xd5dbe2,
		},
	},
}

// color returns a colour of the terminal; standard is what the default colour is.
func (s *scheme) color(c sgr.Color, standard rgb) rgb {
	if i, ok := c.Index(); ok && i < 16 {
		return s.ansi[i]
	} else if ok {
		c = sgr.Standard(i)
	}
	r, g, b, ok := c.RGB()
	if !ok {
		return standard
	}
	return rgb(r)<<16 | rgb(g)<<8 | rgb(b)
}
