// Package record writes asciicast files of version 2, and reads versions 2 and 3. A recording has a
// program's output with times, so that a terminal which gets it again shows the same. The package
// does not know terminals: callers begin a recording with the state of the screen.
//
// # What passes through
//
//	a session's output → Recorder → Keeper (a temporary file) or Archive (parts in a Folder)
//	a file → Reader → Events
//
// A [Recorder] writes one recording, and never makes a session wait: one for which the disk is too
// slow is abandoned. A [Keeper] has the recording of a session that a caller has asked for, within
// a [Budget]; an [Archive] goes on with the next part, and a [Folder] has the parts of all
// sessions, and removes the oldest beyond a size and an age. A file is a recording at any moment,
// also after a kill: a [Reader] leaves out a last line that is incomplete.
package record

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/vt"
)

// maxWaiting is how many bytes may wait to be written before the recording is abandoned: a stalled
// disk must not block the program.
const maxWaiting = 8 << 20

// A Header describes a recording.
type Header struct {
	Cols, Rows int
	Start      time.Time
	Title      string
	Command    string
	Env        map[string]string // such as TERM and SHELL
}

// A Recorder writes a recording. Output and Resize must be called from one goroutine at a time; the
// other methods are safe for concurrent use.
type Recorder struct {
	start time.Time
	wake  chan struct{} // capacity 1; a token means "look again"
	begun chan struct{} // closed when the header is written, or could not be
	done  chan struct{} // closed when everything is written
	err   error         // valid once done is closed

	rest []byte // the start of an incomplete character; used by Output only

	mu      sync.Mutex // guards the fields below; never held while writing
	buf     []byte
	stopped bool
	full    bool
}

// New starts a recording. The caller must Close the recorder, which does not close w.
func New(w io.Writer, h Header) (*Recorder, error) {
	header := struct {
		Version   int               `json:"version"`
		Width     int               `json:"width"`
		Height    int               `json:"height"`
		Timestamp int64             `json:"timestamp"`
		Title     string            `json:"title,omitempty"`
		Command   string            `json:"command,omitempty"`
		Env       map[string]string `json:"env,omitempty"`
	}{2, h.Cols, h.Rows, h.Start.Unix(), h.Title, h.Command, h.Env}
	line, err := json.Marshal(header)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "start a recording")
	}
	r := &Recorder{
		start: h.Start, wake: make(chan struct{}, 1), begun: make(chan struct{}), done: make(chan struct{}), buf: append(line, '\n'),
	}
	go r.run(w)
	return r, nil
}

// Output records output of the program. It does not block.
func (r *Recorder) Output(now time.Time, b []byte) {
	text := append(r.rest, b...)
	n := vt.Whole(text)
	r.rest = append([]byte(nil), text[n:]...)
	if n > 0 {
		r.event(now, 'o', string(vt.AppendValid(nil, text[:n])))
	}
}

// Resize records a new size of the terminal.
func (r *Recorder) Resize(now time.Time, cols, rows int) {
	r.event(now, 'r', fmt.Sprintf("%dx%d", cols, rows))
}

func (r *Recorder) event(now time.Time, kind byte, data string) {
	text, err := json.Marshal(data)
	if err != nil {
		return // encoding a string cannot fail
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.stopped {
		return
	}
	if len(r.buf)+len(text) > maxWaiting {
		r.full = true
		r.stopLocked()
		return
	}
	r.buf = fmt.Appendf(r.buf, "[%.6f, %q, ", max(now.Sub(r.start), 0).Seconds(), string(kind))
	r.buf = append(append(r.buf, text...), ']', '\n')
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Stop ends the recording. Waiting events are still written.
func (r *Recorder) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopLocked()
}

// Stopped reports whether the recording has ended.
func (r *Recorder) Stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

func (r *Recorder) stopLocked() {
	if !r.stopped {
		r.stopped = true
		close(r.wake)
	}
}

// Done returns a channel that is closed when the recording has ended and everything is written.
func (r *Recorder) Done() <-chan struct{} { return r.done }

// Close ends the recording, waits until all is written, and returns the error of writing, if any.
func (r *Recorder) Close() error {
	r.Stop()
	<-r.done
	return r.err
}

func (r *Recorder) run(w io.Writer) {
	defer close(r.done)
	r.flush(w)
	close(r.begun)
	for range r.wake {
		r.flush(w)
	}
	r.flush(w)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full && r.err == nil {
		r.err = fault.New(fault.Exhausted, "the recording was abandoned: its file could not be written as fast as the program wrote")
	}
}

// flush writes what waits, in one piece: whole lines.
func (r *Recorder) flush(w io.Writer) {
	r.mu.Lock()
	b := r.buf
	r.buf = nil
	r.mu.Unlock()
	if r.err != nil || len(b) == 0 {
		return
	}
	if _, err := w.Write(b); err != nil {
		if fault.KindOf(err) == fault.Internal {
			err = fault.Wrap(fault.Internal, err, "write the recording")
		}
		r.err = err
		r.Stop()
	}
}
