package term

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/tty"
)

// A typing is what is about to be typed, in one piece.
type typing struct {
	core.Typed
	more  []core.Typed // what follows it
	blind bool         // see [Session.stillPermitted]

	confirm Confirmation // of the sender
	allowed []string     // lines that need it and that a person has allowed
}

// firstLine returns the length of the first line in text, with its end, or of all of it.
func firstLine(text []byte) int {
	i := bytes.IndexAny(text, core.EndKeys)
	switch {
	case i < 0:
		return len(text)
	case bytes.HasPrefix(text[i:], []byte("\r\n")):
		return i + 2
	}
	return i + 1
}

// typing returns what the input types, for the ledger and for persons.
func (in Input) typing() typing {
	var parts []core.Typed
	switch text := in.Text; {
	case len(text) == 0:
	case in.Paste:
		parts = append(parts, core.Typed{Kind: core.InputPaste, Text: string(text), Count: utf8.RuneCount(text)})
	default:
		parts = append(parts, core.Typed{Kind: core.InputText, Text: string(text), Count: core.CountKeys(text)})
	}
	if len(in.Keys) > 0 {
		parts = append(parts, core.Typed{Kind: core.InputKeys, Text: strings.Join(in.Keys, " "), Count: len(in.Keys)})
	}
	for _, e := range in.Mouse {
		parts = append(parts, core.Typed{Kind: core.InputMouse, Text: fmt.Sprintf("%s %s %d,%d", e.Action, e.Button, e.Col, e.Row), Count: 1})
	}
	if len(parts) == 0 {
		return typing{}
	}
	parts[0].Secret = in.Secret
	return typing{Typed: parts[0], more: parts[1:]}
}

// entries returns the entries of the ledger, given whether the line is a secret.
func (t *typing) entries(secret bool) []core.Typed {
	list := append([]core.Typed{t.Typed}, t.more...)
	for i := range list {
		e := &list[i]
		e.From = t.From
		e.Secret = (t.Secret || secret) && e.Kind != core.InputSignal && e.Kind != core.InputMouse
	}
	return list
}

// secretLine reports whether the line that is typed next is a secret: see
// [core.Session.SecretLine].
func (s *Session) secretLine(st *state) bool { return st.core.SecretLine(st.facts, time.Now()) }

// readsSecret reports whether a program reads the line that is typed next, as a secret.
func (s *Session) readsSecret(st *state) bool {
	return s.secretLine(st) && !s.input.IsBusy() && s.process.Reads() != tty.ReadsNot
}
