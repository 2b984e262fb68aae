package vt

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/sgr"
)

func newTerminal(t *testing.T, cols, rows, scrollback int) *Terminal {
	t.Helper()
	vt, err := New(Options{Cols: cols, Rows: rows, Scrollback: scrollback})
	if err != nil {
		t.Fatal(err)
	}
	return vt
}

func TestSizes(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Cols: 0, Rows: 1}, {Cols: 1, Rows: 0}, {Cols: -1, Rows: 5}, {Cols: MaxSize + 1, Rows: 5}, {Cols: 5, Rows: MaxSize + 1},
		{Cols: 5, Rows: 5, Scrollback: -1}, {Cols: 5, Rows: 5, Scrollback: MaxScrollback + 1},
	} {
		if _, err := New(o); fault.KindOf(err) != fault.Invalid || err == nil {
			t.Errorf("New(%+v): %v, want an invalid request", o, err)
		}
	}
	vt := newTerminal(t, MaxSize, MaxSize, MaxScrollback)
	if err := vt.Resize(0, 5); fault.KindOf(err) != fault.Invalid || err == nil {
		t.Errorf("Resize(0, 5) = %v, want an invalid request", err)
	}
	if cols, rows := vt.Size(); cols != MaxSize || rows != MaxSize {
		t.Errorf("a refused resize left %dx%d", cols, rows)
	}
}

// texts returns the plain text of each line.
func texts(lines []Line) []string {
	var s []string
	for _, l := range lines {
		s = append(s, l.Plain())
	}
	return s
}

func TestPagingDuringOutput(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 20, 3, 50)
	line := 0
	output := func(n int) {
		for range n {
			write(vt, fmt.Appendf(nil, "line %d\r\n", line))
			line++
		}
	}
	output(40)
	var got []string
	for next := uint64(0); len(got) < 60; {
		first, lines := vt.Lines(next, 7)
		if first != next {
			t.Fatalf("reading from %d gave lines from %d", next, first)
		}
		got = append(got, texts(lines)...)
		next = first + uint64(len(lines))
		output(3) // between two pages
	}
	for i, s := range got {
		if want := fmt.Sprintf("line %d", i); s != want {
			t.Fatalf("line %d of the pages is %q", i, s)
		}
	}
}

func TestLinesThatAreGone(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 20, 2, 3)
	for i := range 10 {
		write(vt, fmt.Appendf(nil, "%d\r\n", i))
	}
	first, lines := vt.Lines(0, 100)
	if want := []string{"6", "7", "8", "9", ""}; first != 6 || !cmp.Equal(texts(lines), want) {
		t.Errorf("lines from %d: %q, want from 6: %q", first, texts(lines), want)
	}
	if first, lines := vt.Lines(99, 5); first != 99 || lines != nil {
		t.Errorf("lines from 99: from %d %q, want none", first, texts(lines))
	}
	write(vt, []byte("\x1b[3J"))
	if first, lines = vt.Lines(0, 100); first != 9 || !cmp.Equal(texts(lines), []string{"9", ""}) {
		t.Errorf("after ED 3: lines from %d: %q", first, texts(lines))
	}
}

func TestHistoryBehindTheAlternateScreen(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 20, 2, 10)
	write(vt, []byte("1\r\n2\r\n3\r\n4\x1b[?1049hvi\r\n\n\n\n\n"))
	s := vt.Snapshot()
	if !s.AltScreen() || s.FirstLine != 2 || s.OldestLine != 0 {
		t.Errorf("alternate=%t, first line %d, oldest %d", s.AltScreen(), s.FirstLine, s.OldestLine)
	}
	if _, lines := vt.Lines(0, 10); !cmp.Equal(texts(lines), []string{"1", "2", "3", "4"}) {
		t.Errorf("lines %q", texts(lines))
	}
}

