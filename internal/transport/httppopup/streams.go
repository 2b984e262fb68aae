package httppopup

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/transport/sse"
)

const (
	// keepAlive is the silence after which a stream carries a comment.
	keepAlive = 12 * time.Second

	// keptFor is how long an answer can be fetched, also once more by a client whose stream broke.
	keptFor = time.Hour
	maxKept = 2000 // answers
)

// streams keeps the answers of sessions, and sends them on the streams that clients open. Its
// methods may be called from any goroutine.
type streams struct {
	run string // begins the IDs of all events: clients may resume with an ID of an earlier process

	mu   sync.Mutex // guards the fields below
	kept []*kept    // in the order of their numbers
	live map[string]int
	last uint64        // the number of the newest event
	more chan struct{} // closed, and replaced, when there is another one
}

// kept is an event that may have to be sent, perhaps again.
type kept struct {
	session   string
	number    uint64
	message   []byte
	expires   time.Time
	delivered atomic.Bool // written to a stream
}

func newStreams() *streams {
	return &streams{run: rand.Text() + "-", live: map[string]int{}, more: make(chan struct{})}
}

// has reports whether the session has a stream, or an answer for one.
func (s *streams) has(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[session] > 0 || slices.ContainsFunc(s.kept, func(e *kept) bool { return e.session == session })
}

func (s *streams) isLive(session string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live[session] > 0
}

// publish sends a message on the streams of a session, or keeps it for the next one.
func (s *streams) publish(session string, message []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	s.kept = append(s.kept, &kept{session: session, number: s.last, message: message, expires: time.Now().Add(keptFor)})
	s.forgetLocked()
	close(s.more)
	s.more = make(chan struct{})
}

// forgetLocked forgets events that have expired, and the oldest if there are too many.
func (s *streams) forgetLocked() {
	now := time.Now()
	s.kept = slices.DeleteFunc(s.kept, func(e *kept) bool { return now.After(e.expires) })
	if n := len(s.kept) - maxKept; n > 0 {
		s.kept = slices.Delete(s.kept, 0, n)
	}
}

// serve answers with a stream of the events of a session until ctx ends or the client disconnects:
// those after the event that the client names as the last it has seen, or else those that no stream
// has sent yet.
func (s *streams) serve(ctx context.Context, session, lastSeen string, w http.ResponseWriter) {
	next := s.enter(session, lastSeen)
	defer s.leave(session)
	out := sse.Start(w) // not earlier: a client that sees it may ask at once, and expects the answer here
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		events, more := s.after(session, next)
		for _, e := range events {
			if out.Send(sse.Event{ID: s.run + strconv.FormatUint(e.number, 10), Data: e.message}) != nil {
				return
			}
			e.delivered.Store(true)
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
func (s *streams) enter(session, lastSeen string) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[session]++
	if lastSeen != "" {
		var seen uint64 // other IDs are older than all events of this process
		if number, ours := strings.CutPrefix(lastSeen, s.run); ours {
			seen, _ = strconv.ParseUint(number, 10, 64)
		}
		return seen
	}
	for _, e := range s.kept {
		if e.session == session && !e.delivered.Load() {
			return e.number - 1
		}
	}
	return s.last
}

func (s *streams) leave(session string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live[session]--; s.live[session] == 0 {
		delete(s.live, session)
	}
}

// after returns the events of a session after a number, and a channel that is closed when there are
// more.
func (s *streams) after(session string, number uint64) ([]*kept, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked()
	var events []*kept
	for _, e := range s.kept {
		if e.session == session && e.number > number {
			events = append(events, e)
		}
	}
	return events, s.more
}
