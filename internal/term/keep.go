package term

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/record"
)

// MaxRecording is the size limit of a recording that a session keeps, in bytes.
const MaxRecording = 64 << 20

// A Kept describes the recording that a session keeps.
type Kept struct {
	ID     string // differs from that of any other recording
	Active bool   // it is being written
	Size   int64
	Since  time.Time // when it was started
	Err    error     // why it lacks a part of the output, if it has ended for that reason
}

// kept is the recording that a session keeps. It is in the session's channel, and belongs to the
// method that has taken it out.
type kept struct {
	id       string
	recorder *record.Recorder // nil if there is no recording
	file     *record.Temporary
	since    time.Time
	over     bool // the session was removed
}

func (k *kept) describe() Kept {
	out := Kept{ID: k.id, Active: !k.recorder.Stopped(), Size: k.file.Size(), Since: k.since}
	select {
	case <-k.recorder.Done():
		out.Err = k.recorder.Close()
	default:
	}
	return out
}

// drop ends and removes the recording.
func (k *kept) drop() error {
	if k.recorder == nil {
		return nil
	}
	_ = k.recorder.Close() // why it was not complete does not matter any more
	err := k.file.Close()
	k.recorder, k.file = nil, nil
	return err
}

// keptNow describes the recording that the session keeps, or returns nil. It never waits.
func (s *Session) keptNow() *Kept {
	k := s.keeps.Load()
	if k == nil {
		return nil
	}
	return new(k.describe())
}

