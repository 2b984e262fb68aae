package term

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// Resize changes the size of the whole screen, in cells. What panels leave of it is
// the size of the program's terminal, and the program is told when that changes.
func (s *Session) Resize(ctx context.Context, cols, rows int) error {
	if err := checkSize(cols, rows); err != nil {
		return err
	}
	return s.change(ctx, func(st *state) error {
		st.status.cols, st.status.rows = cols, rows
		s.publishStatus(st)
		return st.model.Resize(cols, rows)
	})
}

// change runs f, which changes the model, on the session's goroutine, and gives the
// program the rows that it has then. So nobody ever sees a screen and a layout that
// do not belong together. It is no activity: only what the program makes of it is.
// An ended session stays as it is.
func (s *Session) change(ctx context.Context, f func(*state) error) error {
	return s.doRunning(ctx, func(st *state) error {
		st.model.SetProgramAlternate(st.showsAlternate())
		failed := f(st)
		err := s.settle(st)
		st.notify()
		if failed != nil {
			return failed
		}
		return fault.Wrap(fault.Internal, err, "tell the program of session %q its new size", s.Name())
	})
}

// A program that changes between its screens sets up the other one right afterwards,
// for the size that it knows: vim, for one, sets margins which it does not set anew
// when it hears of another size. So where the other screen has other panels, the
// change counts when the program has been quiet for a moment, or has had its time.
// One that is over before is none. Whoever uses elements meanwhile is not kept
// waiting: then it counts at once.
const (
	switchQuiet    = 50 * time.Millisecond
	switchPatience = 500 * time.Millisecond
)

// follow notices when the program has changed between its screens.
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
		s.followLater(st, switchQuiet)
	}
}

func (s *Session) followLater(st *state, d time.Duration) {
	time.AfterFunc(d, func() { s.exec.Post(func() { s.followLate(st) }) })
}

// followLate notices it when that was some time ago.
func (s *Session) followLate(st *state) {
	now := time.Now()
	rest := min(switchQuiet-now.Sub(st.idle.Last()), switchPatience-now.Sub(st.switched))
	if rest > 0 {
		s.followLater(st, rest)
		return
	}
	st.switching = false
	s.settleAlone(st) // nothing, when it has changed back
	st.notify()
}

// settleAlone is settle when nobody has asked for it.
func (s *Session) settleAlone(st *state) {
	if err := s.settle(st); err != nil {
		s.log.Warn("tell a program its new size", "error", err)
	}
}

// showsAlternate reports whether the program's alternate screen shows. While the
// program holds back its picture, that is what has been shown before.
func (st *state) showsAlternate() bool {
	modes := st.term.Modes()
	if modes.Has(vt.ModeSynchronized) {
		return st.term.Snapshot().AltScreen()
	}
	return modes.Has(vt.ModeAltScreen)
}

// settle makes screen, model and program agree: which of its screens the program
// shows, and which size it has.
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
		// Where the program holds back its picture, this shows it, and it may have
		// changed between its screens behind it: so look again.
		if err := st.term.Resize(want[0], want[1]); err != nil {
			return err
		}
		resized = true
	}
	if !resized {
		return nil
	}
	cols, rows := st.term.Size()
	if st.recorder != nil {
		st.recorder.Resize(time.Now(), cols, rows)
	}
	if st.status.exit != nil {
		return nil
	}
	err := s.process.Resize(cols, rows)
	select {
	case <-s.process.Ended(): // nobody is there to be told
		return nil
	default:
		return err
	}
}
