package lookback_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/lookback"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

// A looker is a person who looks back at a terminal.
type looker struct {
	t    testing.TB
	term *vt.Terminal
	*lookback.Model
	copied string
	left   bool
}

// newLooker returns somebody who looks back at a terminal with some output.
func newLooker(t testing.TB, cols, rows int, output string) *looker {
	t.Helper()
	term, err := vt.New(vt.Options{Cols: cols, Rows: rows, Scrollback: 200_000})
	if err != nil {
		t.Fatal(err)
	}
	l := &looker{t: t, term: term}
	l.write(output)
	l.Model = lookback.New(term, cols, rows)
	t.Cleanup(l.Close)
	return l
}

func (l *looker) write(output string) {
	l.t.Helper()
	if _, err := l.term.Write([]byte(output)); err != nil {
		l.t.Fatal(err)
	}
}

// types presses keys, in the bytes that a terminal sends for them, and lets searches end.
func (l *looker) types(input string) {
	l.t.Helper()
	var s overlay.Splitter
	for b := []byte(input); len(b) > 0; {
		n, key := s.Next(b)
		report, mouse := keys.ParseMouse(b[:n])
		var out lookback.Outcome
		switch {
		case key != nil:
			out = l.Key(*key)
		case mouse:
			out = l.Mouse(report)
		default:
			l.t.Fatalf("%q is no key", b[:n])
		}
		b = b[n:]
		if out.Copy != "" {
			l.copied = out.Copy
		}
		l.left = l.left || out.Leave
		for range 1000 {
			if !l.Searching() {
				break
			}
			l.Step()
		}
	}
}

func (l *looker) frame() *render.Frame { return l.Frame(overlay.Primary) }

// sees checks the text of the picture, rows separated by |, without the status. A * marks the
// cursor's row.
func (l *looker) sees(want string) {
	l.t.Helper()
	f := l.frame()
	rows := f.Plain()
	for i := range rows {
		if i == f.Cursor.Row {
			rows[i] = "*" + rows[i]
		}
	}
	if d := cmp.Diff(want, strings.Join(rows[:len(rows)-1], "|")); d != "" {
		l.t.Errorf("the picture (-want +got):\n%s", d)
	}
}

// status checks that the status has a text.
func (l *looker) status(want string) {
	l.t.Helper()
	rows := l.frame().Plain()
	if got := rows[len(rows)-1]; !strings.Contains(got+" ", want) {
		l.t.Errorf("the status is %q, want %q in it", got, want)
	}
}

// marked returns the marked text of the picture, rows separated by |.
func (l *looker) marked(background uint8) string {
	var b strings.Builder
	rows := l.frame().Lines
	for _, r := range rows[:len(rows)-1] {
		for w := r.Walk(); w.Next(); {
			if w.Style.BG == sgr.Indexed(background) {
				b.WriteString(w.Text)
			}
		}
		b.WriteByte('|')
	}
	return strings.Trim(b.String(), "|")
}

const (
	matchColor, foundColor, selectColor = 220, 208, 117
)

// numbered returns the lines "line A" to "line B".
func numbered(a, b int) string {
	var s strings.Builder
	for i := a; i <= b; i++ {
		fmt.Fprintf(&s, "line %d\r\n", i)
	}
	return s.String()
}

func TestScroll(t *testing.T) {
	for _, tt := range []struct{ name, keys, want string }{
		{"at the end", "", "line 98|line 99|line 100|*"},
		{"a line", "k", "line 97|line 98|line 99|*line 100"},
		{"lines", "3k", "line 95|line 96|line 97|*line 98"},
		{"and back", "3kj", "line 96|line 97|line 98|*line 99"},
		{"half a page", "u", "line 96|line 97|line 98|*line 99"},
		{"a page", "\x1b[5~", "line 95|line 96|line 97|*line 98"},
		{"pages as in less", "bb f", "line 98|line 99|line 100|*"},
		{"to the top", "g", "*line 1|line 2|line 3|line 4"},
		{"beyond the top", "gkku", "*line 1|line 2|line 3|line 4"},
		{"beyond the end", "gG jj", "line 98|line 99|line 100|*"},
		{"to a line", "42g", "line 41|*line 42|line 43|line 44"},
		{"the arrows move the cursor", "\x1b[A\x1b[A", "line 98|*line 99|line 100|"},
		{"and scroll at an edge", "5\x1b[A", "*line 96|line 97|line 98|line 99"},
		{"in the view", "H", "*line 98|line 99|line 100|"},
		{"in the middle", "gM", "line 1|*line 2|line 3|line 4"},
		{"the last one", "gL", "line 1|line 2|line 3|*line 4"},
		{"the wheel", "\x1b[<64;1;1M", "line 95|line 96|line 97|*line 98"},
		{"Home and End", "\x1b[H\x1b[F", "line 98|line 99|line 100|*"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLooker(t, 60, 5, numbered(1, 100))
			l.types(tt.keys)
			l.sees(tt.want)
		})
	}
}