// Blanks that an excerpt does not have do not count, so they do not make it leave lines out.
func TestTextAfterBlanks(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 20, 3, 100)
	write(vt, []byte("first        \x1b[41m"+strings.Repeat("\r\n\x1b[K", 20)+"\x1b[m\r\nlast"))
	all := "first" + strings.Repeat("\n", 21) + "last"
	end := Position{Line: 21, Col: 4}
	if e := vt.Excerpt(Position{}, end, 10, len(all)); e != (Excerpt{Text: all}) {
		t.Errorf("excerpt %+v", e)
	}
	want := Excerpt{Text: all[:10] + all[11:], At: 10, From: 5, Before: 6}
	if e := vt.Excerpt(Position{}, end, 10, len(all)-1); e != want {
		t.Errorf("excerpt %+v, not %+v", e, want)
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 3, 100)
	write(vt, []byte("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\nlong line that wraps\r\n"))
	end := Position{Line: 8}
	for _, tt := range []struct {
		from, to    Position
		head, limit int
		want        Excerpt
	}{
		{Position{}, end, 4, 100, Excerpt{Text: "1\n2\n3\n4\n5\n6\nlong line that wraps\n"}},
		{Position{}, Position{Line: 6}, 4, 8, Excerpt{Text: "1\n2\n5\n6\n", At: 4, From: 2, Before: 4}},
		{Position{}, Position{Line: 6}, 5, 10, Excerpt{Text: "1\n2\n5\n6\n", At: 4, From: 2, Before: 4}},
		{Position{}, Position{Line: 6}, 0, 5, Excerpt{Text: "5\n6\n", From: 0, Before: 4}},
		{Position{Line: 1}, Position{Line: 6}, 4, 4, Excerpt{Text: "2\n3\n", At: 4, From: 3, Before: 6}},
		{Position{Line: 6}, end, 5, 10, Excerpt{Text: "long raps\n", At: 5, From: 6, Before: 8}},
		{Position{Line: 6, Col: 5}, end, 5, 16, Excerpt{Text: "line that wraps\n"}},
	} {
		got := vt.Excerpt(tt.from, tt.to, tt.head, tt.limit)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%v to %v, %d of %d bytes: -want +got:\n%s", tt.from, tt.to, tt.head, tt.limit, diff)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 3, 100)
	var marks []Mark
	vt.emit = func(e Effect) {
		if p, ok := e.(Prompt); ok {
			marks = append(marks, p.Mark)
		}
	}
	write(vt, []byte("$ ls   \r\n\x1b]133;C\x07日本 and a long line\r\nx  \r\n\r\nend\x1b]133;D;0\x07\r\n$ "))
	between := func() string {
		t.Helper()
		from, ok1 := vt.Mark(marks[0].ID)
		to, ok2 := vt.Mark(marks[1].ID)
		if !ok1 || !ok2 {
			t.Fatal("marks are gone")
		}
		e := vt.Excerpt(from.At, to.At, 0, 1000)
		if e.Before != 0 {
			t.Errorf("%+v is reported as incomplete", e)
		}
		return e.Text
	}
	const want = "日本 and a long line\nx\n\nend"
	if got := between(); got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	for _, cols := range []int{4, 33, 7, 10} {
		if err := vt.Resize(cols, 3); err != nil {
			t.Fatal(err)
		}
		if got := between(); got != want {
			t.Errorf("text after a resize to %d columns: %q, want %q", cols, got, want)
		}
	}
	from, _ := vt.Mark(marks[0].ID)
	to, _ := vt.Mark(marks[1].ID)
	if e := vt.Excerpt(from.At, to.At, 0, 5); e.Before == 0 || e.Text != "\nend" {
		t.Errorf("limited text %+v", e)
	}
	write(vt, []byte(strings.Repeat("\r\n", 101)))
	if _, ok := vt.Mark(marks[0].ID); ok {
		t.Error("the mark of a dropped line is still there")
	}
	if e := vt.Excerpt(from.At, Position{Line: 1 << 40}, 0, 1000); e.Before != 0 || strings.Contains(e.Text, "日本") {
		t.Errorf("after its start was dropped, the text is %+v", e)
	}
	if _, ok := vt.Mark(99); ok {
		t.Error("there is a mark 99")
	}
}

func TestEpoch(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 3, 5)
	for _, c := range []struct {
		input   string
		changes bool
	}{
		{"", false},
		{"a", true},
		{"\x1b", false},
		{"[", false},
		{"1m", false},
		{"\x1b[6n", false},
		{"\x1b[H", true},
		{"\x1b[H", false},
		{"\x1b[?2004h", true},
		{"\x1b[?2004h", false},
		{"\x1b]2;t\x07", true},
		{"\x1b]2;t\x07", false},
		{"\x1b]4;1;#123456\x07", true},
		{"\x1b[3J", false},
		{"\r\n\n\n", true},
		{"\x1b[3J", true},
		{"\x1b[5 q", true},
		{"\x1b[>1u", true},
		{"\a", false},
	} {
		before, pic := vt.Epoch(), vt.Snapshot()
		write(vt, []byte(c.input))
		if changed := vt.Epoch() != before; changed != c.changes {
			t.Errorf("%q: epoch %d after %d", c.input, vt.Epoch(), before)
		}
		if same := vt.Snapshot() == pic; same == c.changes {
			t.Errorf("%q: same snapshot: %t", c.input, same)
		}
	}
}

