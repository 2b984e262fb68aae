package core

import (
	"testing"
	"time"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/vt"
)

// Whatever is typed can be counted, and has not more keys than bytes.
func FuzzCountKeys(f *testing.F) {
	for _, text := range []string{"", "abc", "\x1b", "\x1b[A\x1bOP\x1bx\x1b\x1b", "\x1b[200~paste", "\x1b[", "é\xff"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if n := CountKeys(b); n > len(b) || n == 0 && len(b) > 0 {
			t.Errorf("%q has %d keys", b, n)
		}
	})
}

func TestCountKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "ab": 2, "é": 1, "\x1b": 1, "\x1b[A": 1, "\x1b[1;5Ax": 2, "\x1bOP": 1, "\x1bOPx": 2, "\x1bO": 1, "\x1bx": 1, "\x1bé\r": 2, "\x1b[": 1, "\x1b[12": 1,
		"\x1b[@x": 2, "\x1b[~x": 2, "\x1b[\x7fA": 3, "\x1b[?A": 1, "\x1b[200~ab": 3, "\x1b[M !!x": 2,
	} {
		if got := CountKeys([]byte(text)); got != want {
			t.Errorf("%q has %d keys, want %d", text, got, want)
		}
	}
}

// Persons read who types, and what. Secrets are only counted, and what cannot be seen is named.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for want, from := range map[string]Sender{
		"a program (MCP)": {Kind: SenderMCP}, "Ann (MCP)": {Kind: SenderMCP, Name: "Ann"}, "curl (HTTP)": {Kind: SenderHTTP, Name: "curl"}, "the command wsh": {Kind: SenderHTTP, Name: "wsh"},
		"x (WebSocket)": {Kind: SenderWebSocket, Name: "x"}, "y (WebSocket)": {Kind: SenderRaw, Name: "y"}, "z (app)": {Kind: SenderApp, Name: "z"}, "terminal-1": {Kind: SenderAttach, Name: "terminal-1"},
	} {
		if got := from.Describe(); got != want {
			t.Errorf("%+v: %q, want %q", from, got, want)
		}
	}
	for want, typed := range map[string]Typed{
		`ls\r`: {Kind: InputText, Text: "ls\r"}, "make": {Kind: InputLine, Text: "make"}, "a secret of 7 characters": {Kind: InputText, Count: 7, Secret: true},
		"keys C-c": {Kind: InputKeys, Text: "C-c"}, "mouse press left 1,2": {Kind: InputMouse, Text: "press left 1,2"}, "signal INT": {Kind: InputSignal, Text: "INT"},
	} {
		if got := typed.Describe(); got != want {
			t.Errorf("%+v: %q, want %q", typed, got, want)
		}
	}
}

// What is typed for a line.
func TestTypedLine(t *testing.T) {
	t.Parallel()
	brackets := keys.Mode{Modes: 1 << vt.ModeBracketedPaste}
	for _, tt := range []struct {
		line string
		mode keys.Mode
		want string
	}{
		{"make", keys.Mode{}, "make\r"},
		{"make\r\n", brackets, "make\r"},
		{"a\nb\n", keys.Mode{}, "a\rb\r"},
		{"a\r\nb", brackets, "\x1b[200~a\rb\x1b[201~\r"},
		{"a\tb", brackets, "\x1b[200~a\tb\x1b[201~\r"},
		{"a\tb", keys.Mode{}, "a\tb\r"},
	} {
		if got := TypedLine(tt.line, tt.mode); string(got) != tt.want {
			t.Errorf("%q: %q", tt.line, got)
		}
	}
}

// Lines that were typed are read one with each mark of the shell. Those that were typed while a
// command ran were most likely read by that.
func TestTypedLines(t *testing.T) {
	t.Parallel()
	type mark struct {
		kind    vt.MarkKind
		variant string
		before  Phase
	}
	output := mark{vt.MarkOutput, "", PhaseEditing}
	for name, tt := range map[string]struct {
		steps []any // text that is typed, and marks
		want  time.Duration
	}{
		"nothing":                      {nil, 0},
		"half a line":                  {[]any{"ls"}, 0},
		"a line":                       {[]any{"ls\r"}, beginGrace},
		"a line, read":                 {[]any{"ls\r", output}, 0},
		"two lines, one read":          {[]any{"ls\nls\r", output}, beginGrace},
		"a pasted line end":            {[]any{"\x1b[200~a\nb\x1b[201~"}, 0},
		"a line after a paste":         {[]any{"\x1b[200~a\nb\x1b[201~\r"}, beginGrace},
		"a line before a paste":        {[]any{"ls\r\x1b[200~a"}, beginGrace},
		"a dropped line":               {[]any{"ls\r", mark{vt.MarkEnd, "0", PhaseEditing}}, 0},
		"the end of a command":         {[]any{output, "ls\r", mark{vt.MarkEnd, "", PhaseRunning}}, markGrace},
		"the first end":                {[]any{"ls\r", mark{vt.MarkEnd, "", PhaseUnmarked}}, beginGrace},
		"the rest is wanted":           {[]any{"if\r", mark{vt.MarkPrompt, VariantMore, PhaseEditing}}, 0},
		"a prompt":                     {[]any{"ls\r", mark{vt.MarkPrompt, "", PhaseHooks}}, beginGrace},
		"during a command":             {[]any{output, "y\r", mark{vt.MarkEnd, "", PhaseRunning}, mark{vt.MarkCommand, "", PhaseHooks}}, markGrace},
		"before and during a command":  {[]any{"a\rb\r", output, "y\r", mark{vt.MarkEnd, "", PhaseRunning}}, beginGrace},
		"after a command":              {[]any{output, "y\r", mark{vt.MarkEnd, "", PhaseRunning}, "ls\r"}, beginGrace},
		"during, and then one is read": {[]any{output, "a\rb\r", mark{vt.MarkEnd, "", PhaseRunning}, output, mark{vt.MarkEnd, "", PhaseRunning}}, markGrace},
		"more marks than lines":        {[]any{"ls\r", output, output, "ls\r"}, markGrace},
	} {
		var l typedLines
		now, phase := epoch, PhaseEditing
		for _, step := range tt.steps {
			now = now.Add(time.Hour)
			switch step := step.(type) {
			case string:
				n, _ := lineEnds([]byte(step))
				l.typed(n, phase, now)
			case mark:
				if phase = PhaseEditing; step.kind == vt.MarkOutput {
					phase = PhaseRunning
				}
				l.see(vt.Mark{Kind: step.kind, Variant: step.variant}, step.before, now)
			}
		}
		if name == "half a line" && !l.Last.IsZero() {
			t.Errorf("%s: one was typed at %v", name, l.Last)
		}
		left := l
		if got := l.wait(l.Since); got != tt.want {
			t.Errorf("%s: %v to wait, want %v", name, got, tt.want)
		}
		if tt.want > 0 {
			if got := left.wait(l.Since.Add(tt.want - 1)); got != 1 || left.N == 0 {
				t.Errorf("%s: %v to wait in the end", name, got)
			}
			if got := left.wait(l.Since.Add(tt.want)); got > 0 || left.N != 0 || left.During != 0 {
				t.Errorf("%s: %v to wait after the end, %+v", name, got, left)
			}
		}
	}
}
