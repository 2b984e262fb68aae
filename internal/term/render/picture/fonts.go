package picture

import (
	"embed"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/packed"
)

//go:embed fonts/*.ttf.gz
var fontFiles embed.FS

func files() packed.FS { return packed.New(fontFiles) }

// Fonts are the fonts of PNGs: the embedded ones and the user's. The zero Fonts are the
// embedded ones. They are safe for concurrent use, but pictures are drawn one after another, which
// bounds the memory that they take.
type Fonts struct {
	own []*face // the user's, in order

	load  sync.Once
	faces [4][]*face // by style: see order

	mu      sync.Mutex // guards the fields below; held while a picture is drawn
	masks   map[maskKey]*glyphMask
	pixels  int // of masks
	buffer  sfnt.Buffer
	scratch scratch
}

// A fontStyle is an index of [Fonts.faces].
type fontStyle uint8

const (
	boldStyle fontStyle = 1 << iota
	italicStyle
)

type face struct {
	font *sfnt.Font
	// width, ascent and descent are in units of the em.
	width, ascent, descent float64
	// fixed means that it is monospaced, and can replace the main font.
	fixed bool
	style fontStyle // that it has by itself
}

// NewFonts returns the embedded fonts with those of the user, each the contents of a font file
// (TrueType, OpenType or a collection). Monospaced ones are used before the embedded ones, others
// for characters that the embedded ones lack. An error is of kind Invalid.
func NewFonts(own ...[]byte) (*Fonts, error) {
	f := &Fonts{}
	for _, data := range own {
		x, err := parseFace(data)
		if err != nil {
			return nil, err
		}
		f.own = append(f.own, x)
	}
	return f, nil
}

// order returns the fonts in which to look for a character, in order.
func (f *Fonts) order(st fontStyle) []*face {
	f.load.Do(f.loadEmbedded)
	return f.faces[st]
}

func (f *Fonts) loadEmbedded() {
	read := func(name string) *face {
		data, err := files().ReadFile("fonts/" + name + ".ttf")
		if err != nil {
			panic(err) // it is embedded
		}
		x, err := parseFace(data)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // tests read all of them
		}
		return x
	}
	var more []*face // for what the main font lacks
	for _, name := range [...]string{"DejaVuSansMono", "DejaVuSans", "NotoEmoji"} {
		more = append(more, read(name))
	}
	fixed := slices.DeleteFunc(slices.Clone(f.own), func(x *face) bool { return !x.fixed })
	loose := slices.DeleteFunc(slices.Clone(f.own), func(x *face) bool { return x.fixed })
	for st, name := range [...]string{"Regular", "Bold", "Italic", "BoldItalic"} {
		main := read("JetBrainsMono-" + name)
		main.style = fontStyle(st)
		f.faces[st] = slices.Concat(fixed, []*face{main}, more[:1], loose, more[1:])
	}
}

// unitsPerEm is the size in which outlines are read: large enough to keep their precision.
const unitsPerEm = 1024

func parseFace(data []byte) (x *face, err error) {
	defer func() {
		if recover() != nil { // the parser is not made for hostile files
			x, err = nil, fault.New(fault.Invalid, "the font is malformed")
		}
	}()
	all, err := sfnt.ParseCollection(data)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the font")
	}
	parsed, err := all.Font(0)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the font")
	}
	x = &face{font: parsed}
	var buffer sfnt.Buffer
	m, err := parsed.Metrics(&buffer, fixed.I(unitsPerEm), font.HintingNone)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "read the font")
	}
	x.ascent, x.descent = float64(m.Ascent)/64/unitsPerEm, float64(m.Descent)/64/unitsPerEm
	narrow, wide := x.advance(&buffer, 'i'), x.advance(&buffer, 'W')
	x.fixed = narrow > 0 && narrow == wide
	x.width = wide
	return x, nil
}

// advance returns the width of a character in units of the em, or 0 if the font lacks it.
func (x *face) advance(buffer *sfnt.Buffer, r rune) float64 {
	id, err := x.font.GlyphIndex(buffer, r)
	if err != nil || id == 0 {
		return 0
	}
	return x.glyphAdvance(buffer, id)
}

func (x *face) glyphAdvance(buffer *sfnt.Buffer, id sfnt.GlyphIndex) float64 {
	a, err := x.font.GlyphAdvance(buffer, id, fixed.I(unitsPerEm), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(a) / 64 / unitsPerEm
}
