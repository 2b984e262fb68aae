package httppopup

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/popuprpc"
	"ui-mcp/internal/transport/sse"
)

// The example of the specification, word for word.
const (
	example = `{
      "jsonrpc": "2.0",
      "method": "triggerPopup",
      "params": {
        "workspacePath": "/path/to/workspace",
        "title": "Confirm Action",
        "message": "Deploy now?",
        "options": [{"label": "Yes", "value": "yes"}, {"label": "No", "value": "no"}]
      },
      "id": "req1"
    }`
	acknowledged = `{
      "jsonrpc": "2.0",
      "result": {"status": "queued"},
      "id": "req1"
    }`
	answered = `{
      "jsonrpc": "2.0",
      "result": {"selectedValue": "yes"},
      "id": "req1"
    }`
)

// A program that sends the token means this server; it asks about any project.
func TestExampleHeld(t *testing.T) {
	h := build(t, popup.Options{}, func(o *HandlerOptions) { o.Token = secret.Know("ours") })
	for _, headers := range [][]string{nil, {"Authorization: Bearer ours"}} {
		body := h.later(func() *http.Response { return h.post(example, headers...) })
		h.answer("yes")
		h.has(wait.For(t, "the answer", body), answered)
	}
}

func TestExampleInStream(t *testing.T) {
	h := build(t, popup.Options{}, nil)
	events := h.events(h.post(example, "Accept: text/event-stream"))
	h.answer("yes")
	h.has(wait.For(t, "an event", events).data, answered)
	if _, more := <-events; more {
		t.Error("the stream goes on")
	}
}

// A 202 first, and the answer as an event: on request, and where a stream of the session is open.
func TestExampleQueued(t *testing.T) {
	for name, headers := range map[string][]string{
		"by wish":                 {"Prefer: wait=5, Respond-Async"},
		"by wish, with a session": {"Prefer: respond-async", "Mcp-Session-Id: s1"},
		"since a stream is open":  {"Mcp-Session-Id: s1"},
	} {
		t.Run(name, func(t *testing.T) {
			h := build(t, popup.Options{}, nil)
			session := headers[len(headers)-1]
			events := h.events(h.do(t.Context(), http.MethodGet, "", "Accept: text/event-stream", session))
			res := h.post(example, headers...)
			if res.StatusCode != http.StatusAccepted {
				t.Errorf("status %s", res.Status)
			}
			h.has(h.read(res), acknowledged)
			h.answer("yes")
			h.has(wait.For(t, "an event", events).data, answered)
		})
	}
}

// An answer waits for a stream, and is sent again to a stream with Last-Event-ID.
func TestReplay(t *testing.T) {
	h := build(t, popup.Options{}, nil)
	if res := h.post(example, "Prefer: respond-async", "Mcp-Session-Id: s1"); res.StatusCode != http.StatusAccepted {
		t.Fatalf("status %s", res.Status)
	}
	h.answer("yes")
	listen := func(headers ...string) event {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return wait.For(t, "an event", h.events(h.do(ctx, http.MethodGet, "", append(headers, "Mcp-Session-Id: s1")...)))
	}
	first := listen()
	h.has(first.data, answered)
	if again := listen("Last-Event-ID: 0"); again != first {
		t.Errorf("again: %+v", again)
	}
	// A new question comes to who has seen the first answer, and nothing else does.
	second := strings.Replace(example, "req1", "req2", 1)
	if res := h.post(second, "Prefer: respond-async", "Mcp-Session-Id: s1"); res.StatusCode != http.StatusAccepted {
		t.Fatalf("status %s", res.Status)
	}
	h.answer("no")
	if e := listen("Last-Event-ID: " + first.id); !strings.Contains(e.data, "req2") {
		t.Errorf("after the first: %+v", e)
	}
	// Another session hears nothing of it.
	other := h.events(h.do(t.Context(), http.MethodGet, "", "Mcp-Session-Id: s2"))
	if res := h.post(strings.Replace(example, "req1", "req3", 1), "Mcp-Session-Id: s2"); res.StatusCode != http.StatusAccepted {
		t.Fatalf("status %s", res.Status)
	}
	h.answer("no")
	if e := wait.For(t, "an event", other); !strings.Contains(e.data, "req3") {
		t.Errorf("in the other session: %+v", e)
	}
}

