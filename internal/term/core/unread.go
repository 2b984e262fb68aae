package core

import (
	"bytes"
	"time"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/tty"
)

// EndKeys end the line that a program reads: Enter, and keys that end the program or the input.
const EndKeys = "\r\n\x03\x04\x1a\x1c"

// LineKeys complete or drop a line that is typed: Enter, Ctrl+C, Ctrl+D, Ctrl+U and Ctrl+Z.
const LineKeys = "\r\n\x03\x04\x15\x1a"

// lineEnds reports whether input enters a line, and where what follows the last key that ends or
// drops a line begins. Line ends within brackets do not count.
func lineEnds(b []byte) (enters bool, last int) {
	for at := 0; ; {
		text, rest, pasted := bytes.Cut(b[at:], []byte(keys.PasteStart))
		enters = enters || bytes.ContainsAny(text, "\r\n")
		if i := bytes.LastIndexAny(text, LineKeys); i >= 0 {
			last = at + i + 1
		}
		end := bytes.Index(rest, []byte(keys.PasteEnd))
		if !pasted || end < 0 {
			return enters, last
		}
		at = len(b) - len(rest) + end + len(keys.PasteEnd)
	}
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
