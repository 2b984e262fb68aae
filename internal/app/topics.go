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
}

// subscribe adds a subscription, unless there are too many. The caller must end those that it
// replaces, once the file that is being loaded cannot fail any more.
func (t *topics) subscribe(s *subscription) (replaced []*subscription, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.topics == nil {
		t.topics = map[string][]*subscription{}
	}
	for _, other := range t.topics[s.topic] {
		if s.by.earlier(other.by) {
			replaced = append(replaced, other)
		}
	}
	if len(t.topics[s.topic])-len(replaced) >= maxSubscribers {
		return nil, fault.New(fault.Exhausted, "the topic %q has %d subscriptions, which is the limit: cancel some", s.topic, maxSubscribers)
	}
	t.topics[s.topic] = append(slices.Clip(t.topics[s.topic]), s) // a new slice: publish may be reading the old one
	return replaced, nil
}

func (t *topics) end(topic string, list ...*subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.topics[topic] = slices.DeleteFunc(slices.Clone(t.topics[topic]), func(s *subscription) bool { return slices.Contains(list, s) })
	if len(t.topics[topic]) == 0 {
		delete(t.topics, topic)
	}
}

func (t *topics) active(s *subscription) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Contains(t.topics[s.topic], s)
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
	list := t.topics[topic]
	t.mu.Unlock()
	for _, s := range list {
		s.call(value)
	}
	return len(list), nil
}

// subscribe has a script's function called with each value that is published to a topic. If the
// file that is being loaded fails, everything is as before: the subscriptions of its earlier
// loadings go on, and have missed nothing.
func (r *running) subscribe(b *ui.Bridge, topic string, fn ui.Value) (cancel func(), err error) {
	t := &r.topics
	file, n := b.Loading()
	s := &subscription{topic: topic, by: subscriber{session: b.ID(), file: file, loading: n}}
	s.call = b.Listener(fn, func() bool { return t.active(s) })
	replaced, err := t.subscribe(s)
	if err != nil {
		return nil, err
	}
	end := func() { t.end(topic, s) }
	b.Did(end, func() { t.end(topic, replaced...) })
	return func() { b.Did(nil, end) }, nil
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
