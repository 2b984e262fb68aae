package core

import (
	"testing"

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
