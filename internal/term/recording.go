package term

import (
	"context"
	"io"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/vt"
)

// recordedHistory is how many lines of history a recording begins with: what a taller screen shows.
const recordedHistory = vt.MaxSize

// record starts to record the program's output, beginning with the present state of its terminal,
// which may be in the middle of a sequence. The recording has the program's size, which panels
// change, and contains no elements. It ends with the program, or when the caller closes the
// recorder, which the caller must do in any case. A session has one recording at a time.
func (s *Session) record(ctx context.Context, w io.Writer) (*record.Recorder, error) {
	var r *record.Recorder
	err := s.doRunning(ctx, func(st *state) error {
		if st.recorder != nil && !st.recorder.Stopped() {
			return fault.With(record.AlreadyRecording, fault.New(fault.Precondition, "session %q is being recorded already", s.Name()))
		}
		var err error
		if r, err = s.newRecorder(st, w, time.Now()); err != nil {
			return err
		}
		st.recorder = r
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// newRecorder starts a recording with the present state of the terminal.
func (s *Session) newRecorder(st *state, w io.Writer, now time.Time) (*record.Recorder, error) {
	r, err := record.New(w, s.recordingHeader(st, now))
	if err != nil {
		return nil, err
	}
	r.Output(now, st.term.AppendState(nil, recordedHistory))
	return r, nil
}

func (s *Session) recordingHeader(st *state, now time.Time) record.Header {
	cols, rows := st.term.Size()
	return record.Header{
		Cols: cols, Rows: rows, Start: now, Title: st.title, Command: s.o.Command,
		Env: map[string]string{"TERM": "xterm-256color"},
	}
}

// record calls f with the recordings of the session.
func (st *state) record(f func(*record.Recorder)) {
	for _, r := range [...]*record.Recorder{st.recorder, st.archive.Part()} {
		if r != nil {
			f(r)
		}
	}
}

// Kept returns what keeps the session's recording.
func (s *Session) Kept() *record.Keeper { return s.kept }

// StartRecording starts a recording that the session keeps: see [Session.record] and
// [record.Keeper.Start].
func (s *Session) StartRecording(ctx context.Context) (record.Kept, error) {
	return s.kept.Start(ctx, func(w io.Writer) (*record.Recorder, error) { return s.record(ctx, w) })
}

// keepArchive begins a part of the archive unless one is being written.
func (s *Session) keepArchive(st *state, now time.Time) {
	st.archive.Continue(now, func(w io.Writer) (*record.Recorder, error) { return s.newRecorder(st, w, now) })
}
