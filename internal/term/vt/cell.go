package vt

// A cell is one column of a row, in 64 bits: what it shows, how wide that is,
// and the number of its pen in the terminal's table.
//
//	 0-20  a code point, or the number of a grapheme cluster; 0: nothing
//	   21  it is a cluster
//	22-23  narrow, wide, tail or filler
//	32-63  pen
//
// The zero cell shows nothing in the default style.
type cell uint64

const (
	contentMask cell = 1<<22 - 1
	clusterFlag cell = 1 << 21

	widthMask cell = 3 << 22
	wide      cell = 1 << 22 // the first column of a wide character
	tail      cell = 2 << 22 // its second column
	filler    cell = 3 << 22 // a last column left empty, since a wide character did not fit

	penShift      = 32
	penMask  cell = ^cell(0) &^ (1<<penShift - 1)
)

// inked returns the bits of a cell drawn with pen id.
func inked(id penID) cell { return cell(id) << penShift }

func (c cell) pen() penID { return penID(c >> penShift) }

// fill sets all of cells to c.
func fill(cells []cell, c cell) {
	for i := range cells {
		cells[i] = c
	}
}