func TestSnapshotNeverChanges(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 3, 5)
	write(vt, []byte("\x1b[31mone\r\n\x1b[mtwo 日本\x1b]11;#ffffff\x07"))
	s := vt.Snapshot()
	draw := func() string { return fmt.Sprintf("%+v", *s) }
	before := draw()
	r := rand.New(rand.NewPCG(1, 1))
	write(vt, randomOutput(r, 500, sequences, wilder))
	if err := vt.Resize(5, 5); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, draw()); d != "" {
		t.Errorf("a snapshot changed:\n%s", d)
	}
}

func TestPalette(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 3, 5)
	write(vt, []byte("\x1b]4;7;#010203\x07\x1b]11;#fff\x07"))
	s := vt.Snapshot()
	write(vt, []byte("\x1b]104\x07\x1b]111\x07"))
	if c := s.Colors.At(7); c != sgr.RGB(1, 2, 3) {
		t.Errorf("colour 7 is %v", c)
	}
	text, background, cursor := s.Colors.At(PaletteForeground), s.Colors.At(PaletteBackground), s.Colors.At(PaletteCursor)
	if text != 0 || cursor != 0 || background != sgr.RGB(0xf0, 0xf0, 0xf0) {
		t.Errorf("dynamic colours %v, %v, %v", text, background, cursor)
	}
	if vt.Snapshot().Colors.At(7) != 0 {
		t.Error("colour 7 is still set after a reset")
	}
}

func TestSynchronizedUpdate(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 10, 2, 5)
	write(vt, []byte("old\x1b[?2026h\x1b[2J\x1b[Hnew"))
	if got := texts(vt.Snapshot().Lines); got[0] != "old" {
		t.Errorf("during the update: %q", got)
	}
	vt.EndSynchronized()
	s := vt.Snapshot()
	if got := texts(s.Lines); got[0] != "new" || s.Modes.Has(ModeSynchronized) {
		t.Errorf("after it: %q, mode %t", got, s.Modes.Has(ModeSynchronized))
	}
	write(vt, []byte("\x1b[?2026hx\x1b[?2026h"))
	if err := vt.Resize(12, 2); err != nil {
		t.Fatal(err)
	}
	if s := vt.Snapshot(); s.Cols != 12 || s.Lines[0].Text != "newx" {
		t.Errorf("after a resize: %d columns, %q", s.Cols, s.Lines[0].Text)
	}
}

func TestLineCells(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 20, 1, 0)
	write(vt, []byte("a\x1b[1m日e\u0301\x1b]8;;http://x/\x07b"))
	bold := sgr.Style{Attr: sgr.Bold}
	want := []Cell{
		{Col: 0, Width: 1, Text: "a"},
		{Col: 1, Width: 2, Text: "日", Style: bold},
		{Col: 3, Width: 1, Text: "e\u0301", Style: bold},
		{Col: 4, Width: 1, Text: "b", Style: bold, Link: "http://x/"},
	}
	var got []Cell
	for c := range vt.Snapshot().Lines[0].Cells() {
		got = append(got, c)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("cells (-want +got)\n%s", d)
	}
	for c := range vt.Snapshot().Lines[0].Cells() {
		if c.Col > 0 {
			t.Error("the loop went on after break")
		}
		break
	}
}

// TestTables fills the tables of pens, clusters and links repeatedly, and checks their limits.
func TestTables(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 40, 10, 20)
	var b []byte
	for i := range 40_000 {
		b = fmt.Appendf(b[:0], "\x1b[38;2;%d;%d;%dm\x1b]8;;http://h/%d\x07%c%c", i>>16, i>>8&255, i&255, i, 'a'+i%26, 0x300+i%100)
		b = append(b, string(rune(0x1100+i/100))...)
		b = append(b, string(rune(0x300+i%100))...)
		write(vt, b)
	}
	checkState(t, vt)
	if n := len(vt.pens.pens); n > 2*firstSweep {
		t.Errorf("%d pens", n)
	}
	if n := len(vt.clusters.texts); n > 2*firstSweep {
		t.Errorf("%d clusters", n)
	}
	if n := len(vt.links.links); n > maxLinks {
		t.Errorf("%d links", n)
	}
	if n := len(vt.links.ids); n > maxLinks {
		t.Errorf("%d numbers of links", n)
	}
	// The remaining text has the style and link it was printed with.
	first, lines := vt.Lines(0, 100)
	for i, l := range lines {
		for c := range l.Cells() {
			r, g, b, _ := c.Style.FG.RGB()
			n := int(r)<<16 | int(g)<<8 | int(b)
			if want := fmt.Sprintf("http://h/%d", n); c.Link != want {
				t.Fatalf("line %d: cell %+v, want link %s", first+uint64(i), c, want)
			}
		}
	}
}

