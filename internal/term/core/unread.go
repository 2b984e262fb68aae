package core

import (
	"bytes"
	"time"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// EndKeys end the line that a program reads: Enter, and keys that end the program or the input.
const EndKeys = "\r\n\x03\x04\x1a\x1c"

// LineKeys complete or drop a line that is typed: Enter, Ctrl+C, Ctrl+D, Ctrl+U and Ctrl+Z.
const LineKeys = "\r\n\x03\x04\x15\x1a"

// typedLines counts the lines that were typed and that the shell has not read yet, as far as its
// marks tell: a program that it runs may have read some of them instead.
type typedLines struct {
	N      int
	Since  time.Time // when the newest was typed, or the newest prompt was displayed
	During int       // how many of the newest lines were typed during commands
	Last   time.Time // when the newest was typed, whether it was read or not; zero: there was none
}

// typed counts n lines that were typed in a phase of the shell.
func (l *typedLines) typed(n int, in Phase, now time.Time) {
	if n == 0 {
		return
	}
	l.N += n
	l.Since, l.Last = now, now
	if in == PhaseRunning {
		l.During += n
	} else {
		l.During = 0
	}
}

// lineEnds returns how many lines input enters, and where what follows the last key that ends or
// drops a line begins. Line ends within brackets do not count.
func lineEnds(b []byte) (n, last int) {
	for at := 0; ; {
		text, rest, pasted := bytes.Cut(b[at:], []byte(keys.PasteStart))
		n += bytes.Count(text, []byte("\r")) + bytes.Count(text, []byte("\n"))
		if i := bytes.LastIndexAny(text, LineKeys); i >= 0 {
			last = at + i + 1
		}
		end := bytes.Index(rest, []byte(keys.PasteEnd))
		if !pasted || end < 0 {
			return n, last
		}
		at = len(b) - len(rest) + end + len(keys.PasteEnd)
	}
}

// see handles a mark of the shell, which was in a phase before.
func (l *typedLines) see(m vt.Mark, before Phase, now time.Time) {
	read := false
	switch m.Kind {
	case vt.MarkOutput:
		read = true
	case vt.MarkEnd:
		read = before != PhaseRunning && before != PhaseUnmarked // the line was not run
	case vt.MarkPrompt:
		read = m.Variant == VariantMore
	case vt.MarkCommand:
		l.Since = now
	}
	if read && l.N > 0 {
		l.N--
		l.During = min(l.During, l.N)
	}
}

// wait returns for how long a shell that prompts may still begin to read what was typed. Lines that
// were typed while a command ran were most likely read by that: a shell that prompts afterwards and
// has them reads them at once.
func (l *typedLines) wait(now time.Time) time.Duration {
	grace := beginGrace
	switch l.N {
	case 0:
		return 0
	case l.During:
		grace = markGrace
	}
	rest := grace - now.Sub(l.Since)
	if rest <= 0 {
		l.N, l.During = 0, 0 // something else has read them, or they were dropped
	}
	return rest
}

// SecretLine reports whether the line that is typed next is a secret: the terminal hands over lines
// that it does not echo, and no prompt of a followed shell says that it is a command.
//
// A [System] may call it.
func (s *Session) SecretLine(sys System, now time.Time) bool {
	defer s.given(sys, now)()
	return s.secretLine()
}

func (s *Session) secretLine() bool {
	if s.sys.Mode() != tty.ModeSecret {
		return false
	}
	switch s.Shell.Phase {
	case PhaseEditing, PhaseMore:
		return false
	case PhaseHooks:
		return !s.Shell.Marked // a hook asks
	}
	return true
}
