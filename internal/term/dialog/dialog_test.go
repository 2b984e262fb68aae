package dialog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

var deploy = dialog.Question{Title: "Deploy?", Message: "The agent wants to run\n\n$ make deploy", Options: []string{"Allow", "Refuse"}}

// draw returns the rows of a dialog, with the selected option between brackets.
func draw(t *testing.T, d *dialog.Dialog, cols, rows int) string {
	t.Helper()
	l, ok := d.Draw(cols, rows)
	if !ok {
		return "too small"
	}
	if l.Row < 0 || l.Col < 0 || l.Col+l.Width > cols || l.Row+l.Height > rows || len(l.Lines) != l.Height {
		t.Errorf("%d rows at %d, %d of %d, %d in a terminal of %d, %d", len(l.Lines), l.Row, l.Col, l.Height, l.Width, rows, cols)
	}
	var b strings.Builder
	for _, r := range l.Lines {
		if r.Columns() > l.Width {
			t.Errorf("%q is wider than %d columns", r.Plain(), l.Width)
		}
		inverse := false
		for w := r.Walk(); w.Next(); {
			if on := w.Style.BG == vt.Indexed(255); on != inverse {
				inverse = on
				b.WriteString(map[bool]string{true: "[", false: "]"}[on])
			}
			b.WriteString(w.Text)
		}
		if inverse {
			b.WriteByte(']')
		}
		b.WriteByte('\n')
	}
	return trimmed(b.String())
}

