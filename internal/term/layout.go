package term

import (
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// change runs f, which changes the model of overlays, and gives the program its rows, so that
// screen and layout agree for callers. Only the program's reaction counts as activity.
func (s *Session) change(st *state, f func() error) error {
	st.model.SetProgramAlternate(st.showsAlternate())
	failed := f()
	err := s.settle(st)
	st.notify()
	if failed != nil {
		return failed
	}
	return fault.Wrap(fault.Internal, err, "tell the program of session %q its new size", s.Name())
}

// A program that switches between its screens sets up the other one right afterwards, for the size
// that it knows: vim, for example, sets margins that it does not set again when the size changes.
// So if the other screen has other panels, the switch takes effect when the program has been quiet
// for a moment, or after a fixed time. On a busy machine, a quiet program may just be slow: while
// the system reports that it does not wait for input, silence does not count, and the fixed time is
// longer. A switch undone before then is ignored. A caller that uses elements meanwhile does not
// wait: then the switch takes effect at once.
const (
	switchQuiet    = 50 * time.Millisecond
	switchPatience = 500 * time.Millisecond
	switchWorking  = 2 * time.Second // of a program that does not wait for input
)

// follow notices when the program has switched between its screens.
func (s *Session) follow(st *state) {
	alternate := st.showsAlternate()
	if alternate == st.alternate {
		return
	}
	before, after := st.model.Layout(), st.model.LayoutWith(alternate)
	if before.ProgramRows() == after.ProgramRows() {
		s.settleAlone(st)
		return
	}
	if !st.switching {
		st.switching, st.switched = true, time.Now()
		s.after(switchQuiet, s.followLate)
	}
}

// followLate applies a switch of screens that was delayed.
func (s *Session) followLate(st *state) {
	if st.core.Exit != nil {
		return // finish has settled it
	}
	if rest := s.untilSwitch(st, time.Now()); rest > 0 {
		s.after(rest, s.followLate)
		return
	}
	st.switching = false
	s.settleAlone(st) // nothing, when it has changed back
	st.notify()
}

// untilSwitch returns how long to wait before looking again whether a switch of screens can take
// effect. It can if that is not positive.
func (s *Session) untilSwitch(st *state, now time.Time) time.Duration {
	patience, rest := switchPatience, switchQuiet-now.Sub(st.core.Idle.At)
	works := s.process.Reads() == tty.ReadsNot
	if works {
		patience = switchWorking
	}
	if rest <= 0 && (works || st.facts.Behind()) {
		rest = switchQuiet
	}
	return min(rest, patience-now.Sub(st.switched))
}

// settleAlone is settle without a caller.
func (s *Session) settleAlone(st *state) {
	if err := s.settle(st); err != nil {
		s.log.Warn("tell a program its new size", "error", err)
	}
}

// showsAlternate reports whether the program's alternate screen is visible. While the program holds
// back its picture, the previous picture decides.
func (st *state) showsAlternate() bool {
	modes := st.term.Modes()
	if modes.Has(vt.ModeSynchronized) {
		return st.term.Snapshot().AltScreen()
	}
	return modes.Has(vt.ModeAltScreen)
}

// settle makes screen, model and program agree on the program's visible screen and its size.
func (s *Session) settle(st *state) error {
	resized := false
	for {
		st.alternate = st.showsAlternate()
		st.model.SetProgramAlternate(st.alternate)
		layout := st.model.Layout()
		want := [2]int{layout.Cols, layout.ProgramRows()}
		cols, rows := st.term.Size()
		if want == [2]int{cols, rows} {
			break
		}
		st.texts.Look(st.term, time.Now()) // lines get other numbers
		// If the program holds back its picture, this displays it, and the program may have
		// switched screens meanwhile: so check again.
		if err := st.term.Resize(want[0], want[1]); err != nil {
			return err
		}
		resized = true
	}
	if !resized {
		return nil
	}
	cols, rows := st.term.Size()
	st.record(func(r *record.Recorder) { r.Resize(time.Now(), cols, rows) })
	if st.core.Exit != nil {
		return nil
	}
	err := s.process.Resize(cols, rows)
	select {
	case <-s.process.Ended(): // no program is left to notify
		return nil
	default:
		return err
	}
}
