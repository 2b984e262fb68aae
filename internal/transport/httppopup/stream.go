package httppopup

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

const (
	// keepAlive is the silence after which a stream carries a comment.
	keepAlive = 12 * time.Second
	// writeTimeout is how long a client may take to read what it is sent.
	writeTimeout = 30 * time.Second
)

// A stream is a response of server-sent events. Its methods may be called from any goroutine, until the handler returns.
type stream struct {
	w  http.ResponseWriter
	rc *http.ResponseController

	mu sync.Mutex // held while something is written
}

// startStream sends the headers.
func startStream(w http.ResponseWriter) *stream {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	s := &stream{w: w, rc: http.NewResponseController(w)}
	_ = s.comment("open") // a client that has gone is seen by its request's context
	return s
}

// event sends a message, which has no newlines. id is 0 where nobody can ask for it again.
func (s *stream) event(id uint64, message []byte) error {
	if id == 0 {
		return s.write(fmt.Appendf(nil, "event: message\ndata: %s\n\n", message))
	}
	return s.write(fmt.Appendf(nil, "event: message\nid: %d\ndata: %s\n\n", id, message))
}

// comment sends what clients ignore.
func (s *stream) comment(text string) error { return s.write([]byte(": " + text + "\n\n")) }

func (s *stream) write(data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.rc.SetWriteDeadline(time.Now().Add(writeTimeout)) // where the connection can
	defer func() { _ = s.rc.SetWriteDeadline(time.Time{}) }()
	if _, err := s.w.Write(data); err != nil {
		return err
	}
	return s.rc.Flush()
}
