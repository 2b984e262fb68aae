package popup

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

type peers []Peer

func (p peers) Servers() []Peer { return p }

func TestRouting(t *testing.T) {
	for name, tt := range map[string]struct {
		own  []string
		path string
		opts AskOptions
		want string // where it is shown: a workspace here, or the other server's name
		lost bool
	}{
		"exactly":                  {own: []string{"/a"}, path: "/a/", want: "/a"},
		"below":                    {own: []string{"/a"}, path: "file:///a/b", want: "/a"},
		"another server":           {own: []string{"/a"}, path: "/other/x", want: "other"},
		"deeper at another server": {own: []string{"/"}, path: "/other/x", want: "other"},
		"sent here by another":     {own: []string{"/a"}, path: "/other/x", opts: AskOptions{ID: "id"}, want: "/a"},
		"unknown":                  {own: []string{"/a"}, path: "/c", lost: true},
		"nothing said":             {own: []string{"/a", "/b"}, path: "", want: "/a"},
		"no path at all":           {own: []string{"/a"}, path: "relative", lost: true},
		"a server about nothing":   {own: nil, path: "/other", want: "other"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page := newFakeChannel("page", Page, Attended)
				other := make(chan Asked, 1)
				b := open(t, Options{Workspaces: tt.own, Peers: peers{{Workspaces: []string{"/other"}, Ask: func(ctx context.Context, a Asked) (question.Answer, error) {
					other <- a
					<-ctx.Done()
					return question.Answer{}, ctx.Err()
				}}}}, page)
				id, err := b.Ask(deploy(t, func(s *question.Spec) { s.WorkspacePath = tt.path }), tt.opts)
				if tt.lost {
					lost, ok := errors.AsType[*RoutingError](err)
					if !ok || fault.KindOf(err) != fault.NotFound {
						t.Fatalf("err = %v", err)
					}
					if diff := cmp.Diff([]string{"/a", "/other"}, lost.Known); diff != "" {
						t.Errorf("known: -want +got:\n%s", diff)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				select {
				case displayed := <-page.displayed:
					if displayed.Workspace != tt.want {
						t.Errorf("shown here, in %s", displayed.Workspace)
					}
				case <-other:
					if tt.want != "other" {
						t.Error("shown at the other server")
					}
					// It is not ours to show, so pages here need not know of it.
					if n := len(b.Pending()); n > 0 {
						t.Errorf("%d pending here", n)
					}
				}
				if err := b.Withdraw(id); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// A server that is the only one gets every question, whatever its path.
func TestOnlyServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := newFakeChannel("page", Page, Possible)
		b := open(t, Options{Workspaces: []string{"/a"}}, page)
		ask(t, b, deploy(t, func(s *question.Spec) { s.WorkspacePath = "/somewhere/else" }))
		if displayed := <-page.displayed; displayed.Workspace != "/a" {
			t.Errorf("shown %+v", displayed)
		}
	})
}

// The outcome of a question at another server is its outcome here, and a failure there ends the
// question.
func TestPeers(t *testing.T) {
	for name, tt := range map[string]struct {
		answer question.Answer
		err    error
		want   question.Answer
	}{
		"answered":  {question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "no", Channel: "page"}, nil, question.Answer{Outcome: question.Answered, Source: question.FromOption, Value: "no", Channel: "page"}},
		"timed out": {question.Answer{Outcome: question.TimedOut}, nil, question.Answer{Outcome: question.TimedOut}},
		"failed":    {question.Answer{}, errors.New("connection refused"), question.Answer{Outcome: question.NoHuman}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				other := Peer{Workspaces: []string{"/b"}, Ask: func(_ context.Context, a Asked) (question.Answer, error) { return tt.answer, tt.err }}
				b := open(t, Options{Workspaces: []string{"/a"}, Peers: peers{other}}, newFakeChannel("page", Page, Attended))
				id := ask(t, b, deploy(t, func(s *question.Spec) { s.WorkspacePath = "/b" }))
				if diff := cmp.Diff(tt.want, wait(t, b, id), whatever); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		})
	}
}

func TestWorkspaceByLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Mkdir(filepath.Join(dir, "real"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "real"), link); err != nil {
		t.Fatal(err)
	}
	b := open(t, Options{Workspaces: []string{filepath.Join(dir, "real"), "/elsewhere"}})
	id := ask(t, b, deploy(t, func(s *question.Spec) { s.WorkspacePath = link }))
	if got := b.Pending()[0]; got.ID != id || got.Workspace != filepath.Join(dir, "real") {
		t.Errorf("pending %+v", got)
	}
}

func TestBadWorkspace(t *testing.T) {
	if _, err := New(Options{Workspaces: []string{"relative"}}); fault.KindOf(err) != fault.Invalid || err == nil {
		t.Errorf("err = %v", err)
	}
}

// A question whose answer goes to this process stays at this server, in the queue of its workspace
// if the server has that.
func TestLocalQuestions(t *testing.T) {
	other := Peer{Workspaces: []string{"/peer"}, Ask: func(context.Context, Asked) (question.Answer, error) {
		t.Error("it was asked at another server")
		return question.Answer{}, nil
	}}
	b := open(t, Options{Workspaces: []string{"/a", "/b"}, Peers: peers{other}})
	for path, want := range map[string]string{"/a": "/a", "/b": "/b", "/b/below": "/b", "/peer": "/a", "/elsewhere": "/a", "": "/a"} {
		id, err := b.Ask(deploy(t, func(s *question.Spec) { s.WorkspacePath = path }), AskOptions{Deliver: func(question.Reply) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		list := b.Pending()
		if len(list) != 1 || list[0].Workspace != want {
			t.Errorf("%q: pending %+v, want it in %q", path, list, want)
		}
		if err := b.Withdraw(id); err != nil {
			t.Error(err)
		}
	}
}

// A question that is withdrawn while its asker waits is over for an asker of this server, and for
// another server's that has gone; another server that still waits asks again.
func TestWithdrawnWhileAsked(t *testing.T) {
	for name, id := range map[string]string{"of this server": "", "of another server": newID()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page := newFakeChannel("page", Page, Possible)
				b := open(t, Options{}, page)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				answers := make(chan question.Answer, 1)
				go func() {
					a, err := b.AskAndWait(ctx, deploy(t, nil), AskOptions{ID: id}, WaitOptions{})
					if err != nil {
						t.Error(err)
					}
					answers <- a
				}()
				asked := <-page.displayed
				if err := b.Withdraw(asked.ID); err != nil {
					t.Fatal(err)
				}
				if id != "" {
					<-page.displayed // again
					cancel()
				}
				if a := <-answers; a.Outcome != question.Withdrawn {
					t.Errorf("outcome %s", a.Outcome)
				}
			})
		})
	}
}

// Asking a withdrawn question again takes only that question out of the history.
func TestAskedAgainLeavesHistory(t *testing.T) {
	b := open(t, Options{})
	first, second := newID(), newID()
	for _, id := range []string{first, second} {
		if _, err := b.Ask(deploy(t, nil), AskOptions{ID: id}); err != nil {
			t.Fatal(err)
		}
		if err := b.Withdraw(id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Ask(deploy(t, nil), AskOptions{ID: first}); err != nil {
		t.Fatal(err)
	}
	if past := b.History(10); len(past) != 1 || past[0].ID != second {
		t.Errorf("history %+v", past)
	}
}
