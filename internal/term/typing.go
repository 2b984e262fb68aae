package term

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A typing is what is about to be typed, in one piece.
type typing struct {
	core.Typed
	rest    core.Typed // what follows the first line; nothing if its Count is 0
	entered bool       // the first line ends in it
	next    *typing    // what is typed afterwards, or nil
	blind   bool       // see [Session.stillPermitted]

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
	var parts []typing
	of := func(b []byte) core.Typed {
		if in.Paste {
			return core.Typed{Kind: core.InputPaste, Text: string(b), Count: utf8.RuneCount(b)}
		}
		return core.Typed{Kind: core.InputText, Text: string(b), Count: core.CountKeys(b)}
	}
	if text := in.Text; len(text) > 0 {
		parts = append(parts, typing{Typed: of(text), rest: of(text[firstLine(text):]), entered: bytes.ContainsAny(text, core.EndKeys)})
	}
	if len(in.Keys) > 0 {
		parts = append(parts, pressing(in.Keys))
	}
	for _, e := range in.Mouse {
		parts = append(parts, typing{Typed: core.Typed{Kind: core.InputMouse, Text: fmt.Sprintf("%s %s %d,%d", e.Action, e.Button, e.Col, e.Row), Count: 1}})
	}
	if len(parts) == 0 {
		return typing{}
	}
	for i := range parts[1:] {
		parts[i].next = &parts[i+1]
	}
	parts[0].Secret = in.Secret
	return parts[0]
}

// pressing returns what pressing keys types.
func pressing(names []string) typing {
	first, ended := 0, false
	for ; first < len(names) && !ended; first++ {
		b, err := keys.Encode(names[first], vt.Input{})
		ended = err == nil && bytes.ContainsAny(b, core.EndKeys)
	}
	of := func(names []string) core.Typed {
		return core.Typed{Kind: core.InputKeys, Text: strings.Join(names, " "), Count: len(names)}
	}
	return typing{Typed: of(names), rest: of(names[first:]), entered: ended}
}

// entries returns the entries of the ledger, given whether the first line is a secret.
func (t *typing) entries(secret bool) (list []core.Typed) {
	for part := t; part != nil; part = part.next {
		first, rest := part.Typed, part.rest
		first.From, rest.From = t.From, t.From
		if first.Kind == core.InputSignal || first.Kind == core.InputMouse { // no program reads it in its line
			list = append(list, first)
			continue
		}
		first.Secret = t.Secret || secret
		behind := !t.Secret && secret && rest.Count > 0
		if behind {
			first.Count -= rest.Count
		}
		if list = append(list, first); behind {
			list = append(list, rest)
		}
		secret = secret && !part.entered
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