// withKept runs f with the recording.
func (s *Session) withKept(ctx context.Context, f func(*kept) error) error {
	select {
	case k := <-s.kept:
		defer func() { s.kept <- k }()
		if k.over {
			return fault.New(fault.Gone, "session %q has been removed", s.Name())
		}
		return f(k)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// StartRecording starts a recording that the session keeps until it is removed or another one is
// started: see [Session.Record]. Its header can be read when StartRecording returns. A recording
// ends when it has MaxRecording bytes, and all of them end when they have as many bytes together as
// the registry allows: then the error is of kind Exhausted, unless the recording to be replaced
// leaves room.
func (s *Session) StartRecording(ctx context.Context) (Kept, error) {
	var out Kept
	err := s.withKept(ctx, func(k *kept) error {
		if k.recorder != nil && !k.recorder.Stopped() {
			return fault.With(AlreadyRecording, fault.New(fault.Precondition, "session %q is being recorded already: stop that first", s.Name()))
		}
		if k.recorder != nil {
			_ = k.recorder.Close() // so that it is written to no more
			k.file.Release()
		}
		file, recorder, err := s.recordTemporary(ctx)
		if err != nil {
			if k.recorder != nil {
				k.file.Reclaim()
			}
			return err
		}
		if err := k.drop(); err != nil {
			s.log.Warn("remove a recording", "error", err)
		}
		*k = kept{id: rand.Text(), recorder: recorder, file: file, since: time.Now()}
		s.keeps.Store(new(*k))
		s.keptChanged()
		out = k.describe()
		return nil
	})
	return out, err
}

// recordTemporary starts a recording in a temporary file.
func (s *Session) recordTemporary(ctx context.Context) (*record.Temporary, *record.Recorder, error) {
	file, err := record.NewTemporary(MaxRecording, s.recordings)
	if err != nil {
		return nil, nil, err
	}
	recorder, err := s.Record(ctx, file)
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	if err := awaitHeader(ctx, file, recorder); err != nil {
		_ = recorder.Close() // err says why
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, recorder, nil
}

// awaitHeader waits until the header of a recording can be read.
func awaitHeader(ctx context.Context, file *record.Temporary, r *record.Recorder) error {
	for {
		size, changed := file.Changed()
		if size > 0 {
			return nil
		}
		select {
		case <-changed:
		case <-r.Done():
			if file.Size() == 0 {
				return r.Close()
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// keepFromStart returns what a new session keeps: a recording, unless wanted is false.
func (s *Session) keepFromStart(st *state, wanted bool, now time.Time) (*kept, error) {
	if !wanted {
		return new(kept), nil
	}
	file, err := record.NewTemporary(MaxRecording, s.recordings)
	if err != nil {
		return nil, err
	}
	if st.recorder, err = record.New(file, s.recordingHeader(st, now)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if err := awaitHeader(context.Background(), file, st.recorder); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &kept{id: rand.Text(), recorder: st.recorder, file: file, since: now}, nil
}

// StopRecording ends the recording that the session keeps, if it has not ended, and returns when
// all of it can be read. Without one, the error is of kind NotFound with the detail [NoRecording].
// If a part of the output was not recorded, the error says why; the rest can be read.
func (s *Session) StopRecording(ctx context.Context) (Kept, error) {
	var out Kept
	err := s.withRecording(ctx, func(k *kept) error {
		active := !k.recorder.Stopped()
		err := k.recorder.Close()
		if active {
			s.keptChanged()
		}
		out = k.describe()
		return err
	})
	return out, err
}

// RemoveRecording ends and removes the recording that the session keeps. If id is not "" and the
// session keeps another recording by now, that stays, and the error is of kind NotFound with the
// detail [NoRecording], as it is without a recording.
func (s *Session) RemoveRecording(ctx context.Context, id string) error {
	return s.withRecording(ctx, func(k *kept) error {
		if err := s.checkRecording(k, id); err != nil {
			return err
		}
		s.keeps.Store(nil)
		s.keptChanged()
		return k.drop()
	})
}

// keptChanged reports that the session keeps another recording, or none, or that its recording was
// stopped.
func (s *Session) keptChanged() {
	if s.onState != nil {
		s.exec.Post(s.onState)
	}
}

// ReadRecording reads a part of the recording that the session keeps, also while it is being
// written. It reads fewer bytes than b holds only at the end. If id is not "" and the session keeps
// another recording by now, the error is of kind NotFound with the detail [NoRecording].
func (s *Session) ReadRecording(ctx context.Context, id string, b []byte, offset int64) (n int, of Kept, err error) {
	err = s.withRecording(ctx, func(k *kept) error {
		if err := s.checkRecording(k, id); err != nil {
			return err
		}
		of = k.describe()
		n, err = k.file.ReadAt(b, offset)
		if errors.Is(err, io.EOF) {
			return nil
		}
		return fault.Wrap(fault.Internal, err, "read the recording")
	})
	return n, of, err
}

// checkRecording returns an error if id is not "" and the recording is another one.
func (s *Session) checkRecording(k *kept, id string) error {
	if id != "" && id != k.id {
		return fault.With(NoRecording, fault.New(fault.NotFound, "session %q has another recording now: read that from its beginning", s.Name()))
	}
	return nil
}

// AwaitRecording waits until the recording that the session keeps has more than offset bytes, or
// all of it can be read because it has ended. For id see [Session.ReadRecording]. The error is of
// kind Timeout after maxWait (0 means DefaultWait).
func (s *Session) AwaitRecording(ctx context.Context, id string, offset int64, maxWait time.Duration) (Kept, error) {
	ctx, cancel := within(ctx, maxWait, "nothing more was recorded in session %q within %v: wait on, or stop the recording", s.Name())
	defer cancel()
	for {
		var of Kept
		var over bool
		var changed, done <-chan struct{}
		err := s.withRecording(ctx, func(k *kept) error {
			if err := s.checkRecording(k, id); err != nil {
				return err
			}
			done = k.recorder.Done()
			select {
			case <-done:
				over = true // so the size is the last one
			default:
			}
			of = k.describe()
			of.Size, changed = k.file.Changed()
			return nil
		})
		if err != nil || over || of.Size > offset {
			return of, err
		}
		select {
		case <-changed:
		case <-done:
		case <-ctx.Done():
			return Kept{}, context.Cause(ctx)
		}
	}
}

func (s *Session) withRecording(ctx context.Context, f func(*kept) error) error {
	return s.withKept(ctx, func(k *kept) error {
		if k.recorder == nil {
			return fault.With(NoRecording, fault.New(fault.NotFound, "session %q has no recording: start one first", s.Name()))
		}
		return f(k)
	})
}

// discard releases what a session that has ended and was removed still holds.
func (s *Session) discard() {
	s.exec.Close()
	k := <-s.kept
	k.over = true
	s.keeps.Store(nil)
	if err := k.drop(); err != nil {
		s.log.Warn("remove a recording", "error", err)
	}
	s.kept <- k
}