// A screen that is not full stays where it is.
func TestShortScreen(t *testing.T) {
	l := newLooker(t, 40, 6, "one\r\ntwo")
	l.sees("one|*two|||")
	l.types("k")
	l.sees("*one|two|||")
	l.types("G")
	l.sees("one|*two|||")
	l.write("\x1b[H\x1b[2J" + numbered(1, 20) + "\x1b[2J\x1b[Hcleared")
	l.types("G")
	l.sees("*cleared||||")
	l.types("k")
	l.sees("*line 15|cleared|||")
}

func TestLeave(t *testing.T) {
	for keys, want := range map[string]bool{"q": true, "\x1b": true, "\x03": true, "\r": true, "k": false, "v\x1b": false, "v\x1b\x1b": true, "/line\r\x1b": false, "/line\r\x1b\x1b": true, "hq": false, "5\x1b": false} {
		l := newLooker(t, 40, 5, numbered(1, 30))
		l.types(keys)
		if l.left != want {
			t.Errorf("after %q, has left: %t", keys, l.left)
		}
	}
	l := newLooker(t, 40, 5, numbered(1, 30))
	l.LeaveAtEnd()
	l.types("\x1b[5;2~\x1b[6;2~")
	if l.left {
		t.Error("a page up and a page down leave")
	}
	if l.types("\x1b[6;2~"); !l.left {
		t.Error("a page down at the end does not leave")
	}
}

// Output does not change what is looked at, until the person asks for it.
func TestStill(t *testing.T) {
	l := newLooker(t, 60, 5, numbered(1, 10)+"draft")
	l.types("k")
	l.sees("line 7|line 8|line 9|*line 10")
	l.write("\r\x1b[Kfinal\r\n" + numbered(12, 50))
	l.sees("line 7|line 8|line 9|*line 10")
	l.types("j")
	l.sees("line 8|line 9|line 10|*draft")
	l.status("40 new")
	l.types("G")
	l.sees("line 48|line 49|line 50|*")
	l.types("11g")
	l.sees("line 10|*final|line 12|line 13")
}

// Lines that the history drops stay, with their commands, until the person asks for what is new.
func TestTrimmed(t *testing.T) {
	term, err := vt.New(vt.Options{Cols: 20, Rows: 5, Scrollback: 20})
	if err != nil {
		t.Fatal(err)
	}
	l := &looker{t: t, term: term}
	l.write("\x1b]133;A\a$ \x1b]133;B\a\x1b[1;31mseq\x1b[m\r\n\x1b]133;C\a" + numbered(2, 20) + "\x1b]133;D\a")
	l.Model = lookback.New(term, 20, 5)
	t.Cleanup(l.Close)
	l.types("g")
	l.sees("*$ seq|line 2|line 3|line 4")
	look := l.frame().Lines[0].Text
	for range 3 {
		l.write(numbered(21, 1000))
		l.sees("*$ seq|line 2|line 3|line 4")
		l.types("j")
		l.sees("*line 2|line 3|line 4|line 5")
		l.types("10j")
		l.sees("*line 12|line 13|line 14|line 15")
		l.types("?line 3\r")
		l.sees("line 2|*line 3|line 4|line 5")
		l.types("/line 20\r")
		l.sees("line 18|line 19|*line 20|")
		l.types("[")
		l.sees("*$ seq|line 2|line 3|line 4")
		l.types("gV2\x1b[By")
		if want := "$ seq\nline 2\nline 3"; strings.TrimSpace(l.copied) != want {
			t.Errorf("copied %q, want %q", l.copied, want)
		}
		l.types("c")
		if want := strings.ReplaceAll(strings.TrimSpace(numbered(2, 20)), "\r", ""); l.copied != want {
			t.Errorf("copied %q, want %q", l.copied, want)
		}
		l.types("Vg")
		l.write("\x1b[3J")
		if got := l.frame().Lines[0].Text; got != look {
			t.Errorf("the first line became %q, want %q", got, look)
		}
	}
	l.types("G")
	l.sees("line 998|line 999|line 1000|*")
	l.types("g")
	l.sees("*line 997|line 998|line 999|line 1000")
	l.write("\x1bc")
	l.sees("*line 997|line 998|line 999|line 1000")
	l.types("Gq")
}