func trimmed(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func press(t *testing.T, d *dialog.Dialog, keys string) dialog.Reply {
	t.Helper()
	var s overlay.Splitter
	reply := dialog.Undecided
	for b := []byte(keys); len(b) > 0; {
		if reply != dialog.Undecided {
			t.Fatalf("the reply %d came before all keys of %q", reply, keys)
		}
		n, key := s.Next(b, false)
		if b = b[n:]; key != nil {
			reply = d.Key(*key)
		}
	}
	return reply
}

func TestDraw(t *testing.T) {
	d := dialog.New(deploy)
	press(t, d, "\t")
	const want = `
  Deploy?

  The agent wants to run

  $ make deploy

  [ 1  Allow ]
   2  Refuse

  1 to 2, or Tab and Enter: answer   Esc: not now

`
	if diff := cmp.Diff(want, draw(t, d, 80, 24)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const narrow = `
  Deploy?

  The agent wants
  rows 1 to 1 of 4

   1  Allow
   2  Refuse

  1 to 2, or Tab a
  nd Enter: answer
     Esc: not now

`
	if diff := cmp.Diff(narrow, draw(t, dialog.New(deploy), 20, 13)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, size := range [][2]int{{19, 24}, {80, 8}, {1, 1}} {
		if got := draw(t, dialog.New(deploy), size[0], size[1]); got != "too small" {
			t.Errorf("at %v: %s", size, got)
		}
	}
}

func TestKeys(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		want       dialog.Reply
	}{
		{"a digit chooses", "2", 1},
		{"a digit without an option does nothing", "3", dialog.Undecided},
		{"zero does nothing", "0", dialog.Undecided},
		{"Enter alone chooses nothing", "\r\r", dialog.Undecided},
		{"Tab and Enter", "\t\r", 0},
		{"arrows and Enter", "\x1b[B\x1b[B\r", 1},
		{"arrows wrap", "\x1b[A\r", 1},
		{"Shift-Tab goes back", "\t\t\x1b[Z\r", 0},
		{"arrows of application mode", "\x1bOB\r", 0},
		{"Escape", "\x1b", dialog.PutAway},
		{"Ctrl-C", "\x03", dialog.PutAway},
		{`Ctrl+\`, "\x1c", dialog.PutAway},
		{"letters do nothing", "yYaAqQ", dialog.Undecided},
		{"Alt and a digit do nothing", "\x1b1", dialog.Undecided},
		{"a released key does nothing", "\x1b[49;1:3u", dialog.Undecided},
		{"a repeated key does not choose", "\x1b[49;1:2u", dialog.Undecided},
		{"a digit in kitty's form", "\x1b[49u", 0},
		{"a digit of another script does nothing", "١", dialog.Undecided},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := dialog.New(deploy)
			draw(t, d, 80, 24)
			if got := press(t, d, tt.keys); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// Nobody allows what they have not seen to its end.
func TestLongMessage(t *testing.T) {
	q := deploy
	q.Message = strings.Repeat("a line\n", 30) + "rm -rf /"
	d := dialog.New(q)
	if got := press(t, d, "1"); got != dialog.Undecided {
		t.Errorf("before it was drawn: %d", got)
	}
	for !strings.Contains(draw(t, d, 80, 20), "rm -rf /") {
		if got := press(t, d, "1"); got != dialog.Undecided {
			t.Fatalf("before its end was displayed: %d", got)
		}
		before := draw(t, d, 80, 20)
		if press(t, d, "\x1b[6~"); draw(t, d, 80, 20) == before {
			t.Fatal("PageDown does not scroll")
		}
	}
	press(t, d, "\x1b[5~") // back
	if got := draw(t, d, 80, 20); strings.Contains(got, "rm -rf /") {
		t.Errorf("PageUp does not scroll:\n%s", got)
	}
	if got := press(t, d, "1"); got != 0 {
		t.Errorf("after its end was displayed: %d", got)
	}
}

func TestCheck(t *testing.T) {
	for _, n := range []int{0, dialog.MaxOptions + 1} {
		if err := (dialog.Question{Options: make([]string, n)}).Check(); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%d options: %v", n, err)
		}
	}
	if err := deploy.Check(); err != nil {
		t.Error(err)
	}
}

func FuzzDraw(f *testing.F) {
	f.Add("title", "message", "option", 80, 24, "\x1b[6~\t")
	f.Add("日本語", strings.Repeat("🙂\t", 100)+"\n\n\x1b[1mx", "\u202eoption", 21, 12, " \x1b[B1")
	f.Fuzz(func(t *testing.T, title, message, option string, cols, rows int, keys string) {
		cols, rows = 1+abs(cols)%200, 1+abs(rows)%100
		d := dialog.New(dialog.Question{Title: title, Message: message, Options: []string{option, "other"}})
		screen := render.OfScreen(snapshot(t, cols, rows))
		for range 2 {
			if l, ok := d.Draw(cols, rows); ok {
				if draw(t, d, cols, rows) == "too small" {
					t.Error("it is too small the second time")
				}
				for y, line := range screen.Over(l).Lines {
					if line.Columns() > cols {
						t.Errorf("row %d has %d columns of %d", y, line.Columns(), cols)
					}
				}
			}
			var s overlay.Splitter
			for b := []byte(keys); len(b) > 0; {
				n, key := s.Next(b, false)
				if b = b[n:]; key != nil {
					d.Key(*key)
				}
			}
		}
	})
}

func abs(n int) int { return max(n, -(n + 1)) }

func snapshot(t *testing.T, cols, rows int) *vt.Snapshot {
	t.Helper()
	w, err := vt.New(vt.Options{Cols: cols, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	return w.Snapshot()
}

var passphrase = dialog.Question{Title: "A program asks", Message: "Passphrase:", Options: []string{"Stop it"}, Text: true, Secret: true}

// A text is typed after Tab, is masked, and is answered by Enter; nothing that is typed before
// counts.
func TestText(t *testing.T) {
	d := dialog.New(passphrase)
	draw(t, d, 60, 20)
	if r := press(t, d, "1 ls\r"); r != dialog.Undecided || d.Text() != "" || d.TakesText() {
		t.Errorf("before Tab: %d, %q", r, d.Text())
	}
	press(t, d, "\tab c1\x7f2")
	d.Paste("d\r\n\x1b\u202ee")
	if d.Text() != "ab c2de" {
		t.Errorf("typed %q", d.Text())
	}
	if got := draw(t, d, 60, 20); !strings.Contains(got, "[ > •••••••▏ ]") || strings.Contains(got, "ab c") {
		t.Errorf("it looks like\n%s", got)
	}
	if r := press(t, d, "\r"); r != dialog.Typed {
		t.Errorf("Enter: %d", r)
	}
	press(t, d, "\x15")
	if r := press(t, d, "\r"); r != dialog.Undecided || d.Text() != "" {
		t.Errorf("Enter without a text: %d, %q", r, d.Text())
	}
	if r := press(t, d, "\t\r"); r != 0 {
		t.Errorf("the option: %d", r)
	}
	open := passphrase
	open.Secret = false
	d = dialog.New(open)
	draw(t, d, 30, 20)
	press(t, d, "\t"+strings.Repeat("x", 50)+"日本y")
	if got := draw(t, d, 30, 20); !strings.Contains(got, "xx日本y▏") {
		t.Errorf("it looks like\n%s", got)
	}
	d.Paste(strings.Repeat("z", 5000))
	if n := len(d.Text()); n > dialog.MaxText {
		t.Errorf("the text has %d bytes", n)
	}
	if r := press(t, d, "\x03"); r != dialog.PutAway {
		t.Errorf("Ctrl-C: %d", r)
	}
}

// A message that has not been displayed to its end takes no text.
func TestTextOfLongMessage(t *testing.T) {
	long := passphrase
	long.Message = strings.Repeat("line\n", 50)
	d := dialog.New(long)
	draw(t, d, 60, 20)
	press(t, d, "\tx")
	if d.Text() != "" {
		t.Errorf("typed %q", d.Text())
	}
	for range 5 {
		press(t, d, "\x1b[6~")
		draw(t, d, 60, 20)
	}
	if press(t, d, "x"); d.Text() != "x" {
		t.Errorf("typed %q", d.Text())
	}
}

// With Careful, a digit selects, and Enter answers.
func TestCareful(t *testing.T) {
	careful := deploy
	careful.Careful = true
	d := dialog.New(careful)
	if got := draw(t, d, 60, 20); !strings.Contains(got, "Tab and Enter: answer") || strings.Contains(got, "1 to 2") {
		t.Errorf("it looks like\n%s", got)
	}
	for _, key := range "19\t1" {
		if r := press(t, d, string(key)); r != dialog.Undecided {
			t.Errorf("%q answers %d", key, r)
		}
	}
	if r := press(t, d, "2"); r != dialog.Undecided {
		t.Errorf("a digit answers %d", r)
	}
	if r := press(t, d, "\r"); r != 1 {
		t.Errorf("Enter: %d", r)
	}
}

// A question that cannot be answered by keys says where it is, and can be put away.
func TestElsewhere(t *testing.T) {
	q := dialog.Question{Title: "Which?", Message: "m", Elsewhere: "Answer it at http://localhost:8000/popup"}
	if err := q.Check(); err != nil {
		t.Error(err)
	}
	d := dialog.New(q)
	if got := draw(t, d, 70, 20); !strings.Contains(got, "Answer it at http://localhost:8000/popup   Esc: not now") {
		t.Errorf("it looks like\n%s", got)
	}
	if r := press(t, d, "\t1\r"); r != dialog.Undecided {
		t.Errorf("keys answer %d", r)
	}
	if r := press(t, d, "\x1b"); r != dialog.PutAway {
		t.Errorf("Escape: %d", r)
	}
}
