package cells

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// line returns the single row of a terminal with output.
func line(t testing.TB, text string) vt.Line {
	t.Helper()
	term, err := vt.New(vt.Options{Cols: 200, Rows: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return term.Snapshot().Lines[0]
}

// show draws the columns of a row: the text of narrow cells, < and > for the halves of wide ones,
// and then the styles.
func show(r Row) string {
	var b, styles strings.Builder
	for w := r.Walk(); w.Next(); {
		if w.Width == 2 {
			b.WriteString("<>")
		} else {
			b.WriteString(w.Text)
		}
	}
	for _, s := range r.Spans {
		fmt.Fprintf(&styles, " %d-%d:%s%s", s.Start, s.End, strings.TrimPrefix(string(s.Style.AppendSGR(nil)), "0"), s.Link)
	}
	return b.String() + "|" + styles.String()
}

func TestFromLine(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"ASCII shares its text", "hello", "hello|"},
		{"styles", "a\x1b[1mb\x1b[m c", "a" + "b c| 0-1: 1-2:;1 2-4:"},
		{"wide", "a日b", "a<>b|"},
		{"combining", "e\u0301x", "e\u0301x|"},
		{"half a flag, by code points", "\x1b[?2027l🇩🇪x", "DEx|"},
		{"a narrow emoji with a selector for the wide form", "\x1b[?2027l☂\ufe0fx", "☂x|"},
		{"the same in a wide cell", "☂\ufe0fx", "<>x|"},
		{"a joined emoji without room", "\x1b[?7l\x1b[200G☂🏽", strings.Repeat(" ", 199) + "☂|"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := line(t, c.output)
			r := FromLine(l)
			if got := show(r); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if r.Columns() != l.Columns() {
				t.Errorf("%d columns, want %d", r.Columns(), l.Columns())
			}
		})
	}
}