// A new width takes the text that is there then: the rest of the old one has been dropped.
func TestTrimmedRewrap(t *testing.T) {
	term, err := vt.New(vt.Options{Cols: 20, Rows: 5, Scrollback: 20})
	if err != nil {
		t.Fatal(err)
	}
	l := &looker{t: t, term: term}
	l.write(numbered(1, 20))
	l.Model = lookback.New(term, 20, 5)
	t.Cleanup(l.Close)
	l.types("g")
	l.write(numbered(21, 100))
	l.sees("*line 1|line 2|line 3|line 4")
	if err := term.Resize(6, 5); err != nil {
		t.Fatal(err)
	}
	l.Resize(6, 5)
	l.types("g")
	l.sees("*line 8|9|line 9|0")
	l.types("G")
	l.sees("9|line 1|00|*")
}

// The screen of a full-screen program is a still below the text before it.
func TestAlternateScreen(t *testing.T) {
	l := newLooker(t, 20, 5, numbered(1, 6)+"$ vim\r\n\x1b[?1049h\x1b[Hfile\r\n~\r\n~\x1b[5HINSERT")
	l.sees("~|~||*INSERT")
	l.types("4k")
	l.sees("line 5|line 6|$ vim|*file")
	l.types("/vim\r")
	l.sees("line 5|line 6|*$ vim|file")
	l.write("\x1b[?1049l" + numbered(1, 50))
	l.types("/INS\r")
	l.sees("~|~||*INSERT")
}

func TestSearch(t *testing.T) {
	text := numbered(1, 50) + "Error: one\r\n" + numbered(51, 100) + "error: two\r\n" + numbered(101, 120)
	for _, tt := range []struct{ name, keys, line, status string }{
		{"up", "?error\r", "error: two", "?error"},
		{"and the next", "?error\rn", "Error: one", "?error"},
		{"and back", "?error\rnN", "error: two", "?error"},
		{"down continues at the top", "/error\r", "Error: one", "continued from the top"},
		{"again and again", "/error\rnn", "Error: one", "continued from the top"},
		{"capitals count", "?Error\r", "Error: one", "?Error"},
		{"classes are no capitals", "?e\\Sror\r", "error: two", "?e"},
		{"an expression", "?^line (7|8)2$\r", "line 82", ""},
		{"given up", "?error\x1b", "", ""},
		{"nothing", "?nothing\r", "", "no match for nothing"},
		{"wrong", "?(\r", "", "not a regular expression: ("},
		{"the last one again", "?error\rG?\r", "error: two", ""},
		{"recalled", "?error\rG?\x1b[A\r", "error: two", ""},
		{"none", "n", "", "no search yet"},
		{"the only match", "?two\rn", "error: two", "continued from the end"},
		{"with a word removed", "?error two\x17\x7f\r", "error: two", ""},
		{"with all removed", "?some\x15error\r", "error: two", ""},
		{"removed", "?\x7f", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLooker(t, 80, 5, text)
			l.types(tt.keys)
			l.status(tt.status)
			f := l.frame()
			if got := f.Lines[f.Cursor.Row].Plain(); got != tt.line {
				t.Errorf("the cursor is at %q, want %q", got, tt.line)
			}
		})
	}
}

// Each key of an expression moves to the first match from where the person was.
func TestIncrementalSearch(t *testing.T) {
	l := newLooker(t, 80, 5, numbered(1, 100))
	l.types("50g/")
	for _, tt := range []struct{ key, found, status string }{
		{"l", "l", "/l"}, {"i", "li", "/li"}, {"n", "lin", "/lin"}, {"e", "line", "/line"}, {" ", "line ", "/line "}, {"7", "line 7", "/line 7"},
		{"7", "line 77", "/line 77"}, {"x", "", "no match"}, {"\x7f", "line 77", "/line 77"}, {"[", "", "not a regular expression yet"},
	} {
		l.types(tt.key)
		if got := strings.Trim(l.marked(foundColor), "|"); got != tt.found {
			t.Errorf("after %q, %q is found, want %q", tt.key, got, tt.found)
		}
		l.status(tt.status)
	}
	l.types("\x1b")
	f := l.frame()
	if got := f.Lines[f.Cursor.Row].Plain(); got != "line 50" {
		t.Errorf("given up, the cursor is at %q", got)
	}
	l.types("/")
	l.Paste("line 6\x1b[2\nmore")
	l.status("/line 6[2")
}

