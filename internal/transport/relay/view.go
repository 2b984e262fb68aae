package relay

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/wake"
)

// A View is one view that has said hello. Its methods may be called from any goroutine.
type View struct {
	hub    *Hub
	id     string
	token  string
	ctx    context.Context // ends with the view
	cancel context.CancelFunc
	wake   chan struct{} // capacity 1; a token means that the queue may have changed

	// taking has a value while a call handles messages of the view, so that they are handled in
	// order, and only once when a call is repeated. It guards joined.
	taking chan struct{}
	joined joiner

	mu       sync.Mutex // guards the fields below
	handler  Handler    // nil until Open has returned; changed while taking has a value
	ended    bool
	reason   string      // why it has ended
	calls    int         // in progress
	lapse    *time.Timer // ends the view while no call is in progress
	got      int64       // the number of the last frame received
	begun    int         // bytes of messages that were received in part
	sent     int64       // the highest number of a frame in a reply
	queue    []Frame     // for the view, not acknowledged; the first has the number base
	size     int         // of the queue, in bytes
	base     int64       // see queue
	newest   int         // the number of the newest poll, which alone gets messages
	replied  time.Time   // when a poll last got messages
	prompted bool        // the view has sent something since then
	visible  bool        // the newest poll was willing to wait
}

// Done is closed when the view has ended.
func (v *View) Done() <-chan struct{} { return v.ctx.Done() }

// Send queues a message, which must be JSON and must not be changed afterwards. It never blocks. It
// returns false if the view has ended. A view that does not fetch its messages is ended.
func (v *View) Send(channel string, msg []byte) bool {
	v.mu.Lock()
	if v.ended {
		v.mu.Unlock()
		return false
	}
	v.queue = append(v.queue, Pieces(channel, msg)...)
	v.size += len(msg)
	full := v.size > MaxQueued
	queued := v.hub.queued.Add(int64(len(msg)))
	v.mu.Unlock()
	switch {
	case full:
		v.End("it does not fetch its messages")
		return false
	case queued > MaxQueuedInAll:
		v.hub.relieve(func(v *View) int { return v.size }, "it does not fetch its messages")
	}
	wake.Up(v.wake)
	return v.ctx.Err() == nil
}

// End ends the view. Its next call fails, and it may say hello again.
func (v *View) End(reason string) {
	v.mu.Lock()
	if v.ended {
		v.mu.Unlock()
		return
	}
	v.ended, v.reason = true, reason
	v.hub.queued.Add(-int64(v.size))
	v.hub.unfinished.Add(-int64(v.begun))
	v.queue, v.size, v.begun = nil, 0, 0
	v.lapse.Stop()
	h := v.handler
	v.mu.Unlock()
	v.hub.remove(v)
	v.cancel()
	v.hub.opts.Log.Info("a view has ended", "reason", reason)
	if h != nil {
		h.Close()
	}
}

// enter notes that a call is in progress. The hub's mutex is held.
func (v *View) enter() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls++
	v.lapse.Stop()
}

func (v *View) isCalling() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.calls > 0
}

// leave notes that a call is over.
func (v *View) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.calls--
	if v.calls > 0 || v.ended {
		return
	}
	lapse := Lapse
	if v.visible {
		lapse = VisibleLapse
	}
	v.lapse.Reset(lapse)
}

// lapsed ends a view that has not called for too long.
func (v *View) lapsed() {
	v.mu.Lock()
	silent := v.calls == 0
	v.mu.Unlock()
	if silent {
		v.End("it has not called for a while")
	}
}

var errEnded = errors.New("the view has ended")

// open starts the handler. taking has a value.
func (v *View) open(hello json.RawMessage) error {
	h, err := v.hub.opts.Open(v.ctx, v, hello)
	if err != nil {
		return err
	}
	v.mu.Lock()
	v.handler = h
	ended := v.ended
	v.mu.Unlock()
	if ended {
		h.Close()
		return errEnded
	}
	return nil
}

