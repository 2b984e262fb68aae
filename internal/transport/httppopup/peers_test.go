package httppopup

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/registry"
)

// port is that of a house.
func (h *house) port() int {
	h.t.Helper()
	u, err := url.Parse(h.url)
	if err != nil {
		h.t.Fatal(err)
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		h.t.Fatal(err)
	}
	return port
}

// newPeers are those of another process: in a test, both servers are in this one. Its own is that of the parent.
func newPeers(r *registry.Registry) *Peers {
	p := NewPeers(r)
	p.own = os.Getppid()
	return p
}

// Two servers of one person: a question goes to the one whose workspace it is about, and its outcome comes back.
func TestTwoServers(t *testing.T) {
	list, err := registry.Open(t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	there := build(t, popup.Options{Workspaces: []string{"/there"}}, func(o *HandlerOptions) { o.Token = "secret" })
	for _, e := range []registry.Entry{
		{PID: os.Getpid(), Port: there.port(), Token: "secret", Workspaces: []string{"/there"}},
		{PID: os.Getpid(), Port: 1, Token: "x", Workspaces: []string{"/closed"}},
		{PID: os.Getppid(), Port: 2, Token: "x", Workspaces: []string{"/here"}}, // this one
	} {
		if _, err := list.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	peers := newPeers(list)
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

// A server that had the port before is not taken for the one that has it now.
func TestWrongToken(t *testing.T) {
	list, err := registry.Open(t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	now := build(t, popup.Options{Workspaces: []string{"/now"}}, func(o *HandlerOptions) { o.Token = "new" })
	if _, err := list.Add(registry.Entry{PID: os.Getpid(), Port: now.port(), Token: "old", Workspaces: []string{"/before"}}); err != nil {
		t.Fatal(err)
	}
	peers := newPeers(list)
	t.Cleanup(peers.Close)
	here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers}, nil)
	if got := here.read(here.post(strings.Replace(example, "/path/to/workspace", "/before", 1))); !strings.Contains(got, `"code":-32006`) {
		t.Errorf("answer %s", got)
	}
	if n := len(now.person.asked); n > 0 {
		t.Error("the server that has the port now was asked")
	}
}
