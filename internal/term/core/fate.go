package core

import (
	"strings"
	"time"

	"ui-mcp/internal/term/vt"
)

// A fate is what has become of a line that was typed, as marks tell.
type fate struct {
	N     uint64 // the number of the prompt it was typed at, if known
	Known bool
	Alone bool // nothing else was typed that the shell may not have read
	Whole bool // it contains the ends of no other lines

	Began, Ended time.Time // the command; zero until it has
	Seen         time.Time // the newest mark
	Output, End  *vt.Mark  // where the command's output begins and ends
	Exit         *int
	Ran          bool // the shell has run the line
	Dropped      bool // it has shown that it has not
	Over         bool // the shell is done with the line
	Ready        bool // it waits for the next one
	More         bool // it waits for the rest of the line
	Refused      bool // it has left the line in the editor
	Cleared      bool // the line was taken out of the editor
	Left         bool // a person has taken the keyboard since: no key is pressed for the line
	Pressed      int  // how often a ready key was, before the line was typed
}

// expect returns the fate of a line that has just been typed. known says that the shell takes it as
// one line, and that no earlier input can interfere.
func (p *shell) expect(known bool) *fate {
	w := &fate{N: p.N, Alone: !p.Unclear, Pressed: p.Pressed}
	w.Known = known && (p.Phase == PhaseEditing || p.Phase == PhaseHooks)
	if !w.Known {
		p.Unclear, p.Sound = true, false
	}
	p.Watch = w
	return w
}

// see handles a mark with the number n.
func (w *fate) see(m vt.Mark, n uint64, p *shell, now time.Time) {
	if !w.Known {
		if m.Kind != vt.MarkOutput || !p.Keyed || !w.Alone || n <= w.N {
			return
		}
		w.Known, w.N = true, n // it was the only line that can have been read
		p.Unclear = false
	}
	w.Seen = now
	switch {
	case n < w.N:
	case m.Kind == vt.MarkOutput:
		if w.Over && (w.Ready || w.Whole) {
			return // another request's
		}
		w.N, w.Over, w.More = n, false, false
		if w.Output == nil {
			w.Output, w.Began, w.Ran = &m, now, true
		}
	case m.Kind == vt.MarkEnd && n == w.N:
		w.Over = true
		w.Ran = w.Ran || m.Variant == variantRan
		if !w.Ran {
			w.Dropped = m.Variant == variantDropped
			break
		}
		w.End, w.Ended = &m, now
		if m.HasExitCode {
			w.Exit = new(m.ExitCode)
		}
	case m.Variant == VariantMore:
		w.More = true
	case m.Variant == variantRefused:
		w.Refused = true
	case strings.HasPrefix(m.Variant, variantReady) && n == w.N:
		if w.Pressed < p.Pressed && p.isAnswer(m) && p.Phase != PhaseMore && !w.Ran {
			w.Over, w.Ready, w.Dropped = true, true, true // it has come back to the same prompt
		}
	case n > w.N:
		if !w.Over && w.Ran { // a command whose end was not marked
			w.End, w.Ended = &m, now
		}
		w.Over, w.Ready = true, w.Ready || m.Kind == vt.MarkCommand
	}
}
