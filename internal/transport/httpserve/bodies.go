package httpserve

import (
	"io"
	"net/http"
	"time"
)

const (
	// readWithin is how long a client may send nothing while its body is being read.
	readWithin = 30 * time.Second
	// bodyWithin is how long a whole body may take, unless the server takes so long ones (see
	// Options) that this is less than slowest bytes a second.
	bodyWithin = 5 * time.Minute
	slowest    = 64 << 10
	// discardWithin is how long the server tries to read the rest of a body that the handler has
	// not read, to keep the connection, and [Discard] that of another one.
	discardWithin = 5 * time.Second
)

// limitBodies cuts off clients that stop sending in the middle of a body. The deadline holds only
// while the body is read: one for the whole request would end long polls and streams. Bodies of up
// to maxBody bytes have the time that they need.
func limitBodies(next http.Handler, maxBody int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		within := bodyWithin
		if r.ContentLength <= maxBody {
			within = max(within, time.Duration(r.ContentLength/slowest)*time.Second)
		}
		b := &body{ReadCloser: r.Body, within: within, rc: http.NewResponseController(w)}
		r.Body = b
		defer b.finish()
		next.ServeHTTP(w, r)
	})
}

// A body is a request body with deadlines.
type body struct {
	io.ReadCloser
	within time.Duration // how long it may take
	rc     *http.ResponseController
	start  time.Time // of the first read
	ended  bool      // it was read to the end
	failed bool
}

func (b *body) Read(p []byte) (int, error) {
	now := time.Now()
	if b.start.IsZero() {
		b.start = now
	}
	deadline := now.Add(readWithin)
	if last := b.start.Add(b.within); last.Before(deadline) {
		deadline = last
	}
	_ = b.rc.SetReadDeadline(deadline)
	n, err := b.ReadCloser.Read(p)
	if err != nil && err != io.EOF {
		b.failed = true // its deadline stays, so that the server does not read on either
		return n, err
	}
	// From now on the server reads the connection, to notice that the client disconnects. A
	// deadline would look like that.
	_ = b.rc.SetReadDeadline(time.Time{})
	b.ended = b.ended || err == io.EOF
	return n, err
}

// Discard reads the rest of a body that no handler reads: at most so many bytes, and for a few
// seconds only.
func Discard(rest io.Reader, most int64) {
	if b, ok := rest.(*body); ok {
		b.start, b.within = time.Now(), discardWithin
	}
	_, _ = io.CopyN(io.Discard, rest, most)
}

// finish limits how long the server reads what the handler has left. The next request on the
// connection has deadlines of its own.
func (b *body) finish() {
	if !b.ended && !b.failed {
		_ = b.rc.SetReadDeadline(time.Now().Add(discardWithin))
	}
}
