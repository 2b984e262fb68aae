package dialog_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/dialog"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
	"ui-mcp/internal/term/vt"
)

var deploy = question.Question{Title: "Deploy?", Message: "The agent wants to run\n\n    make deploy", Options: options("Allow", "Refuse")}

// options returns options with labels, whose values they are, too.
func options(labels ...string) (list []question.Option) {
	for _, l := range labels {
		list = append(list, question.Option{Label: l, Value: l})
	}
	return list
}

// ask returns the dialog of a question.
func ask(q question.Question) *dialog.Dialog {
	return dialog.New(dialog.Question{Asked: question.Asked{Question: q}}, dialog.Look{})
}

// draw returns the rows of a dialog, with the selected option between brackets.
func draw(t *testing.T, d *dialog.Dialog, cols, rows int) string {
	t.Helper()
	l := d.Draw(cols, rows)
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
			if on := w.Style.Attr&sgr.Inverse != 0; on != inverse {
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
		n, key := s.Next(b)
		if b = b[n:]; key != nil {
			reply = d.Key(*key)
		}
	}
	return reply
}

func TestDraw(t *testing.T) {
	d := ask(deploy)
	press(t, d, "\t")
	const want = `
╭──────────────────────────────────────────────────────────────────────────╮
│ Deploy?                                                                  │
│                                                                          │
│ The agent wants to run                                                   │
│                                                                          │
│   make deploy                                                            │
│                                                                          │
│ [ 1  Allow ]                                                               │
│  2  Refuse                                                               │
│                                                                          │
│ 1 to 2, or Tab and Enter: answer   Esc: not now                          │
╰──────────────────────────────────────────────────────────────────────────╯
`
	if diff := cmp.Diff(want[1:], draw(t, d, 80, 24)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const narrow = `
╭──────────────────╮
│ Deploy?          │
│                  │
│ The agent wants  │
│ rows 1 to 1 of 4 │
│                  │
│  1  Allow        │
│  2  Refuse       │
│                  │
│ 1 to 2, or Tab   │
│ and Enter:       │
│ answer   Esc:    │
│ not now          │
╰──────────────────╯
`
	if diff := cmp.Diff(narrow[1:], draw(t, ask(deploy), 20, 14)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const tight = `
╭──────────────────────────────────────╮
│ Deploy?                              │
│ The agent wants to run               │
│ rows 1 to 1 of 3: PgDn and PgUp scro │
│  1  Allow                            │
│  2  Refuse                           │
│ 1 to 2, or Tab and Enter: answer     │
│ Esc: not now                         │
╰──────────────────────────────────────╯
`
	if diff := cmp.Diff(tight[1:], draw(t, ask(deploy), 40, 9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const small = "[A question: enlarge ]\n[the terminal   Esc: ]\n[not now   At home ]\n"
	d = dialog.New(dialog.Question{Asked: question.Asked{Question: deploy}, Elsewhere: "At home"}, dialog.Look{})
	d.Draw(80, 24)
	if got := draw(t, d, 20, 5); got != small {
		t.Errorf("it is %q, want %q", got, small)
	}
	if got := press(t, d, "1"); got != dialog.Undecided {
		t.Errorf("a question that is not displayed is answered %d", got)
	}
	for _, size := range [][2]int{{19, 24}, {80, 7}, {3, 1}, {1, 1}} {
		draw(t, ask(deploy), size[0], size[1])
	}
}

// Markdown is text with the look of what it means. Rows end at blanks and beside wide characters,
// and anywhere in what is longer than a row.
func TestMarkdown(t *testing.T) {
	q := question.Question{Title: "Which of these long names is the one that you would like to have?", Options: []question.Option{
		{Label: "The first one, which has a label that does not fit", Value: "1", Description: "It is described in more words than fit"},
		{Label: "短い", Value: "2"},
	}, Message: "# Plan\n\nDrop **all** of [them](https://a.example/b):\n\n1. `rm -rf` it\n2. 東京都と大阪府と京都府と兵庫県\n\n```\nmake  deploy TARGET=production-eu-west\n```\n\n> quoted"}
	const want = `
╭────────────────────────────╮
│ Which of these long names  │
│ is the one that you would  │
│ like to have?              │
│                            │
│ Plan                       │
│                            │
│ Drop all of them           │
│ (https://a.example/b):     │
│                            │
│ 1. rm -rf it               │
│ 2. 東京都と大阪府と京都府  │
│    と兵庫県                │
│                            │
│   make  deploy TARGET=prod │
│   uction-eu-west           │
│                            │
│ │ quoted                   │
│                            │
│  1  The first one, which   │
│     has a label that does  │
│     not fit                │
│     It is described in     │
│     more words than fit    │
│  2  短い                   │
│                            │
│ 1 to 2, or Tab and Enter:  │
│ answer   Esc: not now      │
╰────────────────────────────╯
`
	if diff := cmp.Diff(want[1:], draw(t, ask(q), 30, 40)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const low = `
╭────────────────────────────╮
│ Which of these long names  │
│ is the one that you would  │
│ like to have?              │
│                            │
│ Plan                       │
│                            │
│ Drop all of them           │
│ rows 1 to 3 of 13: PgDn an │
│                            │
│  1  The first one, which h │
│  2  短い                   │
│                            │
│ 1 to 2, or Tab and Enter:  │
│ answer   Esc: not now      │
╰────────────────────────────╯
`
	if diff := cmp.Diff(low[1:], draw(t, ask(q), 30, 16)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	styles := map[string]sgr.Style{
		"Plan": {Attr: sgr.Bold}, "all": {Attr: sgr.Bold}, "Drop": {}, "https://a.example/b": {Attr: sgr.Attr(0).WithUnderline(sgr.UnderlineSingle)},
		"rm -rf": {FG: sgr.Indexed(6)}, "uction": {FG: sgr.Indexed(6)}, "It is described": {Attr: sgr.Faint},
	}
	l := ask(q).Draw(30, 40)
	for text, want := range styles {
		if got, ok := styleOf(l.Lines, text); !ok || got != want {
			t.Errorf("%q: style %+v, %v", text, got, ok)
		}
	}
}

// styleOf returns the style of the first cell of a text.
func styleOf(rows []cells.Row, text string) (sgr.Style, bool) {
	for _, r := range rows {
		at := strings.Index(r.Text, text)
		for w := r.Walk(); at >= 0 && w.Next(); {
			if at -= len(w.Text); at < 0 {
				return w.Style, true
			}
		}
	}
	return sgr.Style{}, false
}

// Nothing of a message is lost where its rows end, but blanks.
func FuzzWrap(f *testing.F) {
	f.Add("a bc  def", 21)
	f.Add("日本 x\u0301y👍🏽👩‍👩‍👧 0123456789012345678901234567890123456789", 24)
	f.Fuzz(func(t *testing.T, message string, cols int) {
		message = strings.Map(func(r rune) rune {
			if r == '\n' || r == '\t' || !unicode.IsPrint(r) && r != '\u200d' {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(message, ""))
		if len(message) > dialog.MaxMessage {
			return
		}
		q := deploy
		q.Message, q.Plain = message, true
		l := ask(q).Draw(20+abs(cols)%100, 5000)
		whole := cells.Shape([]cells.Piece{{Text: message}}, 1<<16-1, 1)
		want := ""
		if len(whole) > 0 {
			want = squeeze(whole[0].Text)
		}
		got := ""
		for _, r := range l.Lines[3:] {
			if strings.Contains(r.Text, " 1  Allow") {
				break
			}
			got += strings.TrimSuffix(strings.TrimPrefix(r.Text, "│"), "│")
		}
		if got = squeeze(got); got != want {
			t.Errorf("%q is displayed as %q", want, got)
		}
	})
}

// squeeze returns text without blanks.
func squeeze(s string) string { return strings.ReplaceAll(s, " ", "") }

// How much depends on the answer is in the border, in words, and in colours unless the person wants
// none. The other colours are the terminal's own.
func TestSeverity(t *testing.T) {
	for severity, color := range map[question.Severity]sgr.Color{question.Danger: sgr.Indexed(1), question.Warning: sgr.Indexed(3), question.Info: sgr.Indexed(6)} {
		q := deploy
		q.Severity = severity
		for plain, want := range map[bool]sgr.Color{false: color, true: 0} {
			d := dialog.New(dialog.Question{Asked: question.Asked{Question: q}}, dialog.Look{Plain: plain})
			l := d.Draw(60, 20)
			if named := strings.Contains(l.Lines[0].Text, string(severity)); named != (severity != question.Info) {
				t.Errorf("the border of %s: %q", severity, l.Lines[0].Text)
			}
			if got, _ := styleOf(l.Lines, "╭"); got.FG != want {
				t.Errorf("%s without colours %v: colour %v", severity, plain, got.FG)
			}
			for _, r := range l.Lines {
				for w := r.Walk(); w.Next(); {
					if w.Style.BG != 0 || plain && w.Style.FG != 0 {
						t.Errorf("%s: %q has style %+v", severity, w.Text, w.Style)
					}
				}
			}
		}
	}
}

// report returns a report of the mouse at the first cell of a text in what was drawn.
func report(t *testing.T, l overlay.Layer, text string, code int, final string) keys.MouseReport {
	t.Helper()
	for y, r := range l.Lines {
		if before, _, ok := strings.Cut(r.Text, text); ok {
			cols, _ := cells.Measure([]cells.Piece{{Text: before}})
			m, ok := keys.ParseMouse(fmt.Appendf(nil, "\x1b[<%d;%d;%d%s", code, l.Col+cols+1, l.Row+y+1, final))
			if !ok {
				t.Fatal("it is no report")
			}
			return m
		}
	}
	t.Fatalf("%q is not drawn", text)
	panic("unreachable")
}

// A click is a press and a release at one option; with danger, the first one only selects. The
// wheel scrolls.
func TestClicks(t *testing.T) {
	d := ask(deploy)
	l := d.Draw(80, 24)
	at := func(text string, final string) dialog.Reply { return d.Mouse(report(t, l, text, 0, final)) }
	for _, clicked := range [][2]string{{"Allow", "Refuse"}, {"Deploy?", "Allow"}, {"Refuse", "Deploy?"}, {"╭", "╭"}, {"1 to 2", "1 to 2"}} {
		if r := at(clicked[0], "M"); r != dialog.Undecided {
			t.Errorf("a press at %s answers %d", clicked[0], r)
		}
		if r := at(clicked[1], "m"); r != dialog.Undecided {
			t.Errorf("a press at %s and a release at %s answer %d", clicked[0], clicked[1], r)
		}
	}
	if r := at("Refuse", "m"); r != dialog.Undecided {
		t.Errorf("a release without a press answers %d", r)
	}
	at("Refuse", "M")
	if r := at("Refuse", "m"); r != 1 {
		t.Errorf("a click answers %d", r)
	}
	for _, other := range []int{1, 2, 35, 0 + 32} { // other buttons, and moves
		d.Mouse(report(t, l, "Allow", other, "M"))
		if r := d.Mouse(report(t, l, "Allow", other, "m")); r != dialog.Undecided {
			t.Errorf("the button %d answers %d", other, r)
		}
	}

	danger := deploy
	danger.Severity = question.Danger
	d = ask(danger)
	l = d.Draw(80, 24)
	for i, want := range []dialog.Reply{dialog.Undecided, 0} {
		at("Allow", "M")
		if r := at("Allow", "m"); r != want {
			t.Errorf("click %d answers %d", i+1, r)
		}
	}

	long := deploy
	long.Message = strings.Repeat("a line\n\n", 30) + "the end"
	d = ask(long)
	l = d.Draw(80, 24)
	at("Allow", "M")
	if r := at("Allow", "m"); r != dialog.Undecided {
		t.Errorf("a click answers %d before the end was displayed", r)
	}
	for range 100 {
		d.Mouse(report(t, l, "Allow", 65, "M"))
		draw(t, d, 80, 24)
	}
	if got := draw(t, d, 80, 24); !strings.Contains(got, "the end") {
		t.Errorf("the wheel does not scroll:\n%s", got)
	}
	at("Allow", "M")
	if r := at("Allow", "m"); r != 0 {
		t.Errorf("a click answers %d", r)
	}

	text := passphrase
	d = ask(text)
	l = d.Draw(80, 24)
	at(">", "M")
	if at(">", "m"); !d.TakesText() {
		t.Error("a click does not select the text")
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
		{"Ctrl-Shift-C, with which terminals copy", "\x1b[99;6u", dialog.Undecided},
		{"letters do nothing", "yYaAqQ", dialog.Undecided},
		{"Alt and a digit do nothing", "\x1b1", dialog.Undecided},
		{"a released key does nothing", "\x1b[49;1:3u", dialog.Undecided},
		{"a repeated key does not choose", "\x1b[49;1:2u", dialog.Undecided},
		{"a digit in kitty's form", "\x1b[49u", 0},
		{"a digit of another script does nothing", "١", dialog.Undecided},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := ask(deploy)
			draw(t, d, 80, 24)
			if got := press(t, d, tt.keys); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

// A message without Markdown is displayed as it is written.
func TestAsWritten(t *testing.T) {
	q := question.Question{Title: "?", Message: "**a**\n- b", Plain: true, Options: options("Yes")}
	d := dialog.New(dialog.Question{Asked: question.Asked{Question: q}}, dialog.Look{})
	if got := draw(t, d, 20, 20); !strings.Contains(got, "│ **a**            │\n│ - b              │") {
		t.Errorf("it looks like\n%s", got)
	}
}

// A message that takes long to read is read elsewhere if there is a place, and else here.
func TestLongElsewhere(t *testing.T) {
	q := question.Question{Title: "?", Message: strings.Repeat("word ", dialog.MaxMessage), Plain: true, Options: options("Yes")}
	for elsewhere, want := range map[string]bool{"": true, "Answer it at home": false} {
		d := dialog.New(dialog.Question{Asked: question.Asked{Question: q}, Elsewhere: elsewhere}, dialog.Look{})
		if got := draw(t, d, 60, 20); strings.Contains(got, "Yes") != want || strings.Contains(got, "at home") == want {
			t.Errorf("elsewhere %q: it looks like\n%s", elsewhere, got)
		}
	}
}

// Nobody allows what they have not seen to its end.
func TestLongMessage(t *testing.T) {
	q := deploy
	q.Message = strings.Repeat("a line\n", 30) + "rm -rf /"
	d := ask(q)
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

func FuzzDraw(f *testing.F) {
	f.Add("title", "message", "option", 80, 24, "\x1b[6~\t")
	f.Add("日本語", strings.Repeat("🙂\t", 100)+"\n\n\x1b[1mx", "\u202eoption", 21, 12, " \x1b[B1")
	f.Fuzz(func(t *testing.T, title, message, option string, cols, rows int, keys string) {
		cols, rows = 1+abs(cols)%200, 1+abs(rows)%100
		d := ask(question.Question{Title: title, Message: message, Options: options(option, "other")})
		screen := render.OfScreen(snapshot(t, cols, rows))
		for range 2 {
			draw(t, d, cols, rows)
			for y, line := range screen.Over(d.Draw(cols, rows)).Lines {
				if line.Columns() > cols {
					t.Errorf("row %d has %d columns of %d", y, line.Columns(), cols)
				}
			}
			var s overlay.Splitter
			for b := []byte(keys); len(b) > 0; {
				n, key := s.Next(b)
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

var passphrase = question.Question{Title: "A program asks", Message: "Passphrase:", Options: options("Stop it"), AllowText: true, Secret: true}

// text returns what was typed.
func text(d *dialog.Dialog) string { return d.Reply(dialog.Typed).Text }

// A text is typed after Tab, is masked, and is answered by Enter; nothing that is typed before
// counts.
func TestText(t *testing.T) {
	d := ask(passphrase)
	if got := draw(t, d, 60, 20); !strings.Contains(got, "Tab: type or choose the answer   Esc: not now") {
		t.Errorf("at first, it looks like\n%s", got)
	}
	if r := press(t, d, "1 ls\r"); r != dialog.Undecided || text(d) != "" || d.TakesText() {
		t.Errorf("before Tab: %d, %q", r, text(d))
	}
	press(t, d, "\tab c1\x7f2")
	d.Paste("d\r\n\x1b\u202ee")
	if text(d) != "ab c2de" {
		t.Errorf("typed %q", text(d))
	}
	if got := draw(t, d, 60, 20); !strings.Contains(got, "[ > •••••••▏ ]") || strings.Contains(got, "ab c") {
		t.Errorf("it looks like\n%s", got)
	}
	if r := press(t, d, "\r"); r != dialog.Typed {
		t.Errorf("Enter: %d", r)
	}
	press(t, d, "\x15")
	if r := press(t, d, "\r"); r != dialog.Undecided || text(d) != "" {
		t.Errorf("Enter without a text: %d, %q", r, text(d))
	}
	if r := press(t, d, "\t\r"); r != 0 {
		t.Errorf("the option: %d", r)
	}
	open := passphrase
	open.Secret = false
	d = ask(open)
	draw(t, d, 30, 20)
	press(t, d, "\t"+strings.Repeat("x", 50)+"日本y")
	if got := draw(t, d, 30, 20); !strings.Contains(got, "xx日本y▏") {
		t.Errorf("it looks like\n%s", got)
	}
	d.Paste(strings.Repeat("z", 5000))
	if n := len(text(d)); n > dialog.MaxText {
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
	d := ask(long)
	draw(t, d, 60, 20)
	press(t, d, "\tx")
	if text(d) != "" {
		t.Errorf("typed %q", text(d))
	}
	for range 5 {
		press(t, d, "\x1b[6~")
		draw(t, d, 60, 20)
	}
	if press(t, d, "x"); text(d) != "x" {
		t.Errorf("typed %q", text(d))
	}
}

// With danger, a digit selects, and Enter answers.
func TestCareful(t *testing.T) {
	careful := deploy
	careful.Severity = question.Danger
	d := ask(careful)
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
	q := question.Question{Title: "Which?", Message: "m", Multiple: true, Options: options("One", "Two"), AllowText: true}
	d := dialog.New(dialog.Question{Asked: question.Asked{Question: q}, Elsewhere: "Answer it at http://localhost:8000/popup"}, dialog.Look{})
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

// The border says which other host asks, whatever the question says.
func TestHost(t *testing.T) {
	q := deploy
	q.Message = "asked on laptop"
	for name, tt := range map[string]struct {
		host     string
		severity question.Severity
		cols     int
		want     string
	}{
		"another host":              {"build1", question.Info, 40, "╭ asked on build1 ─────────────────────╮"},
		"danger":                    {"build1", question.Danger, 40, "╭ danger  asked on build1 ─────────────╮"},
		"half a terminal":           {"production", question.Info, 22, "╭ on production ─────╮"},
		"a small terminal":          {"build1", question.Danger, 20, "╭ danger  on ──────╮\n├ build1           ┤"},
		"a long name":               {strings.Repeat("build", 5) + "1", question.Info, 20, "╭ on ──────────────╮\n├ buildbuildbuildb ┤\n├ uildbuild1       ┤"},
		"wide characters":           {"東京", question.Info, 20, "╭ asked on 東京 ───╮"},
		"a name that is not a word": {"a\nb\x1b[31m", question.Info, 40, "╭ asked on a_b_[31m ───────────────────╮"},
		"this one":                  {"", question.Info, 40, "╭──────────────────────────────────────╮"},
	} {
		t.Run(name, func(t *testing.T) {
			q.Severity = tt.severity
			d := dialog.New(dialog.Question{Asked: question.Asked{Question: q, Host: tt.host}}, dialog.Look{})
			got := draw(t, d, tt.cols, 20)
			if !strings.HasPrefix(got, tt.want+"\n") || strings.ContainsRune(got, 0x1b) || !strings.Contains(got, "2  Refuse") {
				t.Errorf("%s\nwant it to begin with\n%s", got, tt.want)
			}
		})
	}
}