// A client that goes away takes its question with it.
func TestClientGoes(t *testing.T) {
	for name, headers := range map[string][]string{"while it is held": nil, "while it streams": {"Accept: text/event-stream"}} {
		t.Run(name, func(t *testing.T) {
			h := build(t, popup.Options{}, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() { _, _ = h.try(ctx, http.MethodPost, example, headers...) }()
			id := h.next().ID
			cancel()
			waiting, stop := context.WithTimeout(t.Context(), wait.Patience) // far less than the question's own time
			defer stop()
			a, err := h.broker.Collect(waiting, id, popup.WaitOptions{})
			if err != nil || a.Outcome != question.Withdrawn {
				t.Errorf("answer %+v, %v", a, err)
			}
		})
	}
}

// A client whose request was queued cancels it by a notification.
func TestCancelQueued(t *testing.T) {
	h := build(t, popup.Options{}, nil)
	events := h.events(h.do(t.Context(), http.MethodGet, "", "Mcp-Session-Id: s1"))
	h.post(example, "Mcp-Session-Id: s1")
	id := h.next().ID
	const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"req1"}}`
	if res := h.post(cancel, "Mcp-Session-Id: s1"); res.StatusCode != http.StatusAccepted {
		t.Errorf("status %s", res.Status)
	}
	if a, err := h.broker.Collect(t.Context(), id, popup.WaitOptions{}); err != nil || a.Outcome != question.Withdrawn {
		t.Errorf("answer %+v, %v", a, err)
	}
	// It is not answered: the next event is of the next question, whose id may be the same.
	if res := h.post(example, "Mcp-Session-Id: s1"); res.StatusCode != http.StatusAccepted {
		t.Errorf("status %s", res.Status)
	}
	h.answer("yes")
	h.has(wait.For(t, "an event", events).data, answered)
}

func TestStatuses(t *testing.T) {
	h := build(t, popup.Options{Workspaces: []string{"/a", "/b"}}, nil)
	for name, tt := range map[string]struct {
		body    string
		headers []string
		status  int
		part    string
	}{
		"no JSON":            {"{", nil, 400, `-32700`},
		"another version":    {`{"jsonrpc":"1.0","id":1,"method":"healthCheck"}`, nil, 400, `-32600`},
		"an unknown method":  {`{"jsonrpc":"2.0","id":1,"method":"x"}`, nil, 200, `-32601`},
		"missing fields":     {`{"jsonrpc":"2.0","id":1,"method":"triggerPopup","params":{}}`, nil, 400, `-32602`},
		"no such workspace":  {example, nil, 200, `"code":-32001,"message":"Routing Failed: no server serves \"/path/to/workspace\"; known workspaces: /a, /b","data":{"workspaces":["/a","/b"]}`},
		"healthy":            {`{"jsonrpc":"2.0","id":1,"method":"healthCheck"}`, nil, 200, `"status":"ok"`},
		"a notification":     {`{"jsonrpc":"2.0","method":"healthCheck"}`, nil, 202, ``},
		"a text":             {example, []string{"Content-Type: text/plain"}, 415, `-32600`},
		"an endless message": {strings.Repeat(" ", MaxBody+1), nil, 413, `-32600`},
		"a wrong token":      {example, []string{"Authorization: Bearer x"}, 401, `-32600`},
		"a strange batch":    {`[]`, nil, 400, `-32600`},
	} {
		t.Run(name, func(t *testing.T) {
			res := h.post(tt.body, tt.headers...)
			if body := h.read(res); res.StatusCode != tt.status || !strings.Contains(body, tt.part) {
				t.Errorf("%s: %s", res.Status, body)
			}
		})
	}
	if res := h.do(t.Context(), http.MethodDelete, ""); res.StatusCode != 405 || res.Header.Get("Allow") != "GET, POST" {
		t.Errorf("DELETE: %s", res.Status)
	}
	if res := h.do(t.Context(), http.MethodGet, "", "Accept: text/html"); res.StatusCode != 406 {
		t.Errorf("GET of a page: %s", res.Status)
	}
}

// The handler passes other requests on unchanged.
func TestNext(t *testing.T) {
	behind := make(chan string, 10)
	h := build(t, popup.Options{}, func(o *HandlerOptions) {
		o.Next = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			behind <- r.Method + " " + string(body)
			w.WriteHeader(http.StatusTeapot)
		})
		o.IsMCP = func(session string) bool { return session == "mcp" }
	})
	for name, tt := range map[string]struct {
		method, body string
		headers      []string
		want         string // "" is ours
	}{
		"a method of MCP":             {"POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, nil, `POST {"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		"no JSON":                     {"POST", `{`, nil, `POST {`},
		"a cancelled call of MCP":     {"POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, nil, `POST {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`},
		"the end of a session":        {"DELETE", ``, []string{"Mcp-Session-Id: mcp"}, `DELETE `},
		"a stream of MCP":             {"GET", ``, []string{"Mcp-Session-Id: mcp"}, `GET `},
		"a stream without a session":  {"GET", ``, nil, ``},
		"a stream of another session": {"GET", ``, []string{"Mcp-Session-Id: ours"}, ``},
		"healthCheck":                 {"POST", `{"jsonrpc":"2.0","id":1,"method":"healthCheck"}`, nil, ``},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			res := h.do(ctx, tt.method, tt.body, tt.headers...)
			if tt.want == "" {
				if res.StatusCode != http.StatusOK {
					t.Errorf("status %s", res.Status)
				}
				return
			}
			if got := <-behind; got != tt.want || res.StatusCode != http.StatusTeapot {
				t.Errorf("the next handler got %s", got)
			}
		})
	}
}

// Closing the handler ends waiting requests with an error, and keeps the question.
func TestHandlerCloses(t *testing.T) {
	h := build(t, popup.Options{}, nil)
	held := h.later(func() *http.Response { return h.post(example) })
	id := h.next().ID
	h.handler.Close()
	if got := wait.For(t, "the answer", held); !strings.Contains(got, `"code":-32007`) {
		t.Errorf("answer %s", got)
	}
	if p := h.broker.Pending(); len(p) != 1 || p[0].ID != id {
		t.Errorf("pending %+v", p)
	}
}

// A client that waits on a stream gets a comment every twelve seconds.
func TestHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := persons.Broker(t, popup.Options{})
		b.AddChannel(persons.NewPage().Be(core.Attended))
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
		s.kept[0].delivered.Store(true)
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
	for i := range maxKept + 10 {
		s.publish(fmt.Sprint(i), []byte("1"))
	}
	if n := len(s.kept); n != maxKept || !s.isLive("live") || s.has("9") || !s.has("10") {
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
			return s.kept[2].delivered.Load()
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