// All matches that are visible are marked, however the line is wrapped.
func TestMatches(t *testing.T) {
	l := newLooker(t, 10, 6, "an ax, a 漢字ax\r\nmaximum\r\nnothing\r\nax")
	l.sees("an ax, a|漢字ax|maximum|nothing|*ax")
	l.types("?ax\r")
	if got := l.marked(matchColor); got != "ax|ax|ax" {
		t.Errorf("matches: %q", got)
	}
	if got := l.marked(foundColor); got != "ax" {
		t.Errorf("found: %q", got)
	}
	l.types("?a 漢字\r")
	l.sees("*an ax, a|漢字ax|maximum|nothing|ax")
	if got := l.marked(foundColor); got != "a |漢字" {
		t.Errorf("found across rows: %q", got)
	}
}

// shell is what a shell with marks writes for commands: a command line, its output, its status.
func shell(commands ...[3]string) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "\x1b]133;A\a$ \x1b]133;B\a%s\r\n\x1b]133;C\a%s\x1b]133;D;%s\a", c[0], strings.ReplaceAll(c[1], "\n", "\r\n"), c[2])
	}
	return b.String() + "\x1b]133;A\a$ \x1b]133;B\a"
}

func TestCommands(t *testing.T) {
	text := shell(
		[3]string{"one", "1\n", "0"}, [3]string{"two", "a\nb\n\nc\n", "1"}, [3]string{"three", "", "0"},
		[3]string{"four", strings.Repeat("x", 70) + "\nend\n", "2"}, [3]string{"five", "5\n5\n5\n5\n5\n", "0"})
	for _, tt := range []struct{ name, keys, line, copied, status string }{
		{"the prompt above", "[", "$ five", "", ""},
		{"several", "3[", "$ three", "", ""},
		{"and back", "3[]", "$ four", "", ""},
		{"too many", "99[", "$ one", "", ""},
		{"none", "g[", "$ one", "", "no prompt above"},
		{"none below", "]", "$", "", "no prompt below"},
		{"a failed command", "{", "$ four", "", ""},
		{"the one before", "{{", "$ two", "", ""},
		{"none before", "{{{", "$ two", "", "no failed command above"},
		{"and back", "{{}", "$ four", "", ""},
		{"the last output", "c", "5", "5\n5\n5\n5\n5", "copied the command's output: 5 lines"},
		{"another one", "4[c", "c", "a\nb\n\nc", "4 lines"},
		{"wrapped", "{c", "end", strings.Repeat("x", 70) + "\nend", "2 lines"},
		{"empty", "3[c", "$ three", "", "not copied: there is no text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLooker(t, 60, 6, text)
			l.types(tt.keys)
			l.status(tt.status)
			f := l.frame()
			if got := f.Lines[f.Cursor.Row].Plain(); got != tt.line {
				t.Errorf("the cursor is at %q, want %q", got, tt.line)
			}
			if l.copied != tt.copied {
				t.Errorf("copied %q, want %q", l.copied, tt.copied)
			}
		})
	}
	l := newLooker(t, 60, 6, numbered(1, 3))
	for _, key := range []string{"[", "}", "c"} {
		l.types(key)
		l.status("the shell has not marked its prompts")
	}
	l = newLooker(t, 60, 6, strings.TrimSuffix(shell([3]string{"running", "1\n2\n", "0"}), "\x1b]133;D;0\a\x1b]133;A\a$ \x1b]133;B\a"))
	if l.types("c"); l.copied != "1\n2" {
		t.Errorf("of a command that runs: %q", l.copied)
	}
}