func TestShape(t *testing.T) {
	bold, red := sgr.Style{Attr: sgr.Bold}, sgr.Style{FG: sgr.Indexed(1)}
	for _, c := range []struct {
		name       string
		pieces     []Piece
		cols, rows int
		want       []string
	}{
		{"nothing", nil, 5, 5, nil},
		{"an empty text", []Piece{{Text: ""}}, 5, 5, nil},
		{"one row", []Piece{{Text: "abc"}}, 5, 5, []string{"abc|"}},
		{"cut at the right", []Piece{{Text: "abcdefgh"}}, 5, 5, []string{"abcde|"}},
		{"rows are not wrapped", []Piece{{Text: "abcdefgh\nij"}}, 5, 5, []string{"abcde|", "ij|"}},
		{"cut at the bottom", []Piece{{Text: "a\nb\nc"}}, 5, 2, []string{"a|", "b|"}},
		{"rows without text", []Piece{{Text: "\n\na"}}, 5, 5, []string{"|", "|", "a|"}},
		{"a last line feed", []Piece{{Text: "a\n"}}, 5, 5, []string{"a|", "|"}},
		{"CR LF", []Piece{{Text: "a\r\nb"}}, 5, 5, []string{"a|", "b|"}},
		{"blanks are kept", []Piece{{Text: " a  \n  "}}, 5, 5, []string{" a  |", "  |"}},
		{"pieces flow", []Piece{{"ab", bold}, {"c\nd", red}, {"e", sgr.Style{}}}, 5, 5, []string{"abc| 0-2:;1 2-3:;31", "de| 0-1:;31 1-2:"}},
		{"a wide character that does not fit", []Piece{{Text: "ab日c"}}, 3, 1, []string{"ab|"}},
		{"a wide character that fits", []Piece{{Text: "a日c"}}, 3, 1, []string{"a<>|"}},
		{"wide characters in one column", []Piece{{Text: "日本\nx"}}, 1, 3, []string{"|", "x|"}},
		{"joined across pieces", []Piece{{"e", bold}, {"\u0301", red}}, 5, 1, []string{"e\u0301| 0-3:;1"}},
		{"tabs", []Piece{{Text: "a\tb\t\tc"}}, 30, 1, []string{"a       b               c|"}},
		{"control characters show nothing", []Piece{{Text: "a\x1b[31mb\x07\u009b1mc\x7f"}}, 20, 1, []string{"a[31mb1mc|"}},
		{"no room", []Piece{{Text: "a"}}, 0, 1, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range Shape(c.pieces, c.cols, c.rows) {
				got = append(got, show(r))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func TestMeasure(t *testing.T) {
	for text, want := range map[string][2]int{
		"": {0, 0}, "abc": {3, 1}, "a\n日本\n": {4, 3}, strings.Repeat("x", 5000): {vt.MaxSize, 1}, strings.Repeat("\n", 5000): {0, vt.MaxSize},
	} {
		if cols, rows := Measure([]Piece{{Text: text}}); cols != want[0] || rows != want[1] {
			t.Errorf("%.20q measures %d, %d, want %v", text, cols, rows, want)
		}
	}
}

func TestPainter(t *testing.T) {
	wide := FromLine(line(t, "\x1b[31m日本語"))
	ascii := FromLine(line(t, "abcdef"))
	blue := sgr.Style{BG: sgr.Indexed(4)}
	for _, c := range []struct {
		name  string
		cols  int
		paint func(p *Painter)
		want  string
	}{
		{"blank", 6, func(p *Painter) {}, "|"},
		{"text", 6, func(p *Painter) { p.Paint(ascii, 0, 0, 6, 0) }, "abcdef|"},
		{"cut at both sides", 6, func(p *Painter) { p.Paint(ascii, -2, 1, 3, 0) }, " de|"},
		{"from the right", 6, func(p *Painter) { p.Paint(ascii, 4, 0, 6, 0) }, "    ab|"},
		{"beyond the right", 6, func(p *Painter) { p.Paint(ascii, 9, 0, 20, 0); p.Fill(6, 9, blue) }, "|"},
		{"fill beyond both sides", 3, func(p *Painter) { p.Fill(-5, 20, blue) }, "   | 0-3:;44"},
		{"half at the left of the window", 6, func(p *Painter) { p.Paint(wide, 0, 1, 6, 0) }, "  <><>| 0-1: 1-8:;31"},
		{"half at its right", 6, func(p *Painter) { p.Paint(wide, 0, 0, 3, 0) }, "<> | 0-4:;31"},
		{"a window of the second half", 6, func(p *Painter) { p.Paint(wide, 0, 1, 2, 0) }, "  | 0-1: 1-2:;31"},
		{"a window of one column between", 6, func(p *Painter) { p.Paint(wide, 0, 2, 3, 0) }, "   | 0-2: 2-3:;31"},
		{"a window of nothing in a wide character", 6, func(p *Painter) { p.Paint(wide, 0, 1, 1, 0); p.Paint(wide, 5, 8, 6, 0) }, "|"},
		{"half of a wide character over another", 4, func(p *Painter) { p.Paint(wide, 0, 0, 4, 0); p.Paint(wide, 1, 1, 3, 0) }, " <> | 0-5:;31"},
		{"covers both halves of two", 6, func(p *Painter) { p.Paint(wide, 0, 0, 6, 0); p.Paint(ascii, 1, 1, 5, 0) }, " abcd | 0-1:;31 1-5: 5-6:;31"},
		{"background for text without", 4, func(p *Painter) { p.Fill(0, 4, blue); p.Paint(ascii, 1, 0, 3, sgr.Indexed(4)) }, " ab | 0-4:;44"},
		{"what is covered twice", 6, func(p *Painter) { p.Paint(ascii, 0, 0, 6, 0); p.Fill(1, 5, blue); p.Fill(2, 4, sgr.Style{}) }, "a    f| 0-1: 1-2:;44 2-4: 4-5:;44 5-6:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var p Painter
			p.Reset(3) // must not leave anything behind
			p.Paint(wide, 0, 0, 3, 0)
			p.Reset(c.cols)
			c.paint(&p)
			if got := show(p.Row()); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestEqual(t *testing.T) {
	on := FromLine(line(t, "☂\ufe0f☂"))
	for _, c := range []struct {
		a, b string
		want bool
	}{{"abc", "abc", true}, {"abc", "abd", false}, {"a\x1b[1mb", "ab", false}, {"日本", "日本", true}, {"", "", true}} {
		if got := FromLine(line(t, c.a)).Equal(FromLine(line(t, c.b))); got != c.want {
			t.Errorf("%q equal to %q: %t", c.a, c.b, got)
		}
	}
	if off := (Row{vt.Line{Text: on.Text, Sizes: []byte{6, 3}}}); on.Equal(off) {
		t.Error("rows of the same text in different widths are equal")
	}
}

func TestSizes(t *testing.T) {
	for name, out := range map[string]string{"plain": "\x1b#6ab", "with half a flag": "\x1b[?2027l\x1b#6\U0001F1E6b"} {
		row := FromLine(line(t, out))
		if row.Size != vt.DoubleWidth {
			t.Errorf("%s: the size is %d, want that of the line", name, row.Size)
		}
		if single := FromLine(line(t, strings.Replace(out, "\x1b#6", "", 1))); row.Equal(single) {
			t.Errorf("%s: rows of two sizes are equal", name)
		}
	}
	var p Painter
	p.Reset(10)
	p.Paint(FromLine(line(t, "\x1b#6ab")), 0, 0, 10, 0)
	if got := p.Row().Size; got != vt.SingleSize {
		t.Errorf("the size of a painted row is %d, want single", got)
	}
}
