package vt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/sgr"
)

var update = flag.Bool("update", false, "write pictures of terminals as they are to testdata")

// A scene is program output to a small terminal.
type scene struct {
	name  string
	size  string   // COLSxROWS, 10x4 if empty
	input []string // consecutive writes; "resize COLSxROWS" resizes
}

// TestScenes compares the result of each scene with testdata/FAMILY.golden.
func TestScenes(t *testing.T) {
	for family, scenes := range families {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for _, s := range scenes {
				s.play(t, &b)
			}
			path := filepath.Join("testdata", family+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.SplitAfter(string(golden), "\n\n")
			got := strings.SplitAfter(b.String(), "\n\n")
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("pictures differ (-want +got; -update accepts them):\n%s", d)
			}
		})
	}
}

// TestScenesSplit writes each scene byte by byte, with the same results.
func TestScenesSplit(t *testing.T) {
	for family, scenes := range families {
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			for _, s := range scenes {
				whole, _ := s.run(t, func(vt *Terminal, p []byte) { write(vt, p) })
				split, _ := s.run(t, func(vt *Terminal, p []byte) {
					for i := range p {
						write(vt, p[i:i+1])
					}
				})
				if d := cmp.Diff(describe(whole), describe(split)); d != "" {
					t.Errorf("%s: (-whole +byte by byte)\n%s", s.name, d)
				}
			}
		})
	}
}

func write(vt *Terminal, p []byte) {
	if n, err := vt.Write(p); n != len(p) || err != nil {
		panic(fmt.Sprintf("Write = %d, %v; it takes everything", n, err))
	}
}

