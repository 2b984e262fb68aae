package popup

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/question"
)

// others are the workspaces of other programs.
func others(paths ...string) func() []string { return func() []string { return paths } }

func TestRouting(t *testing.T) {
	for name, tt := range map[string]struct {
		own  []string
		path string
		want string // where it is shown: a workspace here or of another program
		lost bool
	}{
		"exactly":                   {own: []string{"/a"}, path: "/a/", want: "/a"},
		"below":                     {own: []string{"/a"}, path: "file:///a/b", want: "/a"},
		"another program":           {own: []string{"/a"}, path: "/other/x", want: "/other"},
		"deeper at another program": {own: []string{"/"}, path: "/other/x", want: "/other"},
		"unknown":                   {own: []string{"/a"}, path: "/c", lost: true},
		"nothing said":              {own: []string{"/a", "/b"}, path: "", want: "/a"},
		"no path at all":            {own: []string{"/a"}, path: "relative", lost: true},
		"a server about nothing":    {own: nil, path: "/other", want: "/other"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page, elsewhere := newFakeChannel("page", core.Page, core.Attended), newFakeChannel("page", core.Elsewhere, core.Absent)
				b := open(t, Options{Workspaces: tt.own, Others: others("/other")}, page, elsewhere)
				id, err := b.Ask(deploy(t, func(s *question.Spec) { s.WorkspacePath = tt.path }), AskOptions{})
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
				shown := page.displayed
				if tt.want == "/other" {
					shown = elsewhere.displayed
				}
				if a := <-shown; a.Workspace != tt.want || len(page.displayed)+len(elsewhere.displayed) > 0 {
					t.Errorf("shown in %s, and elsewhere", a.Workspace)
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
		page := newFakeChannel("page", core.Page, core.Possible)
		b := open(t, Options{Workspaces: []string{"/a"}}, page)
		ask(t, b, deploy(t, func(s *question.Spec) { s.WorkspacePath = "/somewhere/else" }))
		if displayed := <-page.displayed; displayed.Workspace != "/a" {
			t.Errorf("shown %+v", displayed)
		}
	})
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
	b := open(t, Options{Workspaces: []string{"/a", "/b"}, Others: others("/peer")})
	for path, want := range map[string]string{"/a": "/a", "/b": "/b", "/b/below": "/b", "/peer": "/a", "/elsewhere": "/a", "": "/a"} {
		id := askWith(t, b, deploy(t, func(s *question.Spec) { s.WorkspacePath = path }), AskOptions{Deliver: func(question.Reply) error { return nil }})
		list := b.Pending()
		if len(list) != 1 || list[0].Workspace != want {
			t.Errorf("%q: pending %+v, want it in %q", path, list, want)
		}
		if err := b.Withdraw(id); err != nil {
			t.Error(err)
		}
	}
}