// TestFullLinkTable checks that the newest links are kept when there are too many, that the text of
// the others becomes plain, and that a link which is used again counts as new.
func TestFullLinkTable(t *testing.T) {
	t.Parallel()
	const lines = 3 * maxLinks
	vt := newTerminal(t, 1, 2, lines)
	for i := range lines {
		uri := i
		if i%(maxLinks/4) == 0 {
			uri = 0
		}
		write(vt, fmt.Appendf(nil, "\x1b]8;;http://h/%d\x07x\r\n", uri))
	}
	_, list := vt.Lines(0, lines)
	for i, l := range list {
		got := ""
		for c := range l.Cells() {
			got = c.Link
		}
		switch repeated := i%(maxLinks/4) == 0; {
		case repeated && i >= lines-maxLinks/2 && got != "http://h/0":
			t.Fatalf("line %d has link %q, which line %d has, too", i, got, i-maxLinks/4)
		case repeated: // may be linked or not
		case i >= lines-maxLinks && got != fmt.Sprintf("http://h/%d", i):
			t.Fatalf("line %d of %d has link %q", i, lines, got)
		case i < lines-maxLinks-maxLinks/4 && got != "":
			t.Fatalf("line %d of %d still has link %q", i, lines, got)
		}
	}
}

// TestLinkSchemes checks that only links that are safe to follow are links.
func TestLinkSchemes(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]bool{
		"http://h/": true, "HTTPS://h/": true, "mailto:a@b": true, "file://h/a%20b": true, "http://h/100%": true,
		"javascript:alert(1)": false, "data:text/html,x": false, "vscode://file/x": false, "ssh://h": false, "h/x": false, "x": false, "://x": false,
	} {
		vt := newTerminal(t, 10, 1, 0)
		write(vt, []byte("\x1b]8;;"+uri+"\x07x"))
		for c := range vt.Snapshot().Lines[0].Cells() {
			if c.Text != "x" || (c.Link == uri) != want || !want && c.Link != "" {
				t.Errorf("%q is the link %q", uri, c.Link)
			}
		}
	}
}

// TestHistoryBytes checks the limit of a history's bytes with long lines.
func TestHistoryBytes(t *testing.T) {
	t.Parallel()
	vt := newTerminal(t, 1000, 2, 100)
	heavy := "a" + strings.Repeat("\u0301", maxCluster/2)
	line := []byte(strings.Repeat(heavy, 1000) + "\r\n")
	for range 60 {
		write(vt, line)
	}
	sum := 0
	for _, c := range vt.history.Chunks {
		sum += cap(c)
	}
	if sum > vt.history.MaxBytes || sum != vt.history.Bytes {
		t.Errorf("%d bytes, counted as %d, limit %d", sum, vt.history.Bytes, vt.history.MaxBytes)
	}
	if n := vt.history.Len(); n < 20 || n > 50 {
		t.Errorf("%d lines are kept, want as many as fit", n)
	}
}

// TestReflowKeepsText checks that random changes of size keep the text.
func TestReflowKeepsText(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 4))
		vt := newTerminal(t, 20, 5, 10_000)
		write(vt, randomOutput(r, 200, []string{"word ", "some more words", "\r\n", "日本", "e\u0301", "👩‍💻", "\x1b[1m", "\x1b[m", "\x1b[4#m", "     "}))
		all := func() string {
			e := vt.Excerpt(Position{}, Position{Line: 1 << 40}, 0, 1<<20)
			if e.Before != 0 {
				t.Fatal("text was lost")
			}
			return strings.TrimRight(e.Text, "\n ")
		}
		want := all()
		for range 8 {
			cols, rows := 2+r.IntN(40), 1+r.IntN(10)
			if err := vt.Resize(cols, rows); err != nil {
				t.Fatal(err)
			}
			checkState(t, vt)
			if d := cmp.Diff(want, all()); d != "" {
				t.Fatalf("seed %d, resized to %dx%d:\n%s", seed, cols, rows, d)
			}
		}
	}
}
