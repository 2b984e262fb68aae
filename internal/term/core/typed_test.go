package core

import (
	"testing"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

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
	brackets := vt.Input{Modes: 1 << vt.ModeBracketedPaste}
	for _, tt := range []struct {
		line string
		mode vt.Input
		want string
	}{
		{"make", vt.Input{}, "make\r"},
		{"make\r\n", brackets, "make\r"},
		{"a\nb\n", vt.Input{}, "a\rb\r"},
		{"a\r\nb", brackets, "\x1b[200~a\rb\x1b[201~\r"},
		{"a\tb", brackets, "\x1b[200~a\tb\x1b[201~\r"},
		{"a\tb", vt.Input{}, "a\tb\r"},
	} {
		if got := TypedLine(tt.line, tt.mode); string(got) != tt.want {
			t.Errorf("%q: %q", tt.line, got)
		}
	}
}

// What enters a line, and where the next one begins: what is in brackets is part of a line.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	const start, end = keys.PasteStart, keys.PasteEnd
	for text, want := range map[string]struct {
		enters bool
		last   int
	}{
		"": {}, "ab": {}, "\r": {true, 1}, "ab\rcd": {true, 3}, "\x15ab": {false, 1},
		start + "a\rb" + end: {}, start + "a\r": {}, start + "a" + end + "\rb": {true, len(start+end) + 2},
		start + "a\rbcdefgh" + end + "x": {},
		start + end + "\x15b":            {false, len(start+end) + 1},
	} {
		if enters, last := lineEnds([]byte(text)); enters != want.enters || last != want.last {
			t.Errorf("%q enters a line: %v, and the next begins at %d; want %+v", text, enters, last, want)
		}
	}
}

// A terminal that hands over lines takes each line of a text up to its limit, and one that hands
// over keys takes all.
func TestFits(t *testing.T) {
	t.Parallel()
	s := New(Options{PID: 7}, epoch)
	s.sys, s.MaxLine = &facts{}, 3
	for text, want := range map[string]bool{"": true, "abc": true, "abc\rabc\r": true, "abcd": false, "abc\rabcd": false} {
		if err := s.fits([]byte(text), tty.ModeLines); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
		if err := s.fits([]byte(text), tty.ModeKeys); err != nil {
			t.Errorf("%q, key by key: %v", text, err)
		}
	}
}
