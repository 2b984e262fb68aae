package term

import (
	"errors"
	"sync"
	"time"

	"ui-mcp/internal/term/record"
)

// archiveRetry is how long a session waits before it begins another part of its archive, each of
// which begins with the whole screen.
const archiveRetry = time.Second

// An archive records all that a session's program writes, independently of the recordings that
// callers start. It consists of parts: when one ends, because its file is long enough or could not
// be written, the next one begins with the next output. It is owned by the session's executor.
type archive struct {
	create  func(name string) (record.File, error) // nil: there is no archive
	closing *sync.WaitGroup                        // of parts

	part  *record.Recorder // nil between two parts
	file  record.File
	begun time.Time // when the last part was begun, or could not be
}

// keepArchive begins a part of the archive unless one is being written.
func (s *Session) keepArchive(st *state, now time.Time) {
	a := &st.archive
	if a.create == nil {
		return
	}
	if a.part != nil && a.part.Stopped() {
		s.endPart(st)
	}
	if a.part != nil && !a.file.Long() || now.Sub(a.begun) < archiveRetry {
		return
	}
	a.begun = now
	file, err := a.create(s.Name())
	if err != nil {
		s.log.Warn("a session is not recorded in a new file", "session", s.Name(), "error", err)
		return
	}
	part, err := s.newRecorder(st, file, now)
	if err != nil {
		s.log.Warn("a session is not recorded in a new file", "session", s.Name(), "error", errors.Join(err, file.Close()))
		return
	}
	s.endPart(st)
	a.part, a.file = part, file
}

// endPart ends the present part, if there is one. The rest of it is still written.
func (s *Session) endPart(st *state) {
	a := &st.archive
	if a.part == nil {
		return
	}
	part, file := a.part, a.file
	a.part, a.file = nil, nil
	part.Stop()
	a.closing.Go(func() {
		if err := errors.Join(part.Close(), file.Close()); err != nil {
			s.log.Warn("a part of a session is not recorded", "session", s.Name(), "error", err)
		}
	})
}

// record calls f with the recordings of the session.
func (st *state) record(f func(*record.Recorder)) {
	if st.recorder != nil {
		f(st.recorder)
	}
	if st.archive.part != nil {
		f(st.archive.part)
	}
}
