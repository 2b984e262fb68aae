package httppopup

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
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
	there := build(t, popup.Options{Workspaces: []string{"/there"}}, func(o *HandlerOptions) { o.Token = "secret" })
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

// A server that had the port before is not taken for the one that has it now.
func TestWrongToken(t *testing.T) {
	now := build(t, popup.Options{Workspaces: []string{"/now"}}, func(o *HandlerOptions) { o.Token = "new" })
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
	there := build(t, popup.Options{Workspaces: []string{"/there"}}, func(o *HandlerOptions) { o.Token = "theirs" })
	peers := NewPeers(func() []discovery.Server {
		return []discovery.Server{{Address: there.address(), Token: "theirs", Workspaces: []string{"/there"}}}
	})
	t.Cleanup(peers.Close)
	here := build(t, popup.Options{Workspaces: []string{"/here"}, Peers: peers}, func(o *HandlerOptions) { o.Token = "ours" })
	body := here.later(func() *http.Response {
		return here.post(strings.Replace(example, "/path/to/workspace", "/there", 1), "Authorization: Bearer ours")
	})
	there.answer("yes")
	here.has(here.receive(body), answered)
}
