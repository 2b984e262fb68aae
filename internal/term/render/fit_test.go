package render

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/vt"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		name, output string
		cols, rows   int
		want         string // rows, with | between them
		cursor       [2]int // column and row
		cut          [2]int // columns and rows
	}{
		{"the same size", "abc", 6, 3, "abc||", [2]int{3, 0}, [2]int{}},
		{"larger", "abc", 8, 4, "abc|||", [2]int{3, 0}, [2]int{}},
		{"narrower", "abcdef\x1b[H", 4, 3, "abcd||", [2]int{0, 0}, [2]int{}},
		{"lower", "a\r\nb\r\nc\x1b[H", 6, 2, "a|b", [2]int{0, 0}, [2]int{}},
		{"with the cursor far below", "a\r\nb\r\nc", 6, 1, "c", [2]int{1, 0}, [2]int{0, 2}},
		{"with the cursor far right", "abcde\r\n1", 3, 3, "abc|1|", [2]int{1, 1}, [2]int{}},
		{"with the cursor beyond the edge", "\r\nabcde", 3, 3, "|de|", [2]int{2, 1}, [2]int{3, 0}},
		{"a hidden cursor counts", "\x1b[?25la\r\nb\r\nc", 6, 1, "c", [2]int{1, 0}, [2]int{0, 2}},
		{"wide characters cut at the right", "日本\x1b[H", 3, 3, "日||", [2]int{0, 0}, [2]int{}},
		{"and at the left", "a日本", 4, 3, " 本||", [2]int{3, 0}, [2]int{2, 0}},
		{"narrower and higher", "abcdef\x1b[H", 4, 5, "abcd||||", [2]int{0, 0}, [2]int{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			term := terminal(t, 6, 3)
			write(term, []byte(c.output))
			m, err := overlay.New(6, 3)
			if err != nil {
				t.Fatal(err)
			}
			whole := Compose(term.Snapshot(), m.Snapshot())
			f := whole.Fit(c.cols, c.rows)
			if d := cmp.Diff(c.want, strings.Join(f.Plain(), "|")); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if at := [2]int{f.Cursor.Col, f.Cursor.Row}; at != c.cursor || [2]int{f.CutLeft, f.CutTop} != c.cut || f.Cols != c.cols || f.Rows != c.rows {
				t.Errorf("%dx%d, cursor %v, cut %d, %d; want cursor %v, cut %v", f.Cols, f.Rows, at, f.CutLeft, f.CutTop, c.cursor, c.cut)
			}
		})
	}
}

// A terminal of any size that gets the differences of fitted frames always shows the part of the
// picture that fits.
func TestFitIsThePicture(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := newScene(t, rand.New(rand.NewPCG(seed, 7)))
			window := terminal(t, 1+s.r.IntN(24), 1+s.r.IntN(10))
			var shown *Frame
			for step := range 40 {
				what := s.change()
				whole := s.composer.Compose(s.program.Snapshot(), s.model.Snapshot())
				cols, rows := window.Size()
				f := whole.Fit(cols, rows)
				bytes := changes(nil, shown, f)
				write(window, bytes)
				if d := differ(f, onScreen(window)); d != "" {
					t.Fatalf("step %d, %s: after %q: %s", step, what, bytes, d)
				}
				for y := range min(rows, whole.Rows-f.CutTop) {
					want := textOf(t, whole, y+f.CutTop, f.CutLeft, cols)
					if got := textOf(t, f, y, 0, cols); got != want {
						t.Fatalf("step %d, %s: row %d is %q, want %q", step, what, y, got, want)
					}
				}
				shown = f
			}
		})
	}
}

// textOf returns the text of some columns of a row, with a blank for half a character and without
// trailing blanks.
func textOf(t *testing.T, f *Frame, y, from, cols int) string {
	t.Helper()
	out := make([]string, cols)
	for i := range out {
		out[i] = " "
	}
	for w := f.Lines[y].Walk(); w.Next(); {
		at := w.Col - from
		if at < 0 || at+w.Width > cols {
			continue
		}
		out[at] = w.Text
		if w.Width == 2 {
			out[at+1] = ""
		}
	}
	return strings.TrimRight(strings.Join(out, ""), " ")
}

// The person's terminal is asked for one form of mouse reports, whichever the program asks for.
func TestOneFormOfMouseReports(t *testing.T) {
	for output, want := range map[string]vt.Modes{
		"":                       0,
		"\x1b[?1006h":            0, // a form, but no reports
		"\x1b[?1000h":            1<<vt.ModeMouseNormal | 1<<vt.ModeMouseSGR,
		"\x1b[?1002;1015h":       1<<vt.ModeMouseButton | 1<<vt.ModeMouseSGR,
		"\x1b[?1003;1006h":       1<<vt.ModeMouseAny | 1<<vt.ModeMouseSGR,
		"\x1b[?9;1016h":          1<<vt.ModeMouseX10 | 1<<vt.ModeMouseSGR,
		"\x1b[?1003h\x1b[?1003l": 0,
	} {
		term := terminal(t, 6, 3)
		write(term, []byte(output))
		if got := inputOf(term.Snapshot()).Modes; got != want {
			t.Errorf("after %q: modes %b, want %b", output, got, want)
		}
	}
}

// What is outside of a smaller session is marked, but not where it would become part of the
// terminal's scrollback.
func TestOutside(t *testing.T) {
	for _, c := range []struct {
		name       string
		mode       overlay.ScreenMode
		cols, rows int
		want       string // rows, with | between them
	}{
		{"the same size", overlay.Primary, 4, 2, "ab|"},
		{"smaller", overlay.Primary, 1, 1, "a"},
		{"higher", overlay.Primary, 4, 4, "ab||────|····"},
		{"higher and narrower", overlay.Primary, 3, 3, "ab||───"},
		{"larger", overlay.Primary, 6, 4, "ab||────┘·|······"},
		{"wider", overlay.Primary, 6, 2, "ab|"},
		{"wider, on the alternate screen", overlay.Alternate, 6, 2, "ab  │·|    │·"},
		{"larger, on the alternate screen", overlay.Alternate, 6, 4, "ab  │·|    │·|────┘·|······"},
		{"by one", overlay.Alternate, 5, 3, "ab  │|    │|────┘"},
	} {
		term := terminal(t, 4, 2)
		write(term, []byte("ab\x1b[H"))
		f := OfScreen(term.Snapshot())
		f.Mode = c.mode
		got := f.Fit(c.cols, c.rows).Outside(f)
		var rows []string
		for _, row := range got.Lines {
			rows = append(rows, strings.TrimRight(row.Plain(), " "))
			if row.Columns() > c.cols {
				t.Errorf("%s: a row has %d columns", c.name, row.Columns())
			}
		}
		if text := strings.Join(rows, "|"); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}
