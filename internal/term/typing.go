package term

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A typing is what is about to be typed, in one piece.
type typing struct {
	Typed
	rest    Typed   // what follows the first line; nothing if its Count is 0
	entered bool    // the first line ends in it
	next    *typing // what is typed afterwards, or nil
	blind   bool    // see [Session.stillPermitted]

	confirm Confirmation // of the sender
	allowed []string     // lines that need it and that a person has allowed
}

// endKeys are the keys that end the line that a program reads: Enter, and those that end the
// program or the input.
const endKeys = "\r\n\x03\x04\x1a\x1c"

// firstLine returns the length of the first line in text, with its end, or of all of it.
func firstLine(text []byte) int {
	i := bytes.IndexAny(text, endKeys)
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
	switch ended := bytes.ContainsAny(in.Text, endKeys); {
	case len(in.Text) == 0:
	case in.Paste:
		parts = append(parts, typing{Typed: typedPaste(in.Text), rest: typedPaste(in.Text[firstLine(in.Text):]), entered: ended})
	default:
		parts = append(parts, typing{Typed: typedText(in.Text), rest: typedText(in.Text[firstLine(in.Text):]), entered: ended})
	}
	if len(in.Keys) > 0 {
		parts = append(parts, pressing(in.Keys))
	}
	for _, e := range in.Mouse {
		parts = append(parts, typing{Typed: Typed{Kind: InputMouse, Text: fmt.Sprintf("%s %s %d,%d", e.Action, e.Button, e.Col, e.Row), Count: 1}})
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

func typedText(b []byte) Typed {
	return Typed{Kind: InputText, Text: string(b[:min(len(b), maxTypedText+1)]), Count: countKeys(b)}
}

func typedPaste(b []byte) Typed {
	return Typed{Kind: InputPaste, Text: string(b), Count: utf8.RuneCount(b)}
}

func typedKeys(names []string) Typed {
	return Typed{Kind: InputKeys, Text: strings.Join(names, " "), Count: len(names)}
}

// pressing returns what pressing keys types.
func pressing(names []string) typing {
	first, ended := 0, false
	for ; first < len(names) && !ended; first++ {
		b, err := keys.Encode(names[first], keys.Mode{})
		ended = err == nil && bytes.ContainsAny(b, endKeys)
	}
	return typing{Typed: typedKeys(names), rest: typedKeys(names[first:]), entered: ended}
}

// typedCommand returns what [Session.RunCommand] types.
func typedCommand(line string) typing {
	of := func(line string) Typed {
		return Typed{Kind: InputLine, Text: line, Count: utf8.RuneCountInString(line)}
	}
	return typing{Typed: of(line), rest: of(line[firstLine([]byte(line)):])}
}

// entries returns the entries of the ledger, given whether the first line is a secret.
func (t *typing) entries(secret bool) (list []Typed) {
	for part := t; part != nil; part = part.next {
		first, rest := part.Typed, part.rest
		first.From, rest.From = t.From, t.From
		if first.Kind == InputSignal || first.Kind == InputMouse { // no program reads it in its line
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

// enteredTime is how long a program may take to read a secret that was entered. What is typed
// within that time is behind the secret, unless the program has asked again.
const enteredTime = 50 * time.Millisecond

// secretLine reports whether the line that is typed next is a secret: the terminal does not echo
// it, the session's shell is not about to read it, and it is not behind a secret that was just
// entered.
func (s *Session) secretLine(st *state) bool {
	switch {
	case s.process.Mode() != tty.ModeSecret:
		return false
	case st.shell.phase == phaseUnmarked && st.shell.name != "" && !st.shell.plain: // it is starting
	case st.shell.phase == phaseHooks && !st.shell.marked && s.process.Reads() != tty.ReadsNot: // a hook asks
	case s.shellPrompts(st):
		return false
	}
	return time.Since(st.entered) >= enteredTime || st.asksOnScreen() && st.cursor() != st.enteredAt
}

// readsSecret reports whether a program reads the line that is typed next, as a secret.
func (s *Session) readsSecret(st *state) bool {
	return s.secretLine(st) && !s.input.isBusy() && s.process.Reads() != tty.ReadsNot
}

// typed records input that was sent in a mode of the terminal, and in a phase of the shell.
func (st *state) typed(from Sender, what InputKind, line string, b []byte, mode tty.Mode, phase shellPhase) {
	if mode == tty.ModeSecret && bytes.ContainsAny(b, endKeys) {
		st.entered, st.enteredAt = time.Now(), st.cursor()
	}
	st.requests.typed(from, what, line, b, mode, phase)
}

// cursor returns where the cursor is in the text.
func (st *state) cursor() vt.Position {
	screen := st.term.Snapshot()
	return vt.Position{Line: screen.FirstLine + uint64(screen.Cursor.Row), Col: screen.Cursor.Col}
}
