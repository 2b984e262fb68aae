package picture

import "strings"

// A box is a cell in which a shape of whole pixels is assembled.
type box struct {
	w, h, t int
	rects   []rect
}

// add fills pixels; parts outside the cell are ignored. Rectangles that make one are joined.
func (m *box) add(r rect) {
	if r = (rect{max(r.x0, 0), max(r.y0, 0), min(r.x1, m.w), min(r.y1, m.h)}); r.x0 >= r.x1 || r.y0 >= r.y1 {
		return
	}
	for i, o := range m.rects {
		row := o.y0 == r.y0 && o.y1 == r.y1 && o.x0 <= r.x1 && r.x0 <= o.x1
		if col := o.x0 == r.x0 && o.x1 == r.x1 && o.y0 <= r.y1 && r.y0 <= o.y1; row || col {
			m.rects[i] = rect{min(o.x0, r.x0), min(o.y0, r.y0), max(o.x1, r.x1), max(o.y1, r.y1)}
			return
		}
	}
	m.rects = append(m.rects, r)
}

type weight byte

const (
	absent weight = '0' + iota
	light
	heavy
	double
)

// arms are the lines of U+2500 to U+257F from the centre to the left, up, right and down. Those
// without are not made of arms.
var arms = strings.Fields("" +
	"1010 2020 0101 0202 .... .... .... .... .... .... .... .... 0011 0021 0012 0022 " +
	"1001 2001 1002 2002 0110 0120 0210 0220 1100 2100 1200 2200 0111 0121 0211 0112 " +
	"0212 0221 0122 0222 1101 2101 1201 1102 1202 2201 2102 2202 1011 2011 1021 2021 " +
	"1012 2012 1022 2022 1110 2110 1120 2120 1210 2210 1220 2220 1111 2111 1121 2121 " +
	"1211 1112 1212 2211 1221 2112 1122 2221 2122 2212 1222 2222 .... .... .... .... " +
	"3030 0303 0031 0013 0033 3001 1003 3003 0130 0310 0330 3100 1300 3300 0131 0313 " +
	"0333 3101 1303 3303 3031 1013 3033 3130 1310 3330 3131 1313 3333 .... .... .... " +
	".... .... .... .... 1000 0100 0010 0001 2000 0200 0020 0002 1020 0102 2010 0201")

// line returns the shape of U+2500 to U+257F.
func (m *box) line(r rune) ([]rect, []path) {
	switch {
	case r >= '┄' && r <= '┋':
		i := int(r - '┄')
		m.dashes(3+i/4, i/2%2 == 1, i%2 == 1)
	case r >= '╌' && r <= '╏':
		i := int(r - '╌')
		m.dashes(2, i/2 == 1, i%2 == 1)
	case r >= '╭' && r <= '╰':
		return nil, m.arc(r)
	case r >= '╱' && r <= '╳':
		return nil, diagonals(r, float64(m.w), float64(m.h))
	default:
		m.arms(arms[r-0x2500])
	}
	return m.rects, nil
}

// across returns the pixels of a stroke of the given thickness through the middle of size pixels.
func (m *box) across(size, thickness int) (from, to int) {
	from = (size-m.t)/2 - (thickness-m.t)/2
	return from, from + thickness
}

// heavyStroke is the thickness of heavy lines: it differs from light ones by an even number of
// pixels, so that their centres are the same.
func (m *box) heavyStroke() int { return m.t + 2*max(1, m.t/2) }

// arms draws the lines from the centre.
//
// A stroke of a double line ends at the corridor of a double line on its side, and goes around that
// of one on the other side. Where single lines meet a double line that goes on to both sides, they
// end at its nearer stroke, and otherwise they close it.
func (m *box) arms(spec string) {
	var a [4]weight
	for i := range a {
		a[i] = weight(spec[i])
	}
	for i, w := range a {
		switch w {
		case double:
			for side, offset := range [...]int{-m.t, m.t} {
				near, other := a[1-i%2+2*side], a[3-i%2-2*side]
				reach := m.t
				if near == double {
					reach = -m.t
				} else if other == double {
					reach = 3 * m.t
				}
				m.arm(i, offset, m.t, reach)
			}
		case light:
			m.arm(i, 0, m.t, m.reach(a, i))
		case heavy:
			m.arm(i, 0, m.heavyStroke(), m.reach(a, i))
		}
	}
}

// reach returns the thickness of the part of the centre that a single arm i covers: an arm covers
// all of it up to the far edge. A negative thickness means that it ends where the centre begins.
func (m *box) reach(a [4]weight, i int) int {
	one, other, opposite := a[(i+1)%4], a[(i+3)%4], a[(i+2)%4]
	doubles := one == double || other == double
	switch {
	case one == heavy || other == heavy:
		return m.heavyStroke()
	case doubles && one == other && opposite == absent:
		return -m.t // a tee
	case doubles && opposite == absent:
		return 3 * m.t // a corner
	}
	return m.t
}

// arm fills an arm: 0 to 3 are left, up, right and down. offset is how far it is beside the middle,
// and reach how far it goes into the centre: see [box.reach].
func (m *box) arm(i, offset, thickness, reach int) {
	length, side := m.w, m.h
	if i%2 == 1 {
		length, side = m.h, m.w
	}
	from, to := m.across(side, thickness)
	from, to = from+offset, to+offset
	near, far := m.across(length, max(reach, -reach))
	if reach < 0 {
		near, far = far, near
	}
	start, end := 0, far
	if i >= 2 {
		start, end = near, length
	}
	r := rect{start, from, end, to}
	if i%2 == 1 {
		r = rect{from, start, to, end}
	}
	m.add(r)
}

// dashes draws a line of n dashes, of which each has a gap at its end.
func (m *box) dashes(n int, vertical, thick bool) {
	thickness := m.t
	if thick {
		thickness = m.heavyStroke()
	}
	length, side := m.w, m.h
	if vertical {
		length, side = m.h, m.w
	}
	from, to := m.across(side, thickness)
	for i := range n {
		start, end := i*length/n, (i+1)*length/n
		end -= max(1, (end-start)/3)
		if vertical {
			m.add(rect{from, start, to, end})
		} else {
			m.add(rect{start, from, end, to})
		}
	}
}

// arc draws a light line from one edge to another around a quarter of a circle.
func (m *box) arc(r rune) []path {
	x0, x1 := m.across(m.w, m.t)
	y0, y1 := m.across(m.h, m.t)
	x, y := float64(x0+x1)/2, float64(y0+y1)/2
	endX, dx, endY, dy := float64(m.w), 1.0, float64(m.h), 1.0
	if r == '╮' || r == '╯' {
		endX, dx = 0, -1
	}
	if r == '╰' || r == '╯' {
		endY, dy = 0, -1
	}
	radius := max(min(dx*(endX-x), dy*(endY-y))-1, 0) // the last pixel is straight, so that it joins exactly
	p := path{x: endX, y: y, open: true}
	p.by('h', x+dx*radius-endX)
	p.arc(radius, radius, dx != dy, -dx*radius, dy*radius)
	p.by('v', endY-y-dy*radius)
	return []path{p}
}

// diagonals draws ╱, ╲ or ╳. They go through the corners, where they meet the neighbours' lines.
func diagonals(r rune, w, h float64) []path {
	var out []path
	if r != '╲' {
		out = append(out, stroke(point{w, 0}, point{0, h}))
	}
	if r != '╱' {
		out = append(out, stroke(point{0, 0}, point{w, h}))
	}
	return out
}
