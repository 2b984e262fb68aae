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
		s.mu.Lock()
		s.cols, s.rows = cols, rows
		s.mu.Unlock()
		return st.model.Resize(cols, rows)
	})
}

// change runs f, which changes the model, on the session's goroutine, and gives the
// program the rows that it has then. So nobody ever sees a screen and a layout that
// do not belong together. It is no activity: only what the program makes of it is.
// An ended session stays as it is.
func (s *Session) change(ctx context.Context, f func(*state) error) error {
	return s.doRunning(ctx, func(st *state) error {
		if err := f(st); err != nil {
			return err
		}
		err := s.settle(st)
		st.notify()
		return fault.Wrap(fault.Internal, err, "tell the program of session %q its new size", s.Name())
	})
}

// follow tells the model when the program has changed between its screens.
func (s *Session) follow(st *state) {
	if st.showsAlternate() == st.alternate {
		return
	}
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
	if st.exit != nil {
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
