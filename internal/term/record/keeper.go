package record

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
)

// Details of errors.
const (
	NoRecording      fault.Detail = "no_recording"
	AlreadyRecording fault.Detail = "already_recording"
)

// MaxKept is the size limit of a recording that a session keeps, in bytes.
const MaxKept = 64 << 20

// A Keeper keeps the recording of a session until it is removed or replaced, also after it has
// ended. It keeps one at a time. Its methods may be called from anywhere. Where they take an ID
// that is not "" and the Keeper has another recording by now, or none, the error is of kind
// NotFound with the detail [NoRecording]. After Close, errors are of kind Gone.
type Keeper struct {
	name    func() string // of the session
	budget  *Budget
	log     *slog.Logger
	changed func()

	turn chan struct{} // capacity 1; holding its token allows replacing the recording
	now  atomic.Pointer[kept]
	over atomic.Bool
}

// kept is a recording. It never changes.
type kept struct {
	id       string
	recorder *Recorder
	file     *Temporary
	since    time.Time
}

// A Kept describes the recording that a session keeps.
type Kept struct {
	ID     string // differs from the ID of any other recording
	Active bool   // it is being written
	Size   int64
	Since  time.Time // when it was started
	Err    error     // why it lacks a part of the output, if it has ended for that reason
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

// NewKeeper returns a Keeper without a recording, for a session with a name. Recordings count
// against the budget. The Keeper calls changed, which must not block, when it has another
// recording, or none, or its recording was stopped.
func NewKeeper(name func() string, budget *Budget, log *slog.Logger, changed func()) *Keeper {
	return &Keeper{name: name, budget: budget, log: log, changed: changed, turn: make(chan struct{}, 1)}
}

// Close ends and removes the recording.
func (k *Keeper) Close() {
	k.turn <- struct{}{}
	k.over.Store(true)
	k.drop(k.now.Swap(nil))
	<-k.turn
}

// Start starts a recording, which replaces one that has ended. begin starts to write it. Its header
// can be read when Start returns. It ends when it has MaxKept bytes, and all recordings end when
// they have as many bytes together as the budget allows: then the error is of kind Exhausted,
// unless the recording to be replaced leaves room.
func (k *Keeper) Start(ctx context.Context, begin func(io.Writer) (*Recorder, error)) (Kept, error) {
	if err := k.lock(ctx); err != nil {
		return Kept{}, err
	}
	defer func() { <-k.turn }()
	old := k.now.Load()
	if old != nil {
		if !old.recorder.Stopped() {
			return Kept{}, fault.With(AlreadyRecording, fault.New(fault.Precondition, "session %q is being recorded already: stop that first", k.name()))
		}
		_ = old.recorder.Close() // so that it is written to no more
		size := old.file.Size()
		k.budget.add(-size) // it leaves its room to the next one
		defer k.budget.add(size)
	}
	r, err := k.begin(ctx, begin)
	if err != nil {
		return Kept{}, err
	}
	k.now.Store(r)
	k.drop(old)
	k.changed()
	return r.describe(), nil
}

// lock takes the turn, which the caller must give back.
func (k *Keeper) lock(ctx context.Context) error {
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if k.over.Load() {
		<-k.turn
		return k.gone()
	}
	return nil
}

func (k *Keeper) gone() error {
	return fault.New(fault.Gone, "session %q has been removed", k.name())
}

// begin starts a recording in a temporary file, and waits until its header can be read.
func (k *Keeper) begin(ctx context.Context, begin func(io.Writer) (*Recorder, error)) (*kept, error) {
	file, err := NewTemporary(MaxKept, k.budget)
	if err != nil {
		return nil, err
	}
	recorder, err := begin(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	r := &kept{id: rand.Text(), recorder: recorder, file: file, since: time.Now()}
	select {
	case <-recorder.begun:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil || file.Size() == 0 {
		k.drop(r)
		return nil, errors.Join(err, recorder.Close()) // the recorder's error says why there is no header
	}
	return r, nil
}

// drop ends and removes a recording, which may be nil.
func (k *Keeper) drop(r *kept) {
	if r == nil {
		return
	}
	_ = r.recorder.Close() // why it was not complete does not matter any more
	if err := r.file.Close(); err != nil {
		k.log.Warn("remove a recording", "error", err)
	}
}

// find returns the recording with an ID, or any if that is "".
func (k *Keeper) find(id string) (*kept, error) {
	r := k.now.Load()
	switch {
	case k.over.Load():
		return nil, k.gone()
	case r == nil:
		return nil, fault.With(NoRecording, fault.New(fault.NotFound, "session %q has no recording: start one first", k.name()))
	case id != "" && id != r.id:
		return nil, fault.With(NoRecording, fault.New(fault.NotFound, "session %q has another recording now: read that from its beginning", k.name()))
	}
	return r, nil
}

// Describe describes the recording, or returns nil. It never waits.
func (k *Keeper) Describe() *Kept {
	if r := k.now.Load(); r != nil {
		return new(r.describe())
	}
	return nil
}

// Stop ends the recording, if it has not ended, and returns when all of it can be read. If a part
// of the output was not recorded, the error says why; the rest can be read.
func (k *Keeper) Stop() (Kept, error) {
	r, err := k.find("")
	if err != nil {
		return Kept{}, err
	}
	active := !r.recorder.Stopped()
	err = r.recorder.Close()
	if active {
		k.changed()
	}
	return r.describe(), err
}

// Remove ends and removes the recording.
func (k *Keeper) Remove(ctx context.Context, id string) error {
	if err := k.lock(ctx); err != nil {
		return err
	}
	defer func() { <-k.turn }()
	r, err := k.find(id)
	if err != nil {
		return err
	}
	k.now.Store(nil)
	k.changed()
	k.drop(r)
	return nil
}

// ReadAt reads a part of the recording, also while it is being written. It reads fewer bytes than b
// holds only at the end.
func (k *Keeper) ReadAt(id string, b []byte, offset int64) (n int, of Kept, err error) {
	r, err := k.find(id)
	if err != nil {
		return 0, Kept{}, err
	}
	of = r.describe()
	n, err = r.file.ReadAt(b, offset)
	if err == nil || errors.Is(err, io.EOF) {
		return n, of, nil
	}
	if _, gone := k.find(r.id); gone != nil { // it was removed meanwhile
		return 0, Kept{}, gone
	}
	return n, of, fault.Wrap(fault.Internal, err, "read the recording")
}