func TestCopy(t *testing.T) {
	for _, tt := range []struct{ name, keys, copied, status string }{
		{"characters", "gv\x1b[C\x1b[C\x1b[Cy", "one ", "copied 4 characters"},
		{"wide ones", "2gv\x1b[Cy", "漢字", "2 characters"},
		{"half of one", "2g\x1b[Cv\x1b[Dy", "漢字", "2 characters"},
		{"to the end", "g\x1b[C\x1b[Cv$y", "e line", ""},
		{"several lines", "g\x1b[Cvj\x1b[Cy", "ne line\n漢字", "2 lines"},
		{"backwards", "2g\x1b[Cv\x1b[Ay", "e line\n漢字", "2 lines"},
		{"from the other end", "gvjo\x1b[Cy", "ne line\n漢", "2 lines"},
		{"lines", "gVjy", "one line\n漢字 and kana", "2 lines"},
		{"a wrapped line is one", "3gVjy", "wrapped " + strings.Repeat("x", 30), "38 characters"},
		{"blanks at the ends go", "5gVjy", "blanks", "6 characters"},
		{"all", "gVGy", "one line\n漢字 and kana\nwrapped " + strings.Repeat("x", 30) + "\nblanks\n\nend", "6 lines"},
		{"and stays", "gVyG", "one line", ""},
		{"and leaves", "gV\r", "one line", ""},
		{"a change of mind", "gvVy", "one line", ""},
		{"none", "gvvy", "", "nothing is selected"},
		{"an empty line", "6gVy", "", "not copied"},
		{"with the mouse", "g\x1b[<0;5;1M\x1b[<32;8;1M\x1b[<0;8;1m", "line", "copied 4 characters"},
		{"a click", "g\x1b[<0;5;1M\x1b[<0;5;1m", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLooker(t, 30, 6, "one line\r\n漢字 and kana\r\nwrapped "+strings.Repeat("x", 30)+"\r\nblanks   \x1b[0m  \r\n\r\nend")
			l.types(tt.keys)
			if l.copied != tt.copied {
				t.Errorf("copied %q, want %q", l.copied, tt.copied)
			}
			if !l.left {
				l.status(tt.status)
			}
		})
	}
	l := newLooker(t, 80, 6, strings.Repeat(strings.Repeat("x", 79)+"\r\n", 20_000))
	l.types("gVGy")
	if l.status("not copied: more than 1024 KiB"); l.copied != "" {
		t.Errorf("copied %d bytes", len(l.copied))
	}
}

// The selection is marked, with the ends of lines.
func TestSelection(t *testing.T) {
	l := newLooker(t, 10, 5, "one\r\n漢字\r\nthree")
	l.types("g\x1b[Cvj")
	if got := l.marked(selectColor); got != "ne       |漢" {
		t.Errorf("selected: %q", got)
	}
	l.types("V")
	if got := l.marked(selectColor); got != "one       |漢字      " {
		t.Errorf("selected: %q", got)
	}
}

// Wrapping lines again moves neither the view nor the selection to other text.
func TestRewrap(t *testing.T) {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "line %d %s\r\n", i, strings.Repeat("x", i))
	}
	l := newLooker(t, 40, 8, text.String())
	l.types("20gV2\x1b[B")
	want := l.marked(selectColor)
	for _, cols := range []int{20, 33, 80, 40} {
		if err := l.term.Resize(cols, 8); err != nil {
			t.Fatal(err)
		}
		l.Resize(cols, 8)
		f := l.frame()
		if got := f.Lines[0].Plain(); !strings.HasPrefix(got, "line 1") {
			t.Errorf("%d columns: the view begins with %q", cols, got)
		}
		got := strings.ReplaceAll(strings.ReplaceAll(l.marked(selectColor), " ", ""), "|", "")
		if want := strings.ReplaceAll(strings.ReplaceAll(want, " ", ""), "|", ""); got == "" || !strings.HasPrefix(want, got) {
			t.Errorf("%d columns: %q is selected, want %q", cols, got, want)
		}
	}
	l.types("y")
	if lines := strings.Split(l.copied, "\n"); len(lines) != 3 {
		t.Errorf("copied %q", l.copied)
	}
}

// A search that is given up after lines were wrapped again marks no other text.
func TestRewrapWhileSearching(t *testing.T) {
	l := newLooker(t, 20, 6, strings.Repeat("0123456789", 5)+"\r\nhere\r\nabc\r\nabc")
	l.types("?here\r")
	if got := l.marked(foundColor); got != "here" {
		t.Fatalf("found %q", got)
	}
	l.types("/")
	if err := l.term.Resize(40, 6); err != nil {
		t.Fatal(err)
	}
	l.Resize(40, 6)
	l.types("\x1b")
	if got := l.marked(foundColor); got != "" && got != "here" {
		t.Errorf("%q is marked", got)
	}
}

// A terminal that is narrower than the text shows the part with the cursor.
func TestNarrow(t *testing.T) {
	l := newLooker(t, 40, 5, "0123456789 漢字漢字 abcdefghij")
	l.Resize(12, 3)
	l.sees("*0123456789|")
	l.types("$")
	l.sees("*  abcdefghij|")
	l.types("0")
	l.sees("*0123456789|")
	l.Resize(1, 1)
	l.frame()
	l.Resize(300, 80)
	if got := l.frame().Lines[0].Plain(); got != "0123456789 漢字漢字 abcdefghij" {
		t.Errorf("on a large terminal: %q", got)
	}
}

