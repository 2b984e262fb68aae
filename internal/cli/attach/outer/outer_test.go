package outer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
			in.Before.answered = true
			for i, s := range tt.steps {
				now = now.Add(s.after)
				got, leave := in.Feed([]byte(s.typed), now)
				text := joined(got)
				if leave {
					text += "-"
				}
				if text != s.want {
					t.Errorf("step %d: %q, want %q", i, text, s.want)
				}
			}
		})
	}
}

// answers returns what a terminal sends when it is asked.
func answers(t *testing.T, setup string) []byte {
	t.Helper()
	var sent []byte
	term, err := vt.New(vt.Options{Cols: 20, Rows: 4, Effect: func(e vt.Effect) {
		if r, ok := e.(vt.Reply); ok {
			sent = append(sent, r.Data...)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := term.Write(append([]byte(setup), Questions("xterm-256color")...)); err != nil {
		t.Fatal(err)
	}
	return sent
}

// Answers do not get to the session, however they arrive among the keys.
func TestAnswers(t *testing.T) {
	sent := answers(t, "\x1b[?2004h\x1b[>4;1m")
	if bytes.Count(sent, []byte("$y")) != len(modes) || !bytes.Contains(sent, []byte("\x1b[>4;1m\x1bP1$r")) {
		t.Fatalf("a terminal answers %q", sent)
	}
	for cut := range len(sent) + 1 {
		var in Input
		var got []byte
		for _, b := range [][]byte{slices.Concat([]byte("a"), sent[:cut]), slices.Concat(sent[cut:], []byte("b"))} {
			part, _ := in.Feed(b, noon)
			got = append(got, joined(part)...)
		}
		if got = append(got, in.Release()...); string(got) != "ab" || !in.Before.Answered() {
			t.Errorf("cut at %d, the session gets %q, answered: %t", cut, got, in.Before.Answered())
		}
	}
}

// Terminals that would display control strings are not sent any.
func TestQuestionsWithoutStrings(t *testing.T) {
	for kind, asks := range map[string]bool{"": true, "xterm-256color": true, "tmux-256color": true, "screen": false, "screen-256color": false, "linux": false} {
		if q := Questions(kind); bytes.Contains(q, []byte("\x1bP")) != asks || !bytes.HasSuffix(q, []byte("\x1b[c")) {
			t.Errorf("%s is asked %q", kind, q)
		}
	}
}

// Answers that come late, as from a terminal around the one that has answered first, are answers
// still. Alt+P and Alt+] are keys.
func TestLateAnswers(t *testing.T) {
	for cut := range len("\x1bP1$r5 q\x1b\\") - 2 {
		var in Input
		in.Before.answered = true
		const late = "\x1bP1$r5 q\x1b\\\x1b]12;rgb:1/2/3\x07"
		var got []byte
		for _, part := range []string{"a" + late[:cut+3], late[cut+3:] + "b"} {
			typed, _ := in.Feed([]byte(part), noon)
			got = append(got, joined(typed)...)
		}
		if string(got) != "ab" || in.Before.cursorStyle != "5" || in.Before.cursorColor != "rgb:1/2/3" {
			t.Errorf("cut at %d, the session gets %q, and known is %+v", cut+3, got, in.Before)
		}
	}
	for _, typed := range []string{"\x1bP", "\x1b]", "\x1bPx", "\x1b]1", "\x1bP1$r\x1b[A", "\x1b]12;" + strings.Repeat("1", 300)} {
		var in Input
		in.Before.answered = true
		parts, _ := in.Feed([]byte(typed), noon)
		if got := joined(parts) + string(in.Release()); got != typed {
			t.Errorf("of %q the session gets %q", typed, got)
		}
	}
}

// While answers may come, Escape is held back only until the caller releases it.
func TestHeldEscape(t *testing.T) {
	var in Input
	if got, _ := in.Feed([]byte("\x1b"), noon); len(got) > 0 || in.Holds() == 0 {
		t.Errorf("Feed = %q, Holds = %v", joined(got), in.Holds())
	}
	if got := in.Release(); string(got) != "\x1b" || in.Holds() != 0 {
		t.Errorf("Release = %q, Holds = %v", got, in.Holds())
	}
	in.Feed(answers(t, ""), noon)
	if got, _ := in.Feed([]byte("\x1b"), noon); joined(got) != "\x1b" {
		t.Errorf("after the answers: %q", joined(got))
	}
}

// After a command that displays something of the client's, all input is for that, key by key.
func TestCommandsOfOwn(t *testing.T) {
	var in Input
	in.Detach = DefaultKey
	in.Before.answered = true
	for _, tt := range []struct {
		typed string
		want  Command
	}{{"s", Choose}, {"L", Previous}, {"\x1b[108;2u", Previous}, {"$", Rename}, {"?", Help}, {"l", Pass}, {"\x1bs", Pass}, {"\x13", Pass}} {
		parts, leave := in.Feed([]byte("x\x1c"+tt.typed+"ab\x1c\x1c"), noon)
		if tt.want == Pass {
			if !leave {
				t.Errorf("%q: %v", tt.typed, parts)
			}
			continue
		}
		want := []Typed{{Bytes: []byte("x")}, {Command: Prefix, Bytes: []byte(`Ctrl+\`)}, {Command: Prefix}, {Command: tt.want, Bytes: []byte("ab\x1c\x1c")}}
		if d := cmp.Diff(want, parts); d != "" || leave {
			t.Errorf("%q: leave %t (-want +got):\n%s", tt.typed, leave, d)
		}
	}

	in = Input{Detach: DefaultKey, Before: in.Before}
	var got []string
	rest := []byte("aé\x1b[A\x1b[<0;1;1M\x1b[200~p\rq\x1b[201~\x1b[97;1:3u\x1c\x1c")
	for len(rest) > 0 {
		var p Pressed
		p, rest = in.Key(rest, noon)
		got = append(got, pressed(p)...)
	}
	if d := cmp.Diff([]string{"a", "é", "ArrowUp", "paste p\rq", "leave"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}

	for typed, want := range map[string]string{
		"\x1cd": "leave", "\x1cL": "command 4", "\x1cs": "command 3", "\x1ca": "command 2", "\x1cx": "x", "\x1c\x1b[A": "ArrowUp", "d": "d", "\x1c\x1a": "command 7",
		"ż": "ż", "日": "日", "e\u0301": "e \u0301", "\xff": "",
	} {
		for _, size := range []int{1, 2, 100} { // as it may be read
			typing := Input{Detach: DefaultKey, Suspends: true}
			typing.Before.answered = true
			var got []string
			for b := []byte(typed); len(b) > 0; {
				rest := bytes.Clone(b[:min(size, len(b))])
				b = b[len(rest):]
				for len(rest) > 0 {
					var p Pressed
					p, rest = typing.Key(rest, noon)
					got = append(got, pressed(p)...)
				}
			}
			if text := strings.Join(got, " "); text != want && !(size < 3 && strings.HasPrefix(typed, "\x1c\x1b")) {
				t.Errorf("%q, %d bytes at once: %q, want %q", typed, size, text, want)
			}
		}
	}

	var fresh Input // answers may still come, so Escape waits
	if p, _ := fresh.Key([]byte("\x1b"), noon); p.Key != nil || fresh.Holds() == 0 {
		t.Errorf("Escape is %v at once", p.Key)
	}
	if key := fresh.ReleaseKey(); key == nil || key.Key != "Escape" {
		t.Errorf("released: %v", key)
	}
	if key := fresh.ReleaseKey(); key != nil {
		t.Errorf("released again: %v", key)
	}
}

// pressed says what a part of the input is.
func pressed(p Pressed) []string {
	switch {
	case p.Leave:
		return []string{"leave"}
	case p.Key != nil:
		return []string{p.Key.Key}
	case p.Paste != "":
		return []string{"paste " + p.Paste}
	case p.Command != Pass:
		return []string{fmt.Sprintf("command %d", p.Command)}
	}
	return nil
}

// joined returns what is passed on, with the keys for looking back between < and >; ^ and . say
// that the detach key waits, and does not any more.
func joined(parts []Typed) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Command == Agent:
			b.WriteString("<agent>")
		case p.Command == Prefix && len(p.Bytes) > 0:
			b.WriteByte('^')
		case p.Command == Prefix:
			b.WriteByte('.')
		case p.Command == LookBack:
			b.WriteString("<" + string(p.Bytes) + ">")
		case p.Command.displays():
			fmt.Fprintf(&b, "<%d %s>", p.Command, p.Bytes)
		default:
			b.Write(p.Bytes)
		}
	}
	return b.String()
}

// A terminal is restored to its state, whatever that was, and keeps its text.
func TestRestore(t *testing.T) {
	for _, setup := range []string{
		"", "\x1b[?2004h", "\x1b[?1000;1006h", "\x1b[?1003h\x1b[?1h\x1b=", "\x1b[?1007h\x1b[?1004h", "\x1b[?25l", "\x1b[?7l", "\x1b[?5h", "\x1b[>4;2m\x1b[=5u",
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
			modes, keys, other := outer.Modes(), outer.Keys(), outer.ModifyOtherKeys()
			var in Input
			in.Feed(answers(t, setup), noon)

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
			write(in.Before.Restore(d.Leave(nil), alternate))

			after := outer.Snapshot()
			if got := outer.Modes(); got != modes || outer.Keys() != keys || outer.ModifyOtherKeys() != other {
				t.Errorf("%q, alternate %t: modes %b, were %b; keys %v, were %v; other keys %d, were %d", setup, alternate, got, modes, outer.Keys(), keys, outer.ModifyOtherKeys(), other)
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

// FuzzInput checks that all input but answers gets to the session once, in order, up to the moment
// when the person leaves.
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
			parts, leave := in.Feed(bytes.Clone(rest[:n]), noon)
			if leave || slices.ContainsFunc(parts, func(p Typed) bool { return p.Command != Pass }) {
				return
			}
			got = append(got, joined(parts)...)
			rest = rest[n:]
		}
		got = append(got, in.Release()...)
		if in.Holds() > 0 {
			t.Error("something is held back after it was released")
		}
		strings := bytes.Contains(data, []byte("$r")) || bytes.Contains(data, []byte("\x1b]12;"))
		if in.Before == (Before{}) && !strings && !bytes.Contains(data, []byte("$y")) && !bytes.Contains(data, []byte("\x1b[>4;")) && !bytes.Equal(got, data) {
			t.Errorf("of %q the session gets %q", data, got)
		}
		if !isSubsequence(string(got), string(data)) {
			t.Errorf("of %q the session gets %q, which was not typed", data, got)
		}
	})
}

func isSubsequence(part, of string) bool {
	for i := range len(part) {
		at := strings.IndexByte(of, part[i])
		if at < 0 {
			return false
		}
		of = of[at+1:]
	}
	return true
}

// A person who only looks leaves with Ctrl-C, in whichever form the terminal reports it.
func TestWatching(t *testing.T) {
	for typed, leaves := range map[string]bool{"\x03": true, "\x1b[99;5u": true, "\x1b[99;5:3u": false, "c": false, "\x1b[99;6u": false, "\x1b[200~\x03\x1b[201~": false, "\x1c": false} {
		for _, watching := range []bool{true, false} {
			in := Input{Detach: DefaultKey, Watching: watching}
			in.Before.answered = true
			if _, leave := in.Feed([]byte(typed), noon); leave != (leaves && watching) {
				t.Errorf("%q, watching %v: leaves %v", typed, watching, leave)
			}
		}
	}
}
