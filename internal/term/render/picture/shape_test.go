package picture

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sizes are the geometries in which shapes are tested.
var sizes = []geometry{geometryOf(MinCell), geometryOf(7), geometryOf(DefaultCell), geometryOf(13), geometryOf(20), geometryOf(MaxCell)}

// grid returns the pixels that the rectangles of a character cover, and fails if there are paths.
func grid(t *testing.T, r rune, g geometry) []bool {
	t.Helper()
	on := make([]bool, g.w*g.h)
	s := shapeOf(r, g.w, g.h, g.stroke)
	if len(s.paths) > 0 {
		t.Errorf("%c has paths", r)
	}
	for _, a := range s.rects {
		for y := a.y0; y < a.y1; y++ {
			for x := a.x0; x < a.x1; x++ {
				on[y*g.w+x] = true
			}
		}
	}
	return on
}

// edges returns the pixels at the left, upper, right and lower edge.
func edges(on []bool, g geometry) [4][]bool {
	var e [4][]bool
	for y := range g.h {
		e[0] = append(e[0], on[y*g.w])
		e[2] = append(e[2], on[y*g.w+g.w-1])
	}
	e[1], e[3] = on[:g.w], on[(g.h-1)*g.w:]
	return e
}

// Lines join exactly: the pixels at an edge depend only on the kind of line that crosses it, and
// are the same at opposite edges.
func TestLinesJoin(t *testing.T) {
	for _, g := range sizes {
		t.Run(fmt.Sprint(g.w), func(t *testing.T) {
			// The pixels of a line of each weight at a vertical and at a horizontal edge.
			want := map[string][]bool{}
			for axis, examples := range [...]string{" ─━═", " │┃║"} {
				for w, r := range []rune(examples) {
					if w > 0 {
						want[fmt.Sprint(axis, w)] = edges(grid(t, r, g), g)[axis]
					} else {
						want[fmt.Sprint(axis, w)] = make([]bool, [...]int{g.h, g.w}[axis])
					}
				}
			}
			check := func(r rune, spec string) {
				for i, e := range edges(grid(t, r, g), g) {
					if !slices.Equal(e, want[fmt.Sprint(i%2, int(spec[i]-'0'))]) {
						t.Errorf("%c: edge %d is %v, want %v", r, i, e, want[fmt.Sprint(i%2, int(spec[i]-'0'))])
					}
				}
			}
			for i, spec := range arms {
				if spec != "...." {
					check(rune(0x2500+i), spec)
				}
			}
		})
	}
}

// The kinds of line differ.
func TestWeightsDiffer(t *testing.T) {
	for _, g := range sizes {
		light, heavy, double := grid(t, '─', g), grid(t, '━', g), grid(t, '═', g)
		if slices.Equal(light, heavy) || slices.Equal(heavy, double) || slices.Equal(light, double) {
			t.Errorf("in cells of %d pixels, two kinds of line look alike", g.w)
		}
	}
}

// Characters that divide a cell do so without gap or overlap.
func TestBlocksDivideTheCell(t *testing.T) {
	parts := []string{"▀▄", "▌▐", "▖▗▘▝", "▙▝", "▛▗", "▜▖", "▟▘", "▚▞", "█", "▔\U0001fb3b"}
	for _, g := range sizes {
		for _, p := range parts[:len(parts)-1] {
			n := make([]int, g.w*g.h)
			for _, r := range p {
				for i, on := range grid(t, r, g) {
					if on {
						n[i]++
					}
				}
			}
			if !slices.Equal(n, slices.Repeat([]int{1}, len(n))) {
				t.Errorf("in cells of %d by %d pixels, %s do not cover the cell once", g.w, g.h, p)
			}
		}
		// All sextants with one part, and with all but that part.
		for bit := range 6 {
			one, rest := sextantOf(1<<bit), sextantOf(63&^(1<<bit))
			a, b := grid(t, one, g), grid(t, rest, g)
			for i := range a {
				if a[i] == b[i] {
					t.Fatalf("in cells of %d by %d pixels, U+%04X and U+%04X do not divide the cell", g.w, g.h, one, rest)
				}
			}
		}
	}
}

