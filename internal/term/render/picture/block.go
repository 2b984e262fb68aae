package picture

import "slices"

// Quarters of a cell, as bits.
const (
	upperLeft = 1 << iota
	upperRight
	lowerLeft
	lowerRight
)

// quadrants are the quarters of U+2596 to U+259F.
var quadrants = [...]int{
	lowerLeft, lowerRight, upperLeft, upperLeft | lowerLeft | lowerRight, upperLeft | lowerRight,
	upperLeft | upperRight | lowerLeft, upperLeft | upperRight | lowerRight, upperRight,
	upperRight | lowerLeft, upperRight | lowerLeft | lowerRight,
}

// block returns the shape of U+2580 to U+259F.
func (m *box) block(r rune) []rect {
	w, h := m.w, m.h
	eighth := func(n, size int) int { return (n*size + 4) / 8 }
	switch {
	case r == '▀':
		return []rect{{0, 0, w, h - eighth(4, h)}}
	case r <= '█':
		return []rect{{0, h - eighth(int(r-'▀'), h), w, h}}
	case r <= '▏':
		return []rect{{0, 0, eighth(int('▏'-r+1), w), h}}
	case r == '▐':
		return []rect{{eighth(4, w), 0, w, h}}
	case r <= '▓':
		return []rect{{0, 0, w, h}}
	case r == '▔':
		return []rect{{0, 0, w, eighth(1, h)}}
	case r == '▕':
		return []rect{{w - eighth(1, w), 0, w, h}}
	}
	m.grid(quadrants[r-'▖'], 2, 2)
	return m.rects
}

// sextant returns the shape of U+1FB00 to U+1FB3B: a cell divided into two columns and three rows.
// The code points leave out the combinations that block has.
func (m *box) sextant(r rune) []rect {
	const leftHalf, rightHalf = 0b010101, 0b101010
	bits := int(r-0x1fb00) + 1
	if bits >= leftHalf {
		bits++
	}
	if bits >= rightHalf {
		bits++
	}
	m.grid(bits, 2, 3)
	return m.rects
}

// grid fills parts of a cell of columns and rows: bits are by rows, the lowest first.
func (m *box) grid(bits, cols, rows int) {
	// Halves are the parts of the half blocks.
	cut := func(i, n, size int) int { return (i*size + n/2) / n }
	for i := range cols * rows {
		if bits>>i&1 != 0 {
			x, y := i%cols, i/cols
			m.add(rect{cut(x, cols, m.w), m.h - cut(rows-y, rows, m.h), cut(x+1, cols, m.w), m.h - cut(rows-y-1, rows, m.h)})
		}
	}
}

// braille returns the dots of U+2800 to U+28FF.
func braille(r rune, w, h int) []path {
	// The bit of each dot, by rows.
	bits := [...]int{0, 3, 1, 4, 2, 5, 6, 7}
	var out []path
	radius := min(float64(w)/4, float64(h)/8) * 0.72
	for i, bit := range bits {
		if (r-0x2800)>>bit&1 != 0 {
			out = append(out, circle(float64(w)*float64(1+2*(i%2))/4, float64(h)*float64(1+2*(i/2))/8, radius))
		}
	}
	return out
}

func circle(x, y, r float64) path {
	p := path{x: x - r, y: y}
	p.arc(r, r, true, 2*r, 0)
	p.arc(r, r, true, -2*r, 0)
	return p
}

// powerline returns the separators U+E0B0 to U+E0BF of status lines: triangles, half circles and
// corners, each also as a thin line, and mirrored.
func powerline(r rune, w, h, t float64) []path {
	i := int(r - 0xe0b0)
	thin := i%2 == 1
	left, right, side := 0.0, w, 1.0 // the edges where a shape begins and to which it points
	if i == 2 || i == 3 || i == 6 || i == 7 {
		left, right, side = w, 0, -1
	}
	switch {
	case i < 4 && !thin:
		return []path{polygon(point{left, 0}, point{right, h / 2}, point{left, h})}
	case i < 4:
		return []path{stroke(point{left, 0}, point{right - side*t, h / 2}, point{left, h})}
	case i < 8:
		in := 0.0
		if thin {
			in = t / 2
		}
		p := path{x: left, y: in, open: thin}
		p.arc(w-in, h/2-in, side > 0, 0, h-2*in)
		return []path{p}
	case i == 9, i == 15:
		return diagonals('╲', w, h)
	case thin:
		return diagonals('╱', w, h)
	}
	// ◣ ◢ ◤ ◥: the corners but one
	corners := []point{{0, 0}, {w, 0}, {w, h}, {0, h}}
	missing := [...]int{1, 0, 2, 3}[(i-8)/2]
	return []path{polygon(slices.Delete(corners, missing, missing+1)...)}
}
