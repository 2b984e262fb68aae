package overlay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)

func TestKeys(t *testing.T) {
	for input, want := range map[string]string{
		"a": "a", "é": "é", "日": "日", " ": " ", "ab": "a|b", "\r": "Enter", "\t": "Tab", "\x7f": "Backspace",
		"\x1b": "Escape", "\x1b\x1b": "Escape|Escape", "\x03": "ctrl+c", "\x00": "ctrl+ ", "\x1d": "ctrl+]", "\x0a": "ctrl+j",
		"\x1bx": "alt+x", "\x1bX": "alt+X", "\x1b\x01": "ctrl+alt+a", "\x1b\r": "alt+Enter",
		"\x1b[A": "ArrowUp", "\x1bOB": "ArrowDown", "\x1b[1;5C": "ctrl+ArrowRight", "\x1b[1;2D": "shift+ArrowLeft", "\x1b[H": "Home", "\x1bOF": "End",
		"\x1b[3~": "Delete", "\x1b[5;3~": "alt+PageUp", "\x1b[15~": "F5", "\x1bOP": "F1", "\x1b[24;6~": "ctrl+shift+F12", "\x1b[Z": "shift+Tab",
		"\x1b[97u": "a", "\x1b[97;5u": "ctrl+a", "\x1b[97:65;6:1u": "ctrl+shift+a", "\x1b[13;2u": "shift+Enter", "\x1b[97;1:3u": "a release", "\x1b[1;1:2A": "ArrowUp repeat",
		"\x1b[97;9u": "super+a", "\x1b[57441;2u": "-", "\x1b[27;5;105~": "ctrl+i", "\x1b[27u": "Escape", "\x1b[97;69u": "ctrl+a",
		"\x1b[<0;5;7M": "-", "\x1b[M !!": "-", "\x1b[I": "-", "\x1b[?62;1c": "-", "\x1b]11;rgb:0/0/0\x1b\\": "-", "\x1bP>|x\x07a": "-|a",
		"\x1b[": "alt+[", "\x1b]": "alt+]", "\x1bP": "alt+P", "\x1b]x": "alt+]|x", "\x1b[1;": "-", "\x1b[\x03": "-|ctrl+c", "\xff": "-", "\xe6\x97": "-|-", "\x1b[200~a\r\x1bb\x1b[201~c": "-|c",
	} {
		m := model(t, 80, 24)
		in := m.Input(new(Splitter), []byte(input))
		var got []string
		raw := ""
		for _, e := range in {
			raw += string(e.Raw)
			s := "-"
			if k := e.Parsed; k != nil {
				s = strings.TrimSpace(strings.Join(append(k.Modifiers, ""), "+"))
				s += k.Key
				if k.Event != "" {
					s += " " + k.Event
				}
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q is %s, want %s", input, s, want)
		}
		if raw != input || string(programOf(in)) != input {
			t.Errorf("%q: raw %q, to the program %q", input, raw, programOf(in))
		}
	}
}

func TestInputEventJSON(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","focusable":true}]`)
	if err := m.Focus("overlay-1"); err != nil {
		t.Fatal(err)
	}
	m.Capture()
	in := m.Input(new(Splitter), []byte("\x03\x1b[I"))
	got, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{"mode":"capture","raw":[3],"parsed":{"key":"c","modifiers":["ctrl"]},"target":"overlay-1"},` +
		`{"mode":"capture","raw":[27,91,73],"parsed":null,"target":"overlay-1"}]`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestToggleKey types pieces of input, and checks who gets them.
func TestToggleKey(t *testing.T) {
	type step struct {
		after time.Duration
		typed string
		want  string // input of the program, number of events, resulting mode
	}
	const s = time.Second
	for _, c := range []struct {
		name    string
		capture bool
		steps   []step
	}{
		{"it passes", false, []step{{0, "\x1c", `"\x1c" 1 passthrough`}, {0, "\x1c\x1c", `"\x1c\x1c" 2 passthrough`}}},
		{"passing, it ends capture", true, []step{{0, "\x1ca", `"a" 1 passthrough`}}},
		{"pasted, it passes", false, []step{{0, "\x1b[200~\x1c\x1b[201~", `"\x1b[200~\x1c\x1b[201~" 1 passthrough`}}},
		{"passthrough", false, []step{{0, "ls\r", `"ls\r" 3 passthrough`}}},
		{"capture", true, []step{{0, "ls\r", `"" 3 capture`}}},
		{"out", true, []step{{0, "\x1c", `"" 0 passthrough`}, {s, "a", `"a" 1 passthrough`}}},
		{"between other keys", true, []step{{0, "ab\x1ccd", `"cd" 4 passthrough`}}},
		{"as kitty reports it", true, []step{{0, "\x1b[92;5u", `"" 0 passthrough`}, {0, "\x1b[92;5:3u", `"" 0 passthrough`}, {0, "\x1b[92;5:3u", `"\x1b[92;5:3u" 1 passthrough`}}},
		{"with num lock", true, []step{{0, "\x1b[92;133u", `"" 0 passthrough`}}},
		{"held down", true, []step{{0, "\x1b[92;5u", `"" 0 passthrough`}, {0, "\x1b[92;5:2u", `"" 0 passthrough`}, {0, "\x1b[97;1:3u", `"\x1b[97;1:3u" 1 passthrough`}}},
		{"as xterm reports it when asked", true, []step{{0, "\x1b[27;5;92~", `"" 0 passthrough`}}},
		{"with alt it is another key", true, []step{{0, "\x1b\x1c", `"" 1 capture`}}},
		{"pasted text", true, []step{{0, "\x1b[200~a\x1cb\x1b[201~\x1c", `"" 1 passthrough`}}},
		{"a paste in pieces", false, []step{{0, "\x1b[200~a", `"\x1b[200~a" 1 passthrough`}, {0, "b\x1cc\x1b[2", `"b\x1cc\x1b[2" 1 passthrough`}, {0, "01~d", `"01~d" 2 passthrough`}, {0, "\x1c", `"\x1c" 1 passthrough`}}},
		{"a paste that never ends", true, []step{{0, "\x1b[200~a", `"" 1 capture`}, {s, "\x1c", `"" 0 passthrough`}, {0, "ls", `"ls" 2 passthrough`}}},
		{"a paste that is cut around it", false, []step{{0, "\x1b[200~a", `"\x1b[200~a" 1 passthrough`}, {s / 4, "\x1c", `"\x1c" 1 passthrough`}, {s / 4, "\x1c\x1b[201~", `"\x1c\x1b[201~" 1 passthrough`}}},
		{"after an unfinished sequence", true, []step{{0, "\x1b[\x1c", `"" 1 passthrough`}}},
		{"after an unfinished string", true, []step{{0, "\x1b]\x1c", `"" 1 passthrough`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := model(t, 80, 24)
			if c.capture {
				m.Capture()
			}
			now := noon
			var k Splitter
			for i, step := range c.steps {
				now = now.Add(step.after)
				k.Arrive(len(step.typed), now)
				events := m.Input(&k, []byte(step.typed))
				if got := fmt.Sprintf("%q %d %s", programOf(events), len(events), m.InputMode()); got != step.want {
					t.Errorf("step %d: %s, want %s", i, got, step.want)
				}
			}
		})
	}
}

// programOf returns what the program gets.
func programOf(events []InputEvent) (b []byte) {
	for _, e := range events {
		if e.Mode == Passthrough {
			b = append(b, e.Raw...)
		}
	}
	return b
}

// TestToggleClearsFocus checks that Ctrl+\ does the same as Release.
func TestToggleClearsFocus(t *testing.T) {
	m := model(t, 80, 24)
	mustApply(t, m, `[{"op":"create","type":"overlay","focusable":true}]`)
	if err := m.Focus("overlay-1"); err != nil {
		t.Fatal(err)
	}
	m.Capture()
	if m.Input(new(Splitter), []byte{ToggleKey}); m.InputMode() != Passthrough || m.Focused() != "" {
		t.Errorf("%s, focus on %q", m.InputMode(), m.Focused())
	}
}

// TestTwoPersons checks that one person's incomplete input does not affect another's.
func TestTwoPersons(t *testing.T) {
	m := model(t, 80, 24)
	m.Capture()
	var a, b Splitter
	m.Input(&a, []byte("\x1b[200~pasted"))
	if m.Input(&b, []byte("\x1b[92;5u")); m.InputMode() != Passthrough {
		t.Error("while one person pastes, Ctrl+\\ of another does nothing")
	}
	if in := m.Input(&a, []byte("\x1b[92;5u\x1b[201~")); len(in) != 1 {
		t.Errorf("the rest of the paste makes %d events", len(in))
	}
}

// TestInputIsLinear types the start of a string many times: searching all of the input for the end
// of each would take minutes.
func TestInputIsLinear(t *testing.T) {
	m := model(t, 80, 24)
	in := m.Input(new(Splitter), []byte(strings.Repeat("\x1b]", 1<<16)))
	if len(in) != 1<<16 || len(programOf(in)) != 1<<17 {
		t.Errorf("%d events, %d bytes to the program", len(in), len(programOf(in)))
	}
}

// FuzzInput checks that no input is lost or duplicated, and that Ctrl+\ alone always ends
// capture.
func FuzzInput(f *testing.F) {
	f.Add([]byte("a\x1b[200~\x1c\x1b[201~\x1b[92;5u\x1b[A\x1b]0;x\x07"), 3)
	f.Fuzz(func(t *testing.T, typed []byte, cut int) {
		m := model(t, 80, 24)
		now := noon
		var k Splitter
		cut = max(0, min(cut, len(typed)))
		for _, part := range [][]byte{typed[:cut], typed[cut:]} {
			k.Arrive(len(part), now)
			events := m.Input(&k, part)
			var raw []byte
			for _, e := range events {
				if len(e.Raw) == 0 {
					t.Fatal("an event of nothing")
				}
				raw = append(raw, e.Raw...)
			}
			if !bytes.Equal(raw, part) {
				t.Fatalf("%q: events %q", part, raw)
			}
			now = now.Add(time.Hour)
		}
		m.Capture()
		k.Arrive(1, now)
		if m.Input(&k, []byte{ToggleKey}); m.InputMode() == Captured {
			t.Fatalf("after %q, Ctrl+\\ does nothing", typed)
		}
	})
}