// sextantOf returns the sextant with the given parts.
func sextantOf(bits int) rune {
	r := rune(0x1fb00 + bits - 1)
	if bits > 0b101010 {
		r--
	}
	if bits > 0b010101 {
		r--
	}
	return r
}

func TestBlocksGrow(t *testing.T) {
	for _, g := range sizes {
		for _, s := range []string{"▁▂▃▄▅▆▇█", "▏▎▍▌▋▊▉█"} {
			before := 0
			for _, r := range s {
				n := 0
				for _, on := range grid(t, r, g) {
					if on {
						n++
					}
				}
				if n < before || n == before && g.w >= 8 {
					t.Errorf("in cells of %d by %d pixels, %c is not larger than the one before", g.w, g.h, r)
				}
				before = n
			}
		}
	}
}

func TestShades(t *testing.T) {
	g := geometryOf(DefaultCell)
	for r, want := range map[rune]uint32{'░': 64, '▒': 128, '▓': 192} {
		if s := shapeOf(r, g.w, g.h, g.stroke); s.alpha != want || !slices.Equal(s.rects, []rect{{0, 0, g.w, g.h}}) {
			t.Errorf("%c covers %v with %d, want all with %d", r, s.rects, s.alpha, want)
		}
	}
}

func TestBraille(t *testing.T) {
	g := geometryOf(DefaultCell)
	// The dots by their numbers: 1 to 3 and 7 at the left from above, 4 to 6 and 8 at the right.
	for bit, want := range [][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		s := shapeOf(rune(0x2800+1<<bit), g.w, g.h, g.stroke)
		if len(s.paths) != 1 {
			t.Fatalf("dot %d has %d paths", bit+1, len(s.paths))
		}
		at := s.paths[0] // it begins at the left of the dot
		col, row := int((at.x+1)*2/float64(g.w)), int(at.y*4/float64(g.h))
		if col != want[0] || row != want[1] {
			t.Errorf("dot %d is in column %d, row %d, want %v", bit+1, col, row, want)
		}
	}
}

// Every character that is drawn by code has a shape, within its cell, in every size.
func TestEveryShape(t *testing.T) {
	for r := rune(0x2300); r < 0x1fc00; r++ {
		if !drawnByCode(r) {
			continue
		}
		for _, g := range sizes {
			s := shapeOf(r, g.w, g.h, g.stroke)
			if len(s.rects)+len(s.paths) == 0 && r != 0x2800 {
				t.Errorf("U+%04X has no shape in cells of %d pixels", r, g.w)
			}
			for _, x := range s.rects {
				if x.x0 < 0 || x.y0 < 0 || x.x1 > g.w || x.y1 > g.h || x.x0 >= x.x1 || x.y0 >= x.y1 {
					t.Errorf("U+%04X has a rectangle %v in cells of %d by %d pixels", r, x, g.w, g.h)
				}
			}
		}
	}
}

// Figures of lines, one character for each pixel, to look at.
func TestFigures(t *testing.T) {
	g := geometry{w: 8, h: 9, stroke: 1}
	var b strings.Builder
	for _, figure := range []string{
		"┌─┬┐\n├─┼┤\n└─┴┘", "┏━┳┓\n┣━╋┫\n┗━┻┛", "╔═╦╗\n╠═╬╣\n╚═╩╝", "╓─╥╖\n╟─╫╢\n╙─╨╜", "╒═╤╕\n╞═╪╡\n╘═╧╛",
		"┍┯┑┎┰┒\n┝┿┥┠╂┨\n┕┷┙┖┸┚", "╴╶╵╷╾╼\n┄┅┈┉┆┇",
	} {
		for row := range strings.SplitSeq(figure, "\n") {
			lines := make([]strings.Builder, g.h)
			for _, r := range row {
				for i, on := range grid(t, r, g) {
					lines[i/g.w].WriteByte(" #"[map[bool]int{true: 1}[on]])
				}
			}
			for y := range lines {
				b.WriteString(strings.TrimRight(lines[y].String(), " ") + "\n")
			}
		}
		b.WriteString("\n")
	}
	golden(t, "figures.txt", []byte(b.String()))
}
