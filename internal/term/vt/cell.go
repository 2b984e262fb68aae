package vt

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// A cell is one column of a row, in 64 bits: its content, its width, and the number of its pen in
// the terminal's table.
//
//	 0-31  a code point in UTF-8, first byte lowest; or the number of a grapheme cluster;
//	       0: empty
//	   32  it is a cluster
//	   33  it takes one column, although its class says two
//	34-36  wide, tail or filler
//	37-63  pen
//
// The zero cell is empty, in the default style. The content is UTF-8 rather than the code point's
// number because lines are packed far more often than numbers are needed.
type cell uint64

const (
	contentMask cell = 1<<34 - 1
	clusterFlag cell = 1 << 32
	forcedFlag  cell = 1 << 33

	widthMask cell = 7 << 34
	wide      cell = 1 << 34 // the first column of a wide character
	tail      cell = 1 << 35 // its second column
	filler    cell = 1 << 36 // a last column left empty because a wide character did not fit

	penShift      = 37
	penMask  cell = ^cell(0) &^ (1<<penShift - 1)
)

func content(r rune) cell {
	if r < utf8.RuneSelf {
		return cell(r)
	}
	var b [4]byte
	utf8.EncodeRune(b[:], r)
	return cell(binary.LittleEndian.Uint32(b[:]))
}

// utf8Size returns the length in bytes of the code point in c, which must not be a cluster.
func (c cell) utf8Size() int { return (bits.Len32(uint32(c)) + 7) / 8 }

// rune returns the code point in c, which must not be a cluster.
func (c cell) rune() rune {
	if uint32(c) < utf8.RuneSelf {
		return rune(uint32(c))
	}
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(c))
	r, _ := utf8.DecodeRune(b[:])
	return r
}

func inked(id penID) cell { return cell(id) << penShift }

func (c cell) pen() penID { return penID(c >> penShift) }

func fill(cells []cell, c cell) {
	for i := range cells {
		cells[i] = c
	}
}
