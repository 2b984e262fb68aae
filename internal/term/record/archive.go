package record

import (
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"
)

// archiveRetry is the least time between two parts, each of which begins with the whole screen.
const archiveRetry = time.Second

// An Archive records all that a session's program writes, independently of the recordings that
// callers start. It consists of parts: when one ends, because its file is long enough or could not
// be written, the next one begins with the next output. It is used by one goroutine at a time.
type Archive struct {
	// Create makes a file for a session with a name; nil: there is no archive.
	Create  func(name string) (File, error)
	Name    func() string
	Closing *sync.WaitGroup // of parts that are written to the end
	Log     *slog.Logger

	part  *Recorder // nil between two parts
	file  File
	begun time.Time // when the last part was begun, or could not be
}

// Part returns the part that is being written, or nil.
func (a *Archive) Part() *Recorder { return a.part }

// Continue makes sure that a part is being written, if possible. begin starts to write one.
func (a *Archive) Continue(now time.Time, begin func(io.Writer) (*Recorder, error)) {
	if a.Create == nil {
		return
	}
	if a.part != nil && a.part.Stopped() {
		a.End()
	}
	if a.part != nil && !a.file.Long() || now.Sub(a.begun) < archiveRetry {
		return
	}
	a.begun = now
	file, err := a.Create(a.Name())
	var part *Recorder
	if err == nil {
		if part, err = begin(file); err != nil {
			err = errors.Join(err, file.Close())
		}
	}
	if err != nil {
		a.Log.Warn("a session is not recorded in a new file", "session", a.Name(), "error", err)
		return
	}
	a.End()
	a.part, a.file = part, file
}

// End ends the part that is being written, if there is one. The rest of it is still written.
func (a *Archive) End() {
	if a.part == nil {
		return
	}
	part, file := a.part, a.file
	a.part, a.file = nil, nil
	part.Stop()
	a.Closing.Go(func() {
		if err := errors.Join(part.Close(), file.Close()); err != nil {
			a.Log.Warn("a part of a session is not recorded", "session", a.Name(), "error", err)
		}
	})
}