func TestHelp(t *testing.T) {
	l := newLooker(t, 40, 10, numbered(1, 20))
	l.types("h")
	first := l.frame().Lines[0].Plain()
	l.types("  ")
	if now := l.frame().Lines[0].Plain(); now == first {
		t.Error("the help does not scroll")
	}
	l.types(strings.Repeat("k", 40))
	if now := l.frame().Lines[0].Plain(); now != first {
		t.Errorf("the help begins with %q", now)
	}
	l.types("x")
	l.sees("line 13|line 14|line 15|line 16|line 17|line 18|line 19|line 20|*")
}

// After any keys, output and resizing the picture fits, and its cursor is on it.
func TestAnything(t *testing.T) {
	typed := []string{
		"j", "k", "d", "u", "f", "b", "g", "G", " ", "7g", "42G", "H", "M", "L", "0", "$", "[", "]", "{", "}", "v", "V", "o", "y", "c", "h", "x", "n", "N", "3j", "99k",
		"/l\r", "?x\r", "/\\d+\r", "?^\r", "/[", "\x1b", "\r", "\x7f", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[<64;3;3M", "\x1b[<65;3;3M", "\x1b[<0;3;2M", "\x1b[<32;9;4M", "\x1b[<0;9;4m",
	}
	written := []string{
		"text\r\n", "漢字漢字漢字漢字漢字 and more\r\n", strings.Repeat("long ", 50), "\x1b[2J\x1b[H", "\x1b[?1049h", "\x1b[?1049l", "\x1b[3J", "\x1bc", "\x1b[5;5H", "\r\n\r\n", "\x1b#3double\r\n",
		"\x1b]133;A\a$ \x1b]133;B\al\r\n\x1b]133;C\aout\r\n\x1b]133;D;1\a", numbered(1, 40), "\x1b[?2026h", "\x1b[?2026l", "\x1b]4;1;#112233\a\x1b[31mred\x1b[m",
	}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		term, err := vt.New(vt.Options{Cols: 20, Rows: 6, Scrollback: 50})
		if err != nil {
			t.Fatal(err)
		}
		l := &looker{t: t, term: term}
		l.write(numbered(1, r.IntN(80)))
		cols, rows := 20, 6
		l.Model = lookback.New(term, cols, rows)
		var history []string
		for range 60 {
			switch r.IntN(8) {
			case 0:
				cols, rows = 1+r.IntN(40), 1+r.IntN(12)
				history = append(history, fmt.Sprintf("size %dx%d", cols, rows))
				if r.IntN(3) > 0 {
					if err := term.Resize(cols, rows); err != nil {
						t.Fatal(err)
					}
				}
				l.Resize(cols, rows)
			case 1, 2:
				s := written[r.IntN(len(written))]
				history = append(history, fmt.Sprintf("write %.20q", s))
				l.write(s)
			default:
				s := typed[r.IntN(len(typed))]
				history = append(history, fmt.Sprintf("type %q", s))
				l.types(s)
			}
			f := l.frame()
			if wrong := misdrawn(f, cols, rows); wrong != "" {
				t.Fatalf("seed %d, after %s: %s", seed, strings.Join(history, ", "), wrong)
			}
			if f != l.frame() {
				t.Fatalf("seed %d, after %s: the picture changes by itself", seed, strings.Join(history, ", "))
			}
		}
		l.Close()
	}
}

// misdrawn says what is wrong with a picture.
func misdrawn(f *render.Frame, cols, rows int) string {
	c := f.Cursor
	switch {
	case f.Cols != cols || f.Rows != rows || len(f.Lines) != rows:
		return fmt.Sprintf("a picture of %d columns and %d rows (%d), want %d and %d", f.Cols, f.Rows, len(f.Lines), cols, rows)
	case c.Row < 0 || c.Row >= rows || c.Col < 0 || c.Col >= cols:
		return fmt.Sprintf("the cursor is at %d, %d of %d, %d", c.Row, c.Col, rows, cols)
	}
	for y, r := range f.Lines {
		if r.Columns() > cols {
			return fmt.Sprintf("row %d has %d columns of %d", y, r.Columns(), cols)
		}
	}
	return ""
}
