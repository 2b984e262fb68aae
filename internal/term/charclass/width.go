// Package charclass tells what printing must know of a character: how many columns it takes, and
// what it joins. Package vt has the rules.
package charclass

import (
	"sync/atomic"
	"unicode"

	"github.com/clipperhouse/displaywidth"
)

// A Class has the properties of a code point that printing needs.
type Class uint8

const (
	Width    Class = 3      // columns: 0, 1 or 2
	Picture  Class = 1 << 2 // a pictograph: joins text that ends in ZERO WIDTH JOINER
	Regional Class = 1 << 3 // a regional indicator: two of them are a flag
	Tone     Class = 1 << 4 // a skin tone: joins a pictograph

	Joins = Picture | Regional | Tone
)

const (
	softHyphen    = 0xAD
	ZWJ           = 0x200D  // ZERO WIDTH JOINER
	VS16          = 0xFE0F  // VARIATION SELECTOR-16
	firstRegional = 0x1F1E6 // regional indicator A
	lastRegional  = 0x1F1FF // Z
)

// classes holds the classes of blocks of 256 code points. A block is computed when one of its code
// points is first printed: most programs need two or three blocks, and computing all of them would
// take longer than a command line takes to start.
var classes [(0x10FFFF + 1) / 256]atomic.Pointer[[256]Class]

// Of returns the class of a code point.
func Of(r rune) Class {
	if block := Block(r); block != nil {
		return block[uint8(r)]
	}
	return FirstOfBlock(r)
}

// Block returns the classes of a code point's block, or nil if they have not been computed.
// Unlike [Of] it is small enough to be inlined.
func Block(r rune) *[256]Class { return classes[uint32(r)>>8].Load() }

// FirstOfBlock computes the block of a code point, and returns the code point's class.
func FirstOfBlock(r rune) Class {
	var block [256]Class
	for i := range block {
		block[i] = classify(r&^0xff + rune(i))
	}
	classes[uint32(r)>>8].Store(&block)
	return block[uint8(r)]
}

func classify(r rune) Class {
	c := Class(displaywidth.Rune(r))
	switch {
	case r >= firstRegional && r <= lastRegional:
		c |= Regional
	case r >= 0x1F3FB && r <= 0x1F3FF:
		c |= Tone
	case r >= 0x1160 && r <= 0x11FF, r >= 0xD7B0 && r <= 0xD7FF:
		c &^= Width // Hangul vowels and finals share the initial's cell
	case r == softHyphen, unicode.Is(unicode.Prepended_Concatenation_Mark, r): // they are drawn
		c = c&^Width | 1
	case unicode.Is(newMarks, r):
		c &^= Width
	case r >= 0x80 && c&Width != 0 && clusters("a"+string(r)) == 2 && clusters("👩\u200d"+string(r)) == 1:
		c |= Picture
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

// Widens reports whether VARIATION SELECTOR-16 makes r an emoji of two columns: r is a pictograph
// or the base of a keycap.
func Widens(r rune) bool {
	return r >= '0' && r <= '9' || r == '#' || r == '*' || Of(r)&Picture != 0
}
