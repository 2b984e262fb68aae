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
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/internal/transport/sse"
)

// A client that waits on a stream gets a comment every twelve seconds.
func TestHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := broker(t, popup.Options{})
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
		time.Sleep(time.Minute)
		s.publish("a", []byte("2"))
		next := s.enter("a", "")
		s.sent(s.kept[0])
		pending := func() string {
			var all []string
			events, _ := s.after("a", 0)
			for _, e := range events {
				all = append(all, string(e.message))
			}
			return strings.Join(all, " ")
		}
		if got := pending(); got != "1 2" || next != 0 {
			t.Errorf("%s after %d", got, next)
		}
		time.Sleep(time.Hour)
		if got := pending(); got != "2" {
			t.Errorf("an hour after the first answer: %s", got)
		}
		time.Sleep(time.Minute)
		if got := pending(); got != "" {
			t.Errorf("an hour after the second one: %s", got)
		}
		if s.leave("a"); s.has("a") {
			t.Error("a session without events and streams is kept")
		}
	})
}

// Clients that never listen cannot fill the memory, and cost those that do nothing.
func TestManySessions(t *testing.T) {
	s := newStreams()
	s.enter("live", "")
	for i := range 110 {
		s.publish(strings.Repeat("x", i), []byte("1"))
	}
	if n := len(s.kept); n != 100 || !s.isLive("live") || s.has(strings.Repeat("x", 9)) || !s.has(strings.Repeat("x", 10)) {
		t.Errorf("%d answers", n)
	}
	// An answer is kept while its session is among those that got one last, however old it is.
	s.publish(strings.Repeat("x", 10), []byte("2"))
	s.publish("new", []byte("1"))
	if events, _ := s.after(strings.Repeat("x", 10), 0); len(events) != 2 || s.has(strings.Repeat("x", 11)) || !s.has(strings.Repeat("x", 12)) {
		t.Errorf("%d answers of the session that got another one", len(events))
	}
	for range maxKept + 10 {
		s.publish("live", []byte("1"))
	}
	if n := len(s.kept); n != maxKept {
		t.Errorf("%d answers", n)
	}
}

// A client resumes with the ID of the last event that it has got. That of an earlier process says
// nothing about the events of this one: the client gets them all.
func TestResume(t *testing.T) {
	s := newStreams()
	for _, message := range []string{"1", "2", "3"} {
		s.publish("a", []byte(message))
	}
	read := func(lastSeen string) (messages, last string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		w := httptest.NewRecorder()
		done := make(chan struct{})
		go func() {
			defer close(done)
			s.serve(ctx, "a", lastSeen, w)
		}()
		wait.Until(t, "all is sent", func() bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.kept[2].delivered
		})
		cancel()
		<-done
		for events := sse.NewReader(w.Body, 1000); ; {
			e, err := events.Next()
			if err != nil {
				return messages, last
			}
			messages, last = messages+string(e.Data), e.ID
		}
	}
	earlier := newStreams().run
	all, last := read(earlier + "2")
	if all != "123" || last != s.run+"3" {
		t.Errorf("with an ID of an earlier process: %s, up to %s", all, last)
	}
	for id, want := range map[string]string{s.run + "1": "23", s.run + "3": "", "2": "123", "": ""} {
		if got, _ := read(id); got != want {
			t.Errorf("after %q: %s, want %s", id, got, want)
		}
	}
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
