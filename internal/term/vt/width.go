package vt

import (
	"sync/atomic"

	"github.com/clipperhouse/displaywidth"
)

// A class is what printing must know of a code point.
type class uint8

const (
	classWidth    class = 3      // columns: 0, 1 or 2
	classPicture  class = 1 << 2 // a pictograph: joins what ends in ZERO WIDTH JOINER
	classRegional class = 1 << 3 // a regional indicator: two of them are a flag
	classTone     class = 1 << 4 // a skin tone: joins a pictograph
	classKnown    class = 1 << 7 // set in every class

	classJoins = classPicture | classRegional | classTone
)

const (
	zwj           = 0x200D
	vs16          = 0xFE0F
	firstRegional = 0x1F1E6 // regional indicator A
	lastRegional  = 0x1F1FF // Z
)

// classes holds the classes of blocks of 256 code points, made when one of them
// is first printed: most programs need two or three blocks, and the tables for
// all of them take longer to make than a command line takes to start.
var classes [(0x10FFFF + 1) / 256]atomic.Pointer[[256]class]

// classOf returns the class of a code point.
func classOf(r rune) class {
	if block := classesOf(r); block != nil {
		return block[uint8(r)]
	}
	return firstOfBlock(r)
}

// classesOf returns the classes of the block of a code point, or nil while they are
// unknown. Unlike classOf it is small enough to be inlined.
func classesOf(r rune) *[256]class { return classes[uint32(r)>>8].Load() }

// firstOfBlock makes the block of a code point, and returns its class.
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
		c &^= classWidth // Hangul vowels and finals are drawn into the initial's cell
	case r >= 0x80 && c&classWidth != 0 && clusters("a"+string(r)) == 2 && clusters("👩\u200d"+string(r)) == 1:
		c |= classPicture
	}
	return c
}

// clusters counts the grapheme clusters of s.
func clusters(s string) int {
	n := 0
	for g := displaywidth.StringGraphemes(s); g.Next(); {
		n++
	}
	return n
}

// widens reports whether VARIATION SELECTOR-16 makes r an emoji of two columns:
// pictographs, and what keycaps are made of.
func widens(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*' || classOf(r)&classPicture != 0
}