// take starts the handler, unless an earlier hello did, and handles the frames that were not
// received before. It handles all of them even if the call is given up meanwhile, since a repeated
// call skips them.
func (v *View) take(hello json.RawMessage, first int64, frames []Frame) error {
	if hello == nil && len(frames) == 0 {
		return nil
	}
	v.taking <- struct{}{}
	defer func() { <-v.taking }()
	if hello != nil && v.handler == nil {
		if err := v.open(hello); err != nil {
			return err
		}
	}
	if len(frames) == 0 {
		return nil
	}
	v.mu.Lock()
	got, h := v.got, v.handler
	v.prompted = true
	v.mu.Unlock()
	switch {
	case h == nil:
		return errEnded
	case first < 1:
		return fault.New(fault.Invalid, "frames are numbered from 1")
	case first > got+1:
		return fault.New(fault.Invalid, "frames %d to %d are missing", got+1, first-1)
	}
	for _, f := range frames[min(got+1-first, int64(len(frames))):] {
		msg, err := v.joined.add(f)
		if !v.note(v.joined.size) {
			return errEnded
		}
		if err == nil && msg != nil {
			err = h.Receive(v.ctx, f.Channel, msg)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// note counts a frame that was received, after which size bytes belong to unfinished messages. It
// returns false if the view has ended.
func (v *View) note(size int) bool {
	v.mu.Lock()
	if v.ended {
		v.mu.Unlock()
		return false
	}
	v.got++
	unfinished := v.hub.unfinished.Add(int64(size - v.begun))
	v.begun = size
	v.mu.Unlock()
	if unfinished <= MaxUnfinishedInAll {
		return true
	}
	v.hub.relieve(func(v *View) int { return v.begun }, "it does not finish its messages")
	return v.ctx.Err() == nil
}

// failed ends the view because of err, and returns the reply.
func (v *View) failed(err error) Reply {
	v.mu.Lock()
	ended, reason := v.ended, v.reason
	v.mu.Unlock()
	if ended {
		return Reply{Version: Version, Error: UnknownView, Message: "This view has ended: " + reason + "."}
	}
	v.End(err.Error())
	return Reply{Version: Version, Error: Refused, Message: err.Error()}
}

// reply returns the frames after ack, for which a poll waits. sent says that the call had messages.
func (v *View) reply(ctx context.Context, ack int64, wait time.Duration, sent bool) Reply {
	if err := v.acknowledge(ack); err != nil {
		return v.failed(err)
	}
	if wait <= 0 {
		if sent {
			// The poll, which may be held back by its pace, brings the answer.
			wake.Up(v.wake)
		}
		return v.taken(false)
	}
	poll := v.startPoll(wait >= willing)
	limit := time.NewTimer(wait)
	defer limit.Stop()
	pace := time.NewTimer(0)
	defer pace.Stop()
	for {
		newest, held, due := v.due(poll)
		switch {
		case !newest:
			// Messages go to the newer poll: the reply of this one may not be read. Pass on the
			// signal that this one has taken.
			wake.Up(v.wake)
			return v.taken(false)
		case due:
			return v.taken(true)
		case held > 0:
			pace.Reset(held)
		}
		select {
		case <-v.wake:
		case <-pace.C:
		case <-v.ctx.Done():
			return v.failed(errEnded)
		case <-limit.C:
			return v.taken(true)
		case <-ctx.Done():
			return v.taken(false)
		}
	}
}

// startPoll returns the number of a new poll, which is the newest. Older ones return without
// messages. visible says that it is willing to wait.
func (v *View) startPoll(visible bool) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.newest++
	v.visible = visible
	wake.Up(v.wake)
	return v.newest
}

// acknowledge forgets the frames up to number ack.
func (v *View) acknowledge(ack int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case v.ended:
		return errEnded
	case ack < 0 || ack > v.sent:
		return fault.New(fault.Invalid, "frame %d was never sent to this view", ack)
	}
	n := max(ack-v.base+1, 0)
	for i := range v.queue[:n] {
		v.size -= v.queue[i].len()
		v.hub.queued.Add(-int64(v.queue[i].len()))
		v.queue[i] = Frame{}
	}
	v.queue = v.queue[n:]
	v.base += n
	return nil
}

// due reports whether a poll is the newest, and whether it may send messages now. Otherwise, in is
// the time until it may, or 0 if no messages wait.
func (v *View) due(poll int) (newest bool, in time.Duration, now bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if poll != v.newest {
		return false, 0, false
	}
	if len(v.queue) == 0 {
		return true, 0, false
	}
	in = Pace - time.Since(v.replied)
	return true, in, v.prompted || in <= 0
}

func (v *View) taken(messages bool) Reply {
	v.mu.Lock()
	defer v.mu.Unlock()
	r := Reply{Version: Version, Got: v.got}
	if !messages || len(v.queue) == 0 {
		return r
	}
	n, size := 0, 0
	for n < len(v.queue) && (n == 0 || size+v.queue[n].len() <= MaxReply) {
		size += v.queue[n].len()
		n++
	}
	r.First, r.In = v.base, append(r.In, v.queue[:n]...)
	v.sent = max(v.sent, v.base+int64(n)-1)
	v.replied, v.prompted = time.Now(), false
	return r
}

func (f Frame) len() int { return len(f.Message) + len(f.Piece) }
