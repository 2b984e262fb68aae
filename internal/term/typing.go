package term

import (
	"bytes"
	"strings"
	"time"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// NotAsked is the detail of errors of [Typist.IfAsked].
const NotAsked fault.Detail = "not_asked"

// A typing is what is about to be typed, in one piece.
type typing struct {
	Typed
	rest  Typed // what follows the first line; nothing if its Count is 0
	asked bool  // see [Typist.IfAsked]
	blind bool  // see [Session.stillPermitted]

	next    *typing // keys that are pressed afterwards, or nil
	entered bool    // the first line ends before them
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

func typedText(b []byte) Typed {
	return Typed{Kind: InputText, Text: string(b[:min(len(b), maxTypedText+1)]), Count: countKeys(b)}
}

func typedKeys(names []string) Typed {
	return Typed{Kind: InputKeys, Text: strings.Join(names, " "), Count: len(names)}
}

// pressing returns what pressing keys types.
func pressing(names []string) typing {
	first := 0
	for ended := false; first < len(names) && !ended; first++ {
		b, err := keys.Encode(names[first], keys.Mode{})
		ended = err == nil && bytes.ContainsAny(b, endKeys)
	}
	return typing{Typed: typedKeys(names), rest: typedKeys(names[first:])}
}

func typedPaste(text string) Typed {
	return Typed{Kind: InputPaste, Text: text, Count: utf8.RuneCountInString(text)}
}

// typedCommand returns what [Session.RunCommand] types.
func typedCommand(line string) typing {
	of := func(line string) Typed {
		return Typed{Kind: InputLine, Text: line, Count: utf8.RuneCountInString(line)}
	}
	return typing{Typed: of(line), rest: of(line[firstLine([]byte(line)):])}
}

// entries returns the entries of the ledger, given whether the first line is a secret.
func (t *typing) entries(secret bool) []Typed {
	first, rest := t.Typed, t.rest
	if t.Kind == InputSignal || t.Kind == InputMouse { // no program reads it in its line
		return []Typed{first}
	}
	first.Secret = first.Secret || secret
	list := []Typed{first}
	if !t.Secret && secret && rest.Count > 0 {
		list[0].Count -= rest.Count
		rest.From = t.From
		list = append(list, rest)
	}
	if t.next == nil {
		return list
	}
	next := *t.next
	next.From, next.Secret = t.From, t.Secret
	return append(list, next.entries(secret && !t.entered)...)
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
