package chooser

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/sgr"
)

func sessions(names ...string) (list []Session) {
	for _, n := range names {
		list = append(list, Session{ID: "@" + n, Name: n, State: "prompt", Doing: "make " + n})
	}
	return list
}

// press presses keys: characters, and names in angle brackets. It returns what the last one does.
func press(m *Model, typed string) (o Outcome) {
	for typed != "" {
		key := typed[:1]
		if named, _, ok := strings.Cut(typed, ">"); ok && key == "<" {
			key = named + ">"
		}
		typed = typed[len(key):]
		k := keys.Key{Key: strings.Trim(key, "<>")}
		if rest, ok := strings.CutPrefix(k.Key, "C-"); ok {
			k = keys.Key{Key: rest, Modifiers: []string{"ctrl"}}
		}
		o = m.Key(k)
	}
	return o
}

func text(m *Model, cols, rows int) string {
	return strings.Join(m.Frame(cols, rows).Plain(), "\n")
}

// Digits open the sessions beside which they are displayed: those of that name first.
func TestDigits(t *testing.T) {
	m := Choose(false, Session{ID: "@2", Name: "2"}, "")
	m.Show(sessions("build", "2", "0", "web", "12"), nil)
	want := strings.Join([]string{
		" Sessions" + strings.Repeat(" ", 20) + "5",
		" 1   build  prompt  make build",
		" 2 * 2      prompt  make 2",
		" 0   0      prompt  make 0",
		" 3   web    prompt  make web",
		" 4   12     prompt  make 12",
		" type to search  Esc goes back",
	}, "\n")
	if d := cmp.Diff(want, text(m, 31, 7)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for key, want := range map[string]Outcome{"1": {Open: "@build"}, "2": {Leave: true}, "0": {Open: "@0"}, "3": {Open: "@web"}, "4": {Open: "@12"}, "9": {}, "q": {Leave: true}} {
		m := Choose(false, Session{ID: "@2", Name: "2"}, "")
		m.Show(sessions("build", "2", "0", "web", "12"), nil)
		if d := cmp.Diff(want, press(m, key)); d != "" {
			t.Errorf("%s (-want +got):\n%s", key, d)
		}
	}
}

// A digit that the person has read opens that session or none, whatever has become of the list.
func TestDigitsStay(t *testing.T) {
	m := Choose(false, Session{ID: "@a", Name: "a"}, "")
	m.Show(sessions("a", "b", "c"), nil)
	m.Show(sessions("0", "c", "new", "3"), nil)
	want := strings.Join([]string{
		" Sessions" + strings.Repeat(" ", 20) + "4",
		" 0   0    prompt  make 0",
		" 3   c    prompt  make c",
		" 4   new  prompt  make new",
		" 5   3    prompt  make 3",
		" type to search  Esc goes back",
	}, "\n")
	if d := cmp.Diff(want, text(m, 31, 6)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := press(m, "2"); got.Open != "" {
		t.Errorf("the digit of a session that is gone opens %q", got.Open)
	}
	m.field, m.searching = "", false
	if got := press(m, "3"); got.Open != "@c" {
		t.Errorf("the digit of c opens %q", got.Open)
	}
}

func TestSearch(t *testing.T) {
	for typed, want := range map[string]string{
		"web<Enter>": "@web", "WE<Enter>": "@web", "/2<Enter>": "@2", "/12<Enter>": "@12", "/q<Enter>": "@queue", "b<Enter>": "@build", "uild make<Enter>": "@build",
		"nosuch<Enter>": "", "nosuch<C-u>web<Enter>": "@web", "wex<Backspace><Enter>": "@web", "w<Backspace><Backspace>2": "@2", "web x<C-w><Enter>": "@web",
		"e<ArrowDown><Enter>": "@2", "<ArrowDown><Enter>": "@2", "<End><Enter>": "@12", "<End><ArrowUp><Enter>": "@queue", "<PageDown><Enter>": "@12", "<End><Home><Enter>": "@build", "<C-n><C-n><C-p><Enter>": "@2",
	} {
		m := Choose(false, Session{ID: "@build", Name: "build"}, "")
		m.Show(sessions("build", "2", "web", "queue", "12"), nil)
		m.Frame(40, 10)
		o := press(m, typed)
		if got := o.Open; got != want && (want != "@build" || !o.Leave) {
			t.Errorf("%s: %+v, want %q", typed, o, want)
		}
	}
}

// The selection stays on its session while others come and go, and goes to the next one with it.
func TestSelectionStays(t *testing.T) {
	m := Choose(false, Session{ID: "@b", Name: "b"}, "")
	if m.Ready() {
		t.Error("ready without a list")
	}
	for _, tt := range []struct {
		list []Session
		want string
	}{
		{sessions("a", "b", "c", "d"), "@b"}, {sessions("0", "b", "c", "d"), "@b"}, {sessions("0", "c", "d"), "@c"}, {sessions("0", "a", "d"), "@d"}, {sessions("0", "a"), "@a"}, {nil, "@a"}, {sessions("x"), "@x"},
	} {
		m.Show(tt.list, nil)
		if m.selected != tt.want {
			t.Errorf("of %v %s is selected, want %s", tt.list, m.selected, tt.want)
		}
	}
	m.Show(nil, errors.New("the server has gone"))
	if got := text(m, 60, 6); !strings.Contains(got, "the server has gone") || !strings.Contains(got, " x ") {
		t.Errorf("without a server:\n%s", got)
	}
}

// Every size has what matters most, and nothing is wider than the terminal.
func TestSizes(t *testing.T) {
	long := Session{ID: "@l", Name: strings.Repeat("日本", 40), State: "running", Needs: "asks", Doing: strings.Repeat("x", 300), Tags: "[ci]"}
	many := sessions("a")
	for i := range 299 {
		many = append(many, sessions(fmt.Sprintf("s%d", i))...)
	}
	for _, list := range [][]Session{nil, {long}, append(sessions("a", "b", "c", "d", "e", "f"), long)} {
		for _, begin := range []func() *Model{
			func() *Model { return Choose(false, long, strings.Repeat("notice ", 30)) },
			func() *Model { return Choose(true, Session{ID: "@s298"}, "") },
			func() *Model { m := Choose(false, long, ""); m.Paste("/a\nb"); return m },
			func() *Model { return Rename(false, long) },
			func() *Model { return Read(false, "Keys.\n\n    a  b\n"+strings.Repeat("word ", 200)) },
		} {
			m := begin()
			m.Show(list, nil)
			for cols := 1; cols < 100; cols += 1 + cols/2 {
				for rows := 1; rows < 40; rows += 1 + rows {
					f := m.Frame(cols, rows)
					if len(f.Lines) != rows || f.Cursor.Row >= rows || f.Cursor.Col >= cols {
						t.Fatalf("%dx%d: %d rows, cursor %+v", cols, rows, len(f.Lines), f.Cursor)
					}
					for _, l := range f.Lines {
						if l.Columns() > cols {
							t.Fatalf("%dx%d: %q is too wide", cols, rows, l.Plain())
						}
					}
				}
			}
		}
	}
	m := Choose(false, Session{ID: "@s250", Name: "s250"}, "")
	m.Show(many, nil)
	if got := text(m, 40, 8); !strings.Contains(got, " * s250 ") {
		t.Errorf("the current session is not displayed:\n%s", got)
	}
	if got := text(m, 40, 1); !strings.Contains(got, " * s250 ") {
		t.Errorf("in one row: %q", got)
	}
}

func TestRename(t *testing.T) {
	begin := func() *Model { return Rename(false, Session{ID: "@a", Name: "a"}) }
	for typed, want := range map[string]Outcome{
		"<Enter>": {Leave: true}, "<C-u><Enter>": {Leave: true}, "b<Enter>": {Rename: "ab"}, "<Backspace>q1<Enter>": {Rename: "q1"}, "b<Escape>": {Leave: true},
	} {
		if d := cmp.Diff(want, press(begin(), typed)); d != "" {
			t.Errorf("%s (-want +got):\n%s", typed, d)
		}
	}
	m := begin()
	press(m, "b<Enter>")
	m.Fail("there is a session \"ab\" already")
	if got := text(m, 60, 5); !strings.Contains(got, "already\n Rename a to: ab ") {
		t.Errorf("after the refusal:\n%s", got)
	}
	press(m, "c")
	if got := text(m, 60, 5); strings.Contains(got, "already") || !strings.Contains(got, "to: abc ") {
		t.Errorf("after another key:\n%s", got)
	}
}

func TestRead(t *testing.T) {
	m := Read(false, "First.\n\n    a  one\n    b  two\n\nLast line.")
	if m.Lists() || !m.Ready() {
		t.Error("it needs a list")
	}
	if got := text(m, 20, 5); got != " Keys\n First.\n\n  a  one\n Esc goes back" {
		t.Errorf("%q", got)
	}
	press(m, "<End>")
	if got := text(m, 20, 5); !strings.Contains(got, "Last line.") {
		t.Errorf("at the end: %q", got)
	}
	for _, key := range []string{"q", "<Escape>", "<Enter>", "<C-c>"} {
		if !press(m, key).Leave {
			t.Errorf("%s does not leave", key)
		}
	}
}

// What needs the person stands out, with and without colours, except in their own session.
func TestNeeds(t *testing.T) {
	for _, plain := range []bool{false, true} {
		m := Choose(plain, Session{ID: "@a"}, "")
		list := sessions("a", "b")
		list[0].Needs, list[1].Needs = "waits", "asks"
		m.Show(list, nil)
		f := m.Frame(40, 5)
		if strings.Contains(f.Lines[1].Plain(), "waits") || !strings.Contains(f.Lines[2].Plain(), "asks") {
			t.Errorf("%q", f.Plain())
		}
		var loud, colored bool
		for _, s := range f.Lines[2].Spans {
			loud = loud || s.Style != sgr.Style{}
			colored = colored || s.Style.BG != 0 || s.Style.FG != 0
		}
		if !loud || colored == plain {
			t.Errorf("plain %v: loud %v, colours %v", plain, loud, colored)
		}
	}
}

// A session that another client renames has its new name here, too. What the person has edited
// stays.
func TestRenamedElsewhere(t *testing.T) {
	m := Rename(false, Session{ID: "@a", Name: "a"})
	m.Show([]Session{{ID: "@a", Name: "b"}}, nil)
	if got := text(m, 60, 3); !strings.Contains(got, "Rename b to: b ") {
		t.Errorf("renamed:\n%s", got)
	}
	if o := press(m, "<Enter>"); !o.Leave {
		t.Errorf("the same name: %+v", o)
	}
	press(m, "x")
	m.Show([]Session{{ID: "@a", Name: "c"}}, nil)
	if got := text(m, 60, 3); !strings.Contains(got, "Rename c to: bx ") {
		t.Errorf("edited, and then renamed:\n%s", got)
	}
	if o := press(m, "<Backspace><Backspace>a<Enter>"); o.Rename != "a" {
		t.Errorf("the name it had: %+v", o)
	}
}

// A line that the person edits is there from its start, unless it is too long for the terminal.
func TestFieldFits(t *testing.T) {
	for cols := 10; cols < 60; cols++ {
		m := Rename(false, Session{ID: "@a", Name: "one"})
		if got := text(m, cols, 1); !strings.Contains(got, " one") {
			t.Errorf("%d columns: %q", cols, got)
		}
		m = Choose(false, Session{ID: "@a", Name: "one"}, "")
		m.Show(sessions("one"), nil)
		press(m, "one")
		if got := text(m, cols, 1); !strings.Contains(got, " one") && !strings.Contains(got, "/one") {
			t.Errorf("%d columns: %q", cols, got)
		}
	}
}
