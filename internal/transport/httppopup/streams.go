package httppopup

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"ui-mcp/internal/transport/sse"
)

const (
	// keepAlive is the silence after which a stream carries a comment.
	keepAlive = 12 * time.Second

	maxSessions = 1000 // whose events are kept
	maxKept     = 200  // events of a session

	// undeliveredFor is how long an answer waits for a stream to be opened.
	undeliveredFor = 24 * time.Hour
	// deliveredFor is how long an answer can be requested again: a stream that broke may have lost
	// it.
	deliveredFor = 10 * time.Minute
)

// streams keeps the events of sessions and sends them on the streams that clients open. Its methods
// may be called from any goroutine.
type streams struct {
	mu       sync.Mutex // guards the fields below
	sessions map[string]*outbox
	last     uint64 // the number of the newest event, of all sessions
}

// An outbox holds the events of one session. Its fields are guarded by the mutex of the streams.
type outbox struct {
	events []kept
	live   int           // streams that are open
	more   chan struct{} // closed, and replaced, when there is another event
	used   time.Time
}

// kept is an event that may have to be sent, perhaps again.
type kept struct {
	id        uint64
	message   []byte
	expires   time.Time
	delivered bool
}

func newStreams() *streams { return &streams{sessions: map[string]*outbox{}} }

// has reports whether the session has an outbox.
func (s *streams) has(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[session] != nil
}

// isLive reports whether a stream of the session is open.
func (s *streams) isLive(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.sessions[session]
	return o != nil && o.live > 0
}

// publish sends a message on the streams of a session, or keeps it for the next one.
func (s *streams) publish(session string, message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.outboxLocked(session)
	s.last++
	o.events = append(o.events, kept{id: s.last, message: message, expires: time.Now().Add(undeliveredFor)})
	if n := len(o.events); n > maxKept {
		o.events = slices.Delete(o.events, 0, n-maxKept)
	}
	close(o.more)
	o.more = make(chan struct{})
}

// outboxLocked returns the outbox of a session. When there are too many, the one that has been
// unused for longest makes room.
func (s *streams) outboxLocked(session string) *outbox {
	o := s.sessions[session]
	if o == nil {
		if len(s.sessions) >= maxSessions {
			s.dropLocked()
		}
		o = &outbox{more: make(chan struct{})}
		s.sessions[session] = o
	}
	o.used = time.Now()
	return o
}

func (s *streams) dropLocked() {
	oldest, found := "", false
	for id, o := range s.sessions {
		if o.live == 0 && (!found || o.used.Before(s.sessions[oldest].used)) {
			oldest, found = id, true
		}
	}
	if found {
		delete(s.sessions, oldest)
	}
}

// serve answers with a stream of the events of a session until ctx ends or the client disconnects:
// those after the event that the client names as the last it has seen, or else those that no stream
// has sent yet.
func (s *streams) serve(ctx context.Context, session, lastSeen string, w http.ResponseWriter) {
	o, next := s.enter(session, lastSeen)
	defer s.leave(o)
	out := sse.Start(w) // not earlier: a client that sees it may ask at once, and expects the answer here
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		events, more := s.after(o, next)
		for _, e := range events {
			if out.Send(sse.Event{ID: strconv.FormatUint(e.id, 10), Data: e.message}) != nil {
				return
			}
			s.sent(o, e.id)
			next = e.id
		}
		select {
		case <-more:
		case <-alive.C:
			if out.Comment("keep-alive") != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// enter counts an open stream and returns the number of the event after which it starts.
func (s *streams) enter(session, lastSeen string) (*outbox, uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.outboxLocked(session)
	o.live++
	if seen, err := strconv.ParseUint(lastSeen, 10, 64); err == nil && seen <= s.last {
		return o, seen
	}
	for _, e := range o.events {
		if !e.delivered {
			return o, e.id - 1
		}
	}
	return o, s.last
}

func (s *streams) leave(o *outbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.live--
	o.used = time.Now()
}

// after returns the events after a number, without those that have expired, and a channel that is
// closed when there are more.
func (s *streams) after(o *outbox, id uint64) ([]kept, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	o.events = slices.DeleteFunc(o.events, func(e kept) bool { return now.After(e.expires) })
	var events []kept
	for _, e := range o.events {
		if e.id > id {
			events = append(events, e)
		}
	}
	return events, o.more
}

// sent records that an event was written to a stream.
func (s *streams) sent(o *outbox, id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range o.events {
		if e := &o.events[i]; e.id == id && !e.delivered {
			e.delivered, e.expires = true, time.Now().Add(deliveredFor)
		}
	}
}
