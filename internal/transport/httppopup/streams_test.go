package httppopup

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/transport/popuprpc"
)

// A client that waits on a stream gets a comment every twelve seconds.
func TestHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, err := popup.New(popup.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		b.AddChannel(&person{make(chan popup.Asked, 1)})
		d := NewHandler(HandlerOptions{Methods: popuprpc.New(b, "")})
		defer d.Close()
		body := strings.Replace(example, `"title"`, `"timeoutSeconds": 40, "title"`, 1)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		got := w.Body.String()
		for _, want := range []string{": open\n\n", ": waiting for the person, 12s\n\n", ": waiting for the person, 24s\n\n", ": waiting for the person, 36s\n\n", `"code":-32002`} {
			_, after, ok := strings.Cut(got, want)
			if !ok {
				t.Fatalf("no %q, in order, in %s", want, w.Body)
			}
			got = after
		}
	})
}

func TestExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams()
		s.publish("a", []byte("1"))
		s.publish("a", []byte("2"))
		o, next := s.enter("a", "")
		s.sent(o, 1)
		pending := func() string {
			var all []string
			events, _ := s.after(o, 0)
			for _, e := range events {
				all = append(all, string(e.message))
			}
			return strings.Join(all, " ")
		}
		if got := pending(); got != "1 2" || next != 0 {
			t.Errorf("%s after %d", got, next)
		}
		time.Sleep(deliveredFor + time.Second)
		if got := pending(); got != "2" {
			t.Errorf("what was delivered stays: %s", got)
		}
		time.Sleep(undeliveredFor)
		if got := pending(); got != "" {
			t.Errorf("what nobody wanted stays: %s", got)
		}
	})
}

// Clients that never listen cannot fill the memory.
func TestManySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams()
		s.enter("live", "")
		for i := range maxSessions + 10 {
			time.Sleep(time.Millisecond)
			s.publish(strings.Repeat("x", i), []byte("1"))
		}
		for range maxKept + 10 {
			s.publish("live", []byte("1"))
		}
		if n := len(s.sessions); n != maxSessions || !s.isLive("live") || s.has("xx") {
			t.Errorf("%d sessions", n)
		}
		if n := len(s.sessions["live"].events); n != maxKept {
			t.Errorf("%d events", n)
		}
	})
}

// An opening is a response that runs a function at its first byte.
type opening struct {
	*httptest.ResponseRecorder
	first func()
}

func (o *opening) Write(b []byte) (int, error) {
	o.first()
	return o.ResponseRecorder.Write(b)
}

// A client that sees its stream open may ask at once: the answer must come on the stream, since the
// client may not read anything else.
func TestStreamIsLiveWhenItOpens(t *testing.T) {
	s := newStreams()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.serve(ctx, "s1", "", &opening{httptest.NewRecorder(), func() {
		if !s.isLive("s1") {
			t.Error("the client sees an open stream that is not live yet")
		}
		cancel()
	}})
}