func (s scene) run(t *testing.T, put func(*Terminal, []byte)) (*Terminal, []Effect) {
	t.Helper()
	cols, rows := 10, 4
	if s.size != "" {
		parseSize(t, s.size, &cols, &rows)
	}
	var effects []Effect
	vt, err := New(Options{Cols: cols, Rows: rows, Scrollback: 20, Name: "test(1)", Effect: func(e Effect) { effects = append(effects, e) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range s.input {
		if size, ok := strings.CutPrefix(in, "resize "); ok {
			parseSize(t, size, &cols, &rows)
			if err := vt.Resize(cols, rows); err != nil {
				t.Fatal(err)
			}
			continue
		}
		put(vt, []byte(in))
	}
	checkState(t, vt)
	return vt, effects
}

func parseSize(t *testing.T, s string, cols, rows *int) {
	t.Helper()
	if _, err := fmt.Sscanf(s, "%dx%d", cols, rows); err != nil {
		t.Fatalf("size %q: %v", s, err)
	}
}

func (s scene) play(t *testing.T, b *strings.Builder) {
	t.Helper()
	vt, effects := s.run(t, func(vt *Terminal, p []byte) { write(vt, p) })
	fmt.Fprintf(b, "# %s\n", s.name)
	for _, in := range s.input {
		fmt.Fprintf(b, "> %q\n", in)
	}
	b.WriteString(describe(vt))
	for _, e := range effects {
		fmt.Fprintf(b, "%s\n", showEffect(e))
	}
	b.WriteString("\n")
}

func showEffect(e Effect) string {
	switch e := e.(type) {
	case Reply:
		return fmt.Sprintf("reply %q", e.Data)
	case Clipboard:
		return fmt.Sprintf("clipboard %s %q query=%t", e.Selection, e.Data, e.Query)
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T%+v", e, e), "vt.")
	}
}

// describe draws the history, the screen and the state that differs from the initial state.
func describe(vt *Terminal) string {
	var b strings.Builder
	s := vt.Snapshot()
	first, screen, _ := vt.Extent()
	_, lines := vt.Lines(first, int(screen-first))
	for _, l := range lines {
		b.WriteString("  :" + showLine(l) + "\n")
	}
	for _, l := range s.Lines {
		b.WriteString("  |" + showLine(l) + "\n")
	}
	fmt.Fprintf(&b, "cursor %d,%d", s.Cursor.Row, s.Cursor.Col)
	if s.Cursor.PendingWrap {
		b.WriteString(" pending")
	}
	if !s.Cursor.Visible {
		b.WriteString(" hidden")
	}
	if s.Cursor.Shape != CursorBlock || !s.Cursor.Blinks {
		fmt.Fprintf(&b, " %s blinks=%t", s.Cursor.Shape, s.Cursor.Blinks)
	}
	b.WriteString("\n")
	if diff := s.Modes ^ initialModes; diff != 0 {
		fmt.Fprintf(&b, "modes")
		for m := range numModes {
			if diff.Has(m) {
				fmt.Fprintf(&b, " %d=%t", m, s.Modes.Has(m))
			}
		}
		b.WriteString("\n")
	}
	if s.Keys != 0 || s.ModifyOtherKeys != 0 {
		fmt.Fprintf(&b, "keys %05b modify %d\n", s.Keys, s.ModifyOtherKeys)
	}
	if s.Title != "" {
		fmt.Fprintf(&b, "title %q\n", s.Title)
	}
	if s.WorkingDirectory != (Directory{}) {
		fmt.Fprintf(&b, "directory %+v\n", s.WorkingDirectory)
	}
	return b.String()
}

// showLine draws the text of a line, its styles, and whether it wraps.
func showLine(l Line) string {
	s := l.Text
	for _, span := range l.Spans {
		if span.Style == (sgr.Style{}) && span.Link == "" {
			continue
		}
		s += fmt.Sprintf(" [%d:%d %s", span.Start, span.End, strings.TrimPrefix(string(span.Style.AppendSGR(nil)), "0;"))
		if span.Link != "" {
			s += " " + span.Link
		}
		s += "]"
	}
	if l.Wraps {
		s += "↩"
	}
	if l.Size != SingleSize {
		s += fmt.Sprintf(" (size %d)", l.Size)
	}
	if n := l.Columns(); n != len(l.Text) {
		s += fmt.Sprintf(" (%d columns)", n)
	}
	return s
}

// checkState fails if the terminal's state is inconsistent.
func checkState(t testing.TB, vt *Terminal) {
	t.Helper()
	if len(vt.scr.rows) != vt.rows || vt.cur.x < 0 || vt.cur.x >= vt.cols || vt.cur.y < 0 || vt.cur.y >= vt.rows {
		t.Fatalf("%d rows of %d, cursor %d,%d of %dx%d", len(vt.scr.rows), vt.rows, vt.cur.y, vt.cur.x, vt.cols, vt.rows)
	}
	if vt.top < 0 || vt.top > vt.bottom || vt.bottom >= vt.rows || vt.left < 0 || vt.left > vt.right || vt.right >= vt.cols {
		t.Fatalf("margins %d-%d, %d-%d", vt.top, vt.bottom, vt.left, vt.right)
	}
	seen := map[*row]bool{}
	for y, r := range vt.scr.rows {
		if seen[r] {
			t.Fatalf("row %d occurs twice", y)
		}
		seen[r] = true
		if len(r.cells) != vt.cols || r.used > vt.cols {
			t.Fatalf("row %d has %d cells, %d used", y, len(r.cells), r.used)
		}
		for x, c := range r.cells[:r.used] {
			next := cell(0)
			if x+1 < r.used {
				next = r.cells[x+1]
			}
			if (c&widthMask == wide) != (next&widthMask == tail) {
				t.Fatalf("row %d, column %d: half of a wide character: %x before %x", y, x, c, next)
			}
			if x == 0 && c&widthMask == tail {
				t.Fatalf("row %d starts with half a character", y)
			}
			if c&widthMask == wide && !r.mixed || (c.pen() != 0 || c&contentMask >= 0x80) && !r.rich {
				t.Fatalf("row %d, column %d: %x in a row that is mixed=%t rich=%t", y, x, c, r.mixed, r.rich)
			}
			if int(c.pen()) >= len(vt.pens.pens) || c&clusterFlag != 0 && int(uint32(c)) >= len(vt.clusters.texts) {
				t.Fatalf("row %d, column %d: %x refers to a missing table entry", y, x, c)
			}
		}
		l := vt.rowLine(r)
		if n := l.Columns(); n > vt.cols {
			t.Fatalf("row %d has %d columns of %d", y, n, vt.cols)
		}
		if fresh := vt.unpackLine(vt.pack(r)); !slices.Equal(fresh.Spans, l.Spans) || fresh.Text != l.Text {
			t.Fatalf("row %d is cached as %q, but is %q: it was changed without a mark", y, l.Text, fresh.Text)
		}
	}
	if n := vt.history.Len(); n > vt.history.Limit {
		t.Fatalf("history of %d lines, limit %d", n, vt.history.Limit)
	}
}
