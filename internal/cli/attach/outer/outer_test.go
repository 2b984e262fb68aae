package outer

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

var noon = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)

func key(t *testing.T, name string) Key {
	t.Helper()
	k, err := ParseKey(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestParseKey(t *testing.T) {
	for name, want := range map[string]string{
		`ctrl-\`: `Ctrl+\`, `Ctrl+]`: "Ctrl+]", "C-b": "Ctrl+B", "^Q": "Ctrl+Q", "ctrl-@": "Ctrl+@", "off": "off", "None": "off",
	} {
		if got := key(t, name).String(); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for _, name := range []string{"", "x", "ctrl-", "ctrl-i", "ctrl-m", "ctrl-[", "ctrl-1", "ctrl-é", "ctrl-ab", "alt-x"} {
		if k, err := ParseKey(name); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q is %v, %v", name, k, err)
		}
	}
}

func TestDetachKey(t *testing.T) {
	type step struct {
		after time.Duration
		typed string
		want  string // for the session; "-" at its end: the person leaves
	}
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		key   string
		steps []step
	}{
		"once":                    {`ctrl-\`, []step{{0, "a\x1cb", "a^."}, {0, "b", "b"}}},
		"twice at once":           {`ctrl-\`, []step{{0, "a\x1c\x1cb", "a^-"}}},
		"twice":                   {`ctrl-\`, []step{{0, "\x1c", "^"}, {time.Hour, "\x1c", "-"}}},
		"itself":                  {`ctrl-\`, []step{{0, "a\x1c\\b", "a^.\x1cb"}}},
		"itself, reported":        {`ctrl-\`, []step{{0, "\x1b[92;5u\x1b[92;5:3u", "^"}, {0, "\\", ".\x1b[92;5u"}}},
		"with a key between":      {`ctrl-\`, []step{{0, "\x1c", "^"}, {0, "x", "."}, {0, "\x1c", "^"}}},
		"with the mouse between":  {`ctrl-\`, []step{{0, "\x1c", "^"}, {0, "\x1b[<35;1;1M", "\x1b[<35;1;1M"}, {0, "\x1c", "-"}}},
		"with a paste between":    {`ctrl-\`, []step{{0, "\x1c", "^"}, {0, "\x1b[200~d\x1b[201~", ".\x1b[200~d\x1b[201~"}, {0, "d", "d"}}},
		"as kitty reports it":     {`ctrl-\`, []step{{0, "\x1b[92;5u", "^"}, {0, "\x1b[92;5:3u", ""}, {0, "\x1b[92;5u", "-"}}},
		"held down":               {`ctrl-\`, []step{{0, "\x1b[92;5u\x1b[92;5:2u", "^"}}},
		"as xterm reports it":     {`ctrl-\`, []step{{0, "\x1b[27;5;92~", "^"}, {0, "\x1c", "-"}}},
		"in pieces":               {`ctrl-\`, []step{{0, "\x1b[92", ""}, {0, ";5u", "^"}, {0, "\x1b[92;", ""}, {0, "5u", "-"}}},
		"pasted":                  {`ctrl-\`, []step{{0, "\x1b[200~\x1c\x1c\x1b[201~", "\x1b[200~\x1c\x1c\x1b[201~"}}},
		"pasted in pieces":        {`ctrl-\`, []step{{0, "\x1b[200~a", "\x1b[200~a"}, {0, "\x1c\x1c\x1b[20", "\x1c\x1c\x1b[20"}, {0, "1~", "1~"}, {0, "\x1c\x1c", "^-"}}},
		"pasted and cut around":   {`ctrl-\`, []step{{0, "\x1b[200~a", "\x1b[200~a"}, {0, "\x1c", "\x1c"}, {0, "\x1c", "\x1c"}, {0, "\x1b[201~", "\x1b[201~"}}},
		"a paste without an end":  {`ctrl-\`, []step{{0, "\x1b[200~a", "\x1b[200~a"}, {500 * ms, "\x1c", "^"}, {0, "\x1c", "-"}}},
		"another key":             {"ctrl-b", []step{{0, "\x1c\x1c\x02", "\x1c\x1c^"}, {0, "\x02", "-"}}},
		"another, as a character": {"ctrl-b", []step{{0, "\x1b[98;5u", "^"}, {0, "\x02", "-"}}},
		"another, once":           {"ctrl-b", []step{{0, "a\x02", "a^"}, {0, "b", "."}}},
		"ctrl-@":                  {"ctrl-@", []step{{0, "\x00\x00", "^-"}}},
		"d detaches":              {`ctrl-\`, []step{{0, "\x1cd", "^.-"}}},
		"d after another key":     {"ctrl-b", []step{{0, "a\x02db", "a^.-"}}},
		"what agents do":          {`ctrl-\`, []step{{0, "x\x1cay", "x^.<agent>y"}, {0, "a", "a"}}},
		"the same, another key":   {"ctrl-b", []step{{0, "\x02aa", "^.<agent>a"}, {0, "\x02\x01", "^."}}},
		"d with Ctrl":             {`ctrl-\`, []step{{0, "\x1c\x04", "^."}}},
		"looking back":            {`ctrl-\`, []step{{0, "a\x1c[b", "a^.<>b"}, {0, "[", "["}}},
		"by a page":               {"ctrl-b", []step{{0, "\x02", "^"}, {0, "\x1b[5~", ".<\x1b[5~>"}}},
		"a key between":           {"ctrl-b", []step{{0, "\x02x[", "^.["}}},
		"off":                     {"off", []step{{0, "\x1c\x1c\x1c[", "\x1c\x1c\x1c["}}},
	} {
		t.Run(name, func(t *testing.T) {
			in, now := Input{Detach: key(t, tt.key)}, noon
			for i, s := range tt.steps {
				now = now.Add(s.after)
				if text := feed(&in, s.typed, now); text != s.want {
					t.Errorf("step %d: %q, want %q", i, text, s.want)
				}
			}
		})
	}
}

// After a command that displays something of the client's, all input is for that, key by key.
func TestCommandsOfOwn(t *testing.T) {
	for typed, want := range map[string]string{
		"x\x1csab": "x^.{3}(a)(b)", "x\x1cL\x1c\x1cb": "x^.{4}-", "\x1c\x1b[108;2u": "^.{4}", "\x1c$\x1b[A": "^.{5}(ArrowUp)", "\x1c?é": "^.{6}(é)",
		"\x1cs\x1b[<0;1;1M\x1b[200~p\rq\x1b[201~\x1b[97;1:3u": "^.{3}[\x1b[<0;1;1M][\x1b[200~p\rq\x1b[201~](a release)",
		"\x1clab": "^.ab", "\x1c\x1bsa": "^.a", "\x1c\x13a": "^.a", "\x1c\x1aa": "^.{7}a",
		"\x1cs\x1cd": "^.{3}-", "\x1cs\x1cL": "^.{3}{4}", "\x1cs\x1ca": "^.{3}<agent>", "\x1cs\x1cx": "^.{3}", "\x1cs\x1c\x1b[A": "^.{3}",
		"\x1csż日": "^.{3}(ż)(日)", "\x1cse\u0301": "^.{3}(e)(\u0301)", "\x1cs\xffa": "^.{3}[\xff](a)",
	} {
		for _, size := range []int{1, 2, 100} { // as it may be read
			in := Input{Detach: DefaultKey, Suspends: true}
			got, own := "", false
			for b := typed; b != ""; {
				n := min(size, len(b))
				text := feedOwn(&in, b[:n], noon, &own)
				got, b = got+text, b[n:]
			}
			if got != want && !(size < 3 && strings.Contains(typed, "\x1b")) {
				t.Errorf("%q, %d bytes at once: %q, want %q", typed, size, got, want)
			}
		}
	}
}

// What is held back when the detach key waits is no command, and is dropped with it.
func TestHeldAfterDetachKey(t *testing.T) {
	for _, typed := range []string{"\x1c\xc3", "\x1c\x1b[1"} {
		in := Input{Detach: DefaultKey}
		feed(&in, typed, noon)
		if in.Holds() == 0 {
			t.Fatalf("%q is not held back", typed)
		}
		if p := in.Release(); p.Bytes != nil || p.Key != nil || in.Waits() {
			t.Errorf("%q: %+v, waits %t", typed, p, in.Waits())
		}
	}
}

// feed passes input on as a client does. It returns what the session gets, with the keys for
// looking back between < and >; ^ and . say that the detach key waits, and does not any more; -
// that the person leaves.
func feed(in *Input, typed string, now time.Time) string { return feedOwn(in, typed, now, new(bool)) }

// feedOwn is feed. A command in braces makes the client display something of its own: what that
// gets is in brackets.
func feedOwn(in *Input, typed string, now time.Time, own *bool) string {
	var text strings.Builder
	for b := in.Arrive([]byte(typed), now); len(b) > 0; {
		waited := in.Waits()
		var p Part
		p, b = in.Next(b, *own)
		if !*own && waited && !in.Waits() {
			text.WriteByte('.')
		}
		switch {
		case p.Leave:
			return text.String() + "-"
		case p.Command == Prefix && !*own:
			text.WriteByte('^')
		case p.Command == Prefix:
		case p.Command == Agent:
			text.WriteString("<agent>")
		case p.Command == LookBack:
			text.WriteString("<" + string(p.Bytes) + ">")
		case p.Command != Pass:
			fmt.Fprintf(&text, "{%d}", p.Command)
			*own = p.Command != Suspend
		case *own && p.Key != nil:
			text.WriteString("(" + strings.TrimSpace(p.Key.Key+" "+p.Key.Event) + ")")
		case *own && len(p.Bytes) > 0:
			text.WriteString("[" + string(p.Bytes) + "]")
		default:
			text.Write(p.Bytes)
		}
	}
	return text.String()
}

// A terminal gets its modes and its title back, and keeps its text.
func TestRestore(t *testing.T) {
	for _, setup := range []string{
		"", "\x1b[?2004h", "\x1b[?1000;1006h", "\x1b[?1003h\x1b[?1h\x1b=", "\x1b[?1007h\x1b[?1004h", "\x1b[?25l", "\x1b[?7l", "\x1b[?5h", "\x1b[?1007l\x1b[=5u",
		"\x1b]2;before\x1b\\", "\x1b[?2027h", "\x1b[?2027l",
	} {
		for _, alternate := range []bool{false, true} {
			outer, err := vt.New(vt.Options{Cols: 20, Rows: 4, Scrollback: 100})
			if err != nil {
				t.Fatal(err)
			}
			write := func(b []byte) {
				if _, err := outer.Write(b); err != nil {
					t.Fatal(err)
				}
			}
			write([]byte(setup + "$ wsh\r\n"))
			before := outer.Snapshot()
			input := outer.Input()
			write(Prepare(nil, alternate))
			inner, err := vt.New(vt.Options{Cols: 20, Rows: 4})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := inner.Write([]byte("in\x1b[31m\x1b[?1h\x1b=\x1b[?1002;1006;2004h\x1b[?25l\x1b[>7u\x1b[>4;1m\x1b]2;in\x1b\\\x1b[3 q\x1b[2;3r")); err != nil {
				t.Fatal(err)
			}
			d := render.Display{Screens: !alternate}
			write(d.Draw(nil, nil, render.OfScreen(inner.Snapshot())))
			write(new(Effects).Restore(d.Leave(nil), alternate))

			after := outer.Snapshot()
			if got := outer.Input(); got != input {
				t.Errorf("%q, alternate %t: %+v, was %+v", setup, alternate, got, input)
			}
			if after.Title != before.Title {
				t.Errorf("%q: the title is %q, was %q", setup, after.Title, before.Title)
			}
			if alternate && (after.Lines[0].Plain() != "$ wsh" || after.Cursor.Row != before.Cursor.Row) {
				t.Errorf("%q: the alternate screen leaves %q, cursor in row %d", setup, after.Lines[0].Plain(), after.Cursor.Row)
			}
			if !alternate && (after.Lines[0].Plain() != "in" || after.Cursor.Row != 1 || after.Cursor.Col != 0) {
				t.Errorf("%q: the screen has %q, and the cursor is at %d, %d", setup, after.Lines[0].Plain(), after.Cursor.Row, after.Cursor.Col)
			}
		}
	}
}

// A terminal that cannot restore modes has the usual ones afterwards, and the cursor stays, also
// where the private form of that sequence is taken for the one about margins. Many terminals take
// no more than 16 parameters.
func TestRestoreWithoutSaving(t *testing.T) {
	sequence := regexp.MustCompile("\x1b\\[\\?([0-9;]+)([sr])")
	restore := new(Effects).Restore(render.AppendRestore(nil), false)
	for _, m := range sequence.FindAllSubmatch(append(Prepare(nil, false), restore...), -1) {
		if n := 1 + bytes.Count(m[1], []byte(";")); n > 16 {
			t.Errorf("%q has %d parameters", m[0], n)
		}
	}
	for _, instead := range []string{"", "\x1b[${1}${2}"} {
		outer, err := vt.New(vt.Options{Cols: 20, Rows: 6})
		if err != nil {
			t.Fatal(err)
		}
		drawn := []byte("\x1b[?2027l\r\n\n\nhere\x1b[?1000;2004;2027h")
		if _, err := outer.Write(append(drawn, sequence.ReplaceAll(restore, []byte(instead))...)); err != nil {
			t.Fatal(err)
		}
		// Four columns: the cluster is drawn as its code points.
		if _, err := outer.Write([]byte("\n\n\n\rA\U0001f469\u200d\U0001f467")); err != nil {
			t.Fatal(err)
		}
		got := outer.Snapshot()
		if got.Lines[2].Plain() != "here" || got.Cursor.Row != 5 || got.Cursor.Col != 5 {
			t.Errorf("instead %q: %q, cursor at %d, %d", instead, got.Lines[2].Plain(), got.Cursor.Row, got.Cursor.Col)
		}
		if in := outer.Input(); in.Modes.Has(vt.ModeBracketedPaste) {
			t.Errorf("instead %q: %+v", instead, in)
		}
	}
}

// FuzzInput checks that all input gets to the session once, in order, up to the moment when the
// person leaves.
func FuzzInput(f *testing.F) {
	f.Add([]byte("a\x1b[200~\x1c\x1b[201~\x1b[92;5u\x1b[A\x1b[?7;1$y\x1b[>4;2m\x1b"), 3)
	f.Add([]byte("\x1b[?2004;2$y\x1b[?"), 1)
	f.Add([]byte("\x1bP1$r2 q\x1b\\\x1bP0$r\x1b\\\x1bP1$r0;1m\x07\x1bPx\x1b]12;rgb:1/2/3\x1b\\\x1b]12;rgb:"), 7)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		size = max(1, size%64)
		in := Input{Detach: DefaultKey}
		var got []byte
		for rest := data; len(rest) > 0; {
			n := min(size, len(rest))
			for b := in.Arrive(rest[:n], noon); len(b) > 0; {
				var p Part
				if p, b = in.Next(b, false); p.Leave || p.Command != Pass {
					return
				}
				got = append(got, p.Bytes...)
			}
			rest = rest[n:]
		}
		got = append(got, in.Release().Bytes...)
		if in.Holds() > 0 {
			t.Error("something is held back after it was released")
		}
		if !bytes.Equal(got, data) {
			t.Errorf("of %q the session gets %q", data, got)
		}
	})
}

// A person who only looks leaves with Ctrl-C, in whichever form the terminal reports it.
func TestWatching(t *testing.T) {
	for typed, leaves := range map[string]bool{"\x03": true, "\x1b[99;5u": true, "\x1b[99;5:3u": false, "c": false, "\x1b[99;6u": false, "\x1b[200~\x03\x1b[201~": false, "\x1c": false} {
		for _, watching := range []bool{true, false} {
			in := Input{Detach: DefaultKey, Watching: watching}
			if leave := strings.HasSuffix(feed(&in, typed, noon), "-"); leave != (leaves && watching) {
				t.Errorf("%q, watching %v: leaves %v", typed, watching, leave)
			}
		}
	}
}
