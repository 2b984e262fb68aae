package core

import (
	"bytes"
	"time"

	"ui-mcp/internal/term/keys"
	"ui-mcp/internal/term/vt"
)

// typedLines counts the lines that were typed and that the shell has not read yet, as far as its
// marks tell: a program that it runs may have read some of them instead.
type typedLines struct {
	N       int
	Since   time.Time // when the newest was typed, or the newest prompt was displayed
	Running bool      // a command runs
	During  int       // how many of the newest lines were typed during commands
	Last    time.Time // when the newest was typed, whether it was read or not; zero: there was none
}

// typed counts the lines in input. Line ends within brackets do not count.
func (l *typedLines) typed(b []byte, now time.Time) {
	for {
		text, rest, pasted := bytes.Cut(b, []byte(keys.PasteStart))
		if n := bytes.Count(text, []byte("\r")) + bytes.Count(text, []byte("\n")); n > 0 {
			l.N += n
			l.Since, l.Last = now, now
			if l.Running {
				l.During += n
			} else {
				l.During = 0
			}
		}
		if !pasted {
			return
		}
		_, b, _ = bytes.Cut(rest, []byte(keys.PasteEnd))
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
	l.Running = m.Kind == vt.MarkOutput
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
