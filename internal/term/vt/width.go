package vt

import (
	"sync/atomic"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// A class has the properties of a code point that printing needs.
type class uint8

const (
	classWidth    class = 3      // columns: 0, 1 or 2
	classPicture  class = 1 << 2 // a pictograph: joins text that ends in ZERO WIDTH JOINER
	classRegional class = 1 << 3 // a regional indicator: two of them are a flag
	classTone     class = 1 << 4 // a skin tone: joins a pictograph
	classKnown    class = 1 << 7 // set in every class

	classJoins = classPicture | classRegional | classTone
)

const (
	softHyphen    = 0xAD
	zwj           = 0x200D
	vs16          = 0xFE0F
	firstRegional = 0x1F1E6 // regional indicator A
	lastRegional  = 0x1F1FF // Z
)

// classes holds the classes of blocks of 256 code points. A block is computed when one of its code
// points is first printed: most programs need two or three blocks, and computing all of them would
// take longer than a command line takes to start.
var classes [(0x10FFFF + 1) / 256]atomic.Pointer[[256]class]

func classOf(r rune) class {
	if block := classesOf(r); block != nil {
		return block[uint8(r)]
	}
	return firstOfBlock(r)
}

// classesOf returns the classes of a code point's block, or nil if they have not been computed.
// Unlike classOf it is small enough to be inlined.
func classesOf(r rune) *[256]class { return classes[uint32(r)>>8].Load() }

// firstOfBlock computes the block of a code point, and returns the code point's class.
func firstOfBlock(r rune) class {
	var block [256]class
	for i := range block {
		block[i] = classify(r&^0xff + rune(i))
	}
	classes[uint32(r)>>8].Store(&block)
	return block[uint8(r)]
}

func classify(r rune) class {
	c := class(displaywidth.Rune(r)) | classKnown
	switch {
	case r >= firstRegional && r <= lastRegional:
		c |= classRegional
	case r >= 0x1F3FB && r <= 0x1F3FF:
		c |= classTone
	case r >= 0x1160 && r <= 0x11FF, r >= 0xD7B0 && r <= 0xD7FF:
		c &^= classWidth // Hangul vowels and finals share the initial's cell
	case r == softHyphen, unicode.Is(unicode.Prepended_Concatenation_Mark, r): // they are drawn
		c = c&^classWidth | 1
	case unicode.Is(newMarks, r):
		c &^= classWidth
	case r >= 0x80 && c&classWidth != 0 && clusters("a"+string(r)) == 2 && clusters("👩\u200d"+string(r)) == 1:
		c |= classPicture
	}
	return c
}

func clusters(s string) int {
	n := 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		n++
	}
	return n
}

// widens reports whether VARIATION SELECTOR-16 makes r an emoji of two columns: r is a pictograph
// or the base of a keycap.
func widens(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*' || classOf(r)&classPicture != 0
}
