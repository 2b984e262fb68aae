package httppopup

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/files"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/secret"
)

// address is host:port of the harness's endpoint.
func (h *harness) address() string {
	h.t.Helper()
	u, err := url.Parse(h.url)
	if err != nil {
		h.t.Fatal(err)
	}
	return u.Host
}

// Two servers of one person: a question goes to the one whose workspace it is about, and its
// outcome comes back.
func TestTwoServers(t *testing.T) {
	there := build(t, popup.Options{Workspaces: []string{"/there"}}, func(o *HandlerOptions) { o.Token = secret.Know("secret") })
	peers := NewPeers(func() []discovery.Server {
		return []discovery.Server{
			{Address: there.address(), Token: "secret", Workspaces: []string{"/there"}},
			{Address: "127.0.0.1:1", Token: "x", Workspaces: []string{"/closed"}},
			{Token: "x", Workspaces: []string{"/not-listening"}},
		}
	})
	t.Cleanup(peers.Close)
	here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers}, nil)
	about := func(path string) string { return strings.Replace(example, "/path/to/workspace", path, 1) }

	body := here.later(func() *http.Response { return here.post(about("/there/deep")) })
	there.answer("yes")
	here.has(here.receive(body), answered)

	body = here.later(func() *http.Response { return here.post(about("/there")) })
	if _, err := there.broker.Answer(there.next().ID, question.Reply{Action: question.Decline}, "page"); err != nil {
		t.Fatal(err)
	}
	if got := here.receive(body); !strings.Contains(got, `"code":-32004`) || !strings.Contains(got, `"outcome":"declined"`) || !strings.Contains(got, `"channel":"page"`) {
		t.Errorf("answer %s", got)
	}

	body = here.later(func() *http.Response { return here.post(about("/here")) })
	here.answer("yes")
	here.has(here.receive(body), answered)

	// A server that does not answer cannot ask.
	if got := here.read(here.post(about("/closed"))); !strings.Contains(got, `"code":-32006`) {
		t.Errorf("answer %s", got)
	}
	if got := here.read(here.post(about("/elsewhere"))); !strings.Contains(got, `"workspaces":["/closed","/here","/there"]`) {
		t.Errorf("answer %s", got)
	}
}

// A server that stops while the person is being asked there has not ended the question. When it is
// back, the person has the question once, and the answer comes here.
func TestServerComesBack(t *testing.T) {
	for name, stop := range map[string]func(h *harness){
		"it stops": func(h *harness) { h.handler.Close() },
		"it is killed": func(h *harness) {
			h.broker.Close() // nothing that follows is stored
			h.server.CloseClientConnections()
		},
	} {
		t.Run(name, func(t *testing.T) {
			store, err := files.Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			run := func() *harness {
				return build(t, popup.Options{Workspaces: []string{"/there"}, Store: store}, func(o *HandlerOptions) { o.Token = secret.Know("secret") })
			}
			var there atomic.Pointer[discovery.Server]
			serves := func(h *harness) {
				there.Store(&discovery.Server{Address: h.address(), Token: "secret", Workspaces: []string{"/there"}})
			}
			peers := NewPeers(func() []discovery.Server { return []discovery.Server{*there.Load()} })
			t.Cleanup(peers.Close)
			here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers, Patience: time.Millisecond}, nil)
			first := run()
			serves(first)
			body := here.later(func() *http.Response { return here.post(strings.Replace(example, "/path/to/workspace", "/there", 1)) })
			id := first.next().ID
			stop(first)
			first.broker.Close()
			second := run()
			if got := second.next().ID; got != id {
				t.Errorf("question %s has become %s", id, got)
			}
			serves(second)
			if _, err := second.broker.Answer(id, question.Reply{Action: question.Submit, Values: []string{"yes"}}, "page"); err != nil {
				t.Fatal(err)
			}
			here.has(here.receive(body), answered)
			if n := len(second.person.asked); n > 0 {
				t.Errorf("the person was asked %d times more", n)
			}
		})
	}
}

// A connection that breaks between two servers that go on has not ended the question, either: it is
// asked again, whether the other server has noticed the end of the first connection by then or not.
func TestConnectionOfServersBreaks(t *testing.T) {
	there := build(t, popup.Options{Workspaces: []string{"/there"}}, func(o *HandlerOptions) { o.Token = secret.Know("secret") })
	peers := NewPeers(func() []discovery.Server {
		return []discovery.Server{{Address: there.address(), Token: "secret", Workspaces: []string{"/there"}}}
	})
	t.Cleanup(peers.Close)
	here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers, Patience: time.Millisecond}, nil)
	body := here.later(func() *http.Response { return here.post(strings.Replace(example, "/path/to/workspace", "/there", 1)) })
	id := there.next().ID
	for range 20 {
		there.server.CloseClientConnections()
		if got := there.next().ID; got != id {
			t.Errorf("question %s has become %s", id, got)
		}
	}
	if _, err := there.broker.Answer(id, question.Reply{Action: question.Submit, Values: []string{"yes"}}, "page"); err != nil {
		t.Fatal(err)
	}
	here.has(here.receive(body), answered)
}

// Only a server that has got a question can have shown it.
func TestPeerErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		answer func(w http.ResponseWriter)
		lost   bool
	}{
		"the connection breaks": {func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, true},
		"the answer breaks off": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("{"))
		}, true},
		"it is another program": {func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }, false},
		"nobody listens":        {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { tt.answer(w) }))
			defer srv.Close()
			address := srv.Listener.Addr().String()
			if tt.answer == nil {
				srv.Close()
			}
			peers := NewPeers(nil)
			defer peers.Close()
			_, err := peers.ask(t.Context(), discovery.Server{Address: address}, popup.Asked{ID: "id", Deadline: time.Now().Add(time.Minute)})
			if err == nil || errors.Is(err, popup.ErrLost) != tt.lost {
				t.Errorf("err = %v", err)
			}
		})
	}
}

// A server that had the port before is not taken for the one that has it now.
func TestWrongToken(t *testing.T) {
	now := build(t, popup.Options{Workspaces: []string{"/now"}}, func(o *HandlerOptions) { o.Token = secret.Know("new") })
	peers := NewPeers(func() []discovery.Server {
		return []discovery.Server{{Address: now.address(), Token: "old", Workspaces: []string{"/before"}}}
	})
	t.Cleanup(peers.Close)
	here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers}, nil)
	if got := here.read(here.post(strings.Replace(example, "/path/to/workspace", "/before", 1))); !strings.Contains(got, `"code":-32006`) {
		t.Errorf("answer %s", got)
	}
	if n := len(now.person.asked); n > 0 {
		t.Error("the server that has the port now was asked")
	}
}

// The token alone does not make a question one that another server has routed here: the programs of
// the user send it, too, and ask about any project.
func TestQuestionOfProgramWithToken(t *testing.T) {
	there := build(t, popup.Options{Workspaces: []string{"/there"}}, func(o *HandlerOptions) { o.Token = secret.Know("theirs") })
	peers := NewPeers(func() []discovery.Server {
		return []discovery.Server{{Address: there.address(), Token: "theirs", Workspaces: []string{"/there"}}}
	})
	t.Cleanup(peers.Close)
	here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers}, func(o *HandlerOptions) { o.Token = secret.Know("ours") })
	body := here.later(func() *http.Response {
		return here.post(strings.Replace(example, "/path/to/workspace", "/there", 1), "Authorization: Bearer ours")
	})
	there.answer("yes")
	here.has(here.receive(body), answered)
}
