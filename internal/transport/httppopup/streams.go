package httppopup

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/transport/sse"
)

const (
	// keepAlive is the silence after which a stream carries a comment.
	keepAlive = 12 * time.Second

	// keptFor is how long an answer can be fetched, also once more by a client whose stream broke.
	keptFor     = time.Hour
	maxSessions = 100 // whose answers are kept
	maxKept     = 200 // answers of a session
)

// streams keeps the events of sessions and sends them on the streams that clients open. Its methods
// may be called from any goroutine.
type streams struct {
	run string // begins the IDs of all events: clients may resume with an ID of an earlier process

	mu       sync.Mutex // guards the fields below
	sessions map[string]*outbox
	last     uint64 // the number of the newest event, of all sessions
}

// An outbox holds the events of one session. It has events, or a stream is open. Its fields are
// guarded by the mutex of the streams.
type outbox struct {
	events []kept
	live   int           // streams that are open
	more   chan struct{} // closed, and replaced, when there is another event
}

// kept is an event that may have to be sent, perhaps again.
type kept struct {
	number    uint64
	message   []byte
	expires   time.Time
	delivered bool
}

func newStreams() *streams { return &streams{run: rand.Text() + "-", sessions: map[string]*outbox{}} }

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
	o.events = append(o.events, kept{number: s.last, message: message, expires: time.Now().Add(keptFor)})
	o.events = o.events[max(len(o.events)-maxKept, 0):]
	close(o.more)
	o.more = make(chan struct{})
}

// outboxLocked returns the outbox of a session. If there are too many, the one whose last event is
// the oldest makes room.
func (s *streams) outboxLocked(session string) *outbox {
	o := s.sessions[session]
	if o != nil {
		return o
	}
	if len(s.sessions) >= maxSessions {
		oldest, number := "", s.last+1
		for id, o := range s.sessions {
			if n := len(o.events); o.live == 0 && o.events[n-1].number < number {
				oldest, number = id, o.events[n-1].number
			}
		}
		delete(s.sessions, oldest)
	}
	o = &outbox{more: make(chan struct{})}
	s.sessions[session] = o
	return o
}

// serve answers with a stream of the events of a session until ctx ends or the client disconnects:
// those after the event that the client names as the last it has seen, or else those that no stream
// has sent yet.
func (s *streams) serve(ctx context.Context, session, lastSeen string, w http.ResponseWriter) {
	o, next := s.enter(session, lastSeen)
	defer s.leave(session, o)
	out := sse.Start(w) // not earlier: a client that sees it may ask at once, and expects the answer here
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		events, more := s.after(o, next)
		for _, e := range events {
			if out.Send(sse.Event{ID: s.run + strconv.FormatUint(e.number, 10), Data: e.message}) != nil {
				return
			}
			s.sent(o, e.number)
			next = e.number
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
	if lastSeen != "" {
		var seen uint64 // other IDs are older than all events of this process
		if number, ours := strings.CutPrefix(lastSeen, s.run); ours {
			seen, _ = strconv.ParseUint(number, 10, 64)
		}
		return o, seen
	}
	for _, e := range o.events {
		if !e.delivered {
			return o, e.number - 1
		}
	}
	return o, s.last
}

func (s *streams) leave(session string, o *outbox) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.live--; o.live == 0 && len(o.events) == 0 {
		delete(s.sessions, session)
	}
}

// after returns the events after a number, without those that have expired, and a channel that is
// closed when there are more.
func (s *streams) after(o *outbox, number uint64) ([]kept, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	o.events = slices.DeleteFunc(o.events, func(e kept) bool { return now.After(e.expires) })
	var events []kept
	for _, e := range o.events {
		if e.number > number {
			events = append(events, e)
		}
	}
	return events, o.more
}

// sent records that an event was written to a stream.
func (s *streams) sent(o *outbox, number uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range o.events {
		if o.events[i].number == number {
			o.events[i].delivered = true
		}
	}
}
