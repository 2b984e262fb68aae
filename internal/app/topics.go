package app

import (
	"encoding/json"
	"slices"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// maxSubscribers bounds the subscriptions of one topic.
const maxSubscribers = 1_000

// topics pass published values, from Lua or over HTTP, to the sessions that have subscribed. The
// zero value is ready to use and safe for concurrent use.
type topics struct {
	mu     sync.Mutex                 // guards the field below
	topics map[string][]*subscription // in the order of subscribing
}

// A subscriber is where a subscription was made. When a file that is loaded again subscribes to a
// topic, that replaces the file's earlier subscriptions to it; several subscriptions of one loading
// stay side by side. Without a file, each stays until it is cancelled.
type subscriber struct {
	session, file string
	loading       int // which loading of the file
}

// earlier reports whether other is of an earlier loading of the same file.
func (s subscriber) earlier(other subscriber) bool {
	return s.file != "" && s.session == other.session && s.file == other.file && s.loading != other.loading
}

// A subscription is a function that is called with each published value.
type subscription struct {
	topic string
	by    subscriber
	// call must not block. It is to do nothing once the subscription has ended: see topics.active.
	call func(value json.RawMessage)

	// Guarded by the mutex of the topics:
	leaving bool // it ends unless the file that is being loaded fails, and no longer counts
	ended   bool
}

// subscribe adds a subscription. The caller must then end or restore those that it replaces. It
// must not block.
func (t *topics) subscribe(s *subscription) (replaced []*subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.topics == nil {
		t.topics = map[string][]*subscription{}
	}
	var staying []*subscription
	for _, other := range t.topics[s.topic] {
		switch {
		case s.by.earlier(other.by):
			replaced = append(replaced, other)
		case !other.leaving:
			staying = append(staying, other)
		}
	}
	if len(staying) >= maxSubscribers { // the oldest is the least likely to be in use
		if oldest := staying[0]; oldest.by == s.by {
			t.endLocked(oldest) // it is of no use whether the file fails or not
		} else {
			replaced = append(replaced, oldest)
		}
	}
	for _, other := range replaced {
		other.leaving = true
	}
	t.topics[s.topic] = append(slices.Clip(t.topics[s.topic]), s) // a new slice: publish may be reading the old one
	return replaced
}

// leave has subscriptions no longer count, or count again. The caller must end or restore those
// that leave.
func (t *topics) leave(leaving bool, list ...*subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range list {
		s.leaving = leaving
	}
}

func (t *topics) end(list ...*subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range list {
		t.endLocked(s)
	}
}

func (t *topics) endLocked(s *subscription) {
	s.ended = true
	t.topics[s.topic] = slices.DeleteFunc(slices.Clone(t.topics[s.topic]), func(other *subscription) bool { return other == s })
	if len(t.topics[s.topic]) == 0 {
		delete(t.topics, s.topic)
	}
}

func (t *topics) active(s *subscription) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !s.ended
}

// publish passes a JSON value to the subscribers of a topic and returns how many there are.
func (t *topics) publish(topic string, value json.RawMessage) (int, error) {
	if topic == "" {
		return 0, fault.New(fault.Invalid, "the topic is missing")
	}
	var v any // more than syntax: numbers may be too large
	if err := json.Unmarshal(value, &v); err != nil {
		return 0, fault.Wrap(fault.Invalid, err, "the published value must be JSON")
	}
	t.mu.Lock()
	list, n := t.topics[topic], 0
	for _, s := range list {
		if !s.leaving {
			n++
		}
	}
	t.mu.Unlock()
	for _, s := range list {
		s.call(value)
	}
	return n, nil
}

// subscribe has a script's function called with each value that is published to a topic. If the
// file that is being loaded fails, everything is as before: the subscriptions of its earlier
// loadings go on, and have missed nothing.
func (r *running) subscribe(b *ui.Bridge, topic string, fn ui.Value) (cancel func()) {
	t := &r.topics
	file, n := b.Loading()
	s := &subscription{topic: topic, by: subscriber{session: b.ID(), file: file, loading: n}}
	s.call = b.Listener(fn, func() bool { return t.active(s) })
	replaced := t.subscribe(s)
	b.Did(func() { t.end(s); t.leave(false, replaced...) }, func() { t.end(replaced...) })
	return func() {
		t.leave(true, s)
		b.Did(func() { t.leave(false, s) }, func() { t.end(s) })
	}
}

// Publish passes a JSON value to the scripts that have subscribed to a topic with mcp:subscribe, in
// any session, and returns how many there are. It does not wait for them.
func (a *App) Publish(topic string, value json.RawMessage) (listeners int, err error) {
	r, err := a.runs()
	if err != nil {
		return 0, err
	}
	return r.topics.publish(topic, value)
}
