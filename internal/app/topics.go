package app

import (
	"encoding/json"
	"sync"

	"ui-mcp/internal/fault"
)

// maxSubscribers bounds the subscriptions of one topic.
const maxSubscribers = 1_000

// topics pass published values, from Lua or over HTTP, to the sessions that have subscribed. The
// zero value is ready to use and safe for concurrent use.
type topics struct {
	mu     sync.Mutex // guards the fields below
	last   int
	topics map[string][]subscription // in the order of subscribing
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

type subscription struct {
	id   int
	by   subscriber
	call func(args ...any)
}

// subscribe calls call with each published value until cancel is called.
func (t *topics) subscribe(topic string, by subscriber, call func(args ...any)) (cancel func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.topics == nil {
		t.topics = map[string][]subscription{}
	}
	t.last++
	id := t.last
	t.removeLocked(topic, func(s subscription) bool { return by.earlier(s.by) })
	list := t.topics[topic]
	if len(list) >= maxSubscribers {
		list = list[1:] // the oldest is the least likely to be in use
	}
	t.topics[topic] = append(list, subscription{id, by, call})
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.removeLocked(topic, func(s subscription) bool { return s.id == id })
	}
}

func (t *topics) removeLocked(topic string, gone func(subscription) bool) {
	var rest []subscription // a new slice: publish may be reading the old one
	for _, s := range t.topics[topic] {
		if !gone(s) {
			rest = append(rest, s)
		}
	}
	if len(rest) == 0 {
		delete(t.topics, topic)
		return
	}
	t.topics[topic] = rest
}

// publish passes a JSON value to the subscribers of a topic and returns how many there are.
func (t *topics) publish(topic string, value json.RawMessage) (int, error) {
	if topic == "" {
		return 0, fault.New(fault.Invalid, "the topic is missing")
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return 0, fault.Wrap(fault.Invalid, err, "the published value must be JSON")
	}
	t.mu.Lock()
	list := t.topics[topic]
	t.mu.Unlock()
	for _, s := range list {
		s.call(v)
	}
	return len(list), nil
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
