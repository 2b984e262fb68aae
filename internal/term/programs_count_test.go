package term_test

import (
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// A server that ends without programs follows their number, and creates no session afterwards.
func TestProgramsAndRetire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := []*script{newScript(), newScript(), newScript()}
		r := scripted(t, nil, p...)
		_, _, changed := r.Programs()
		expect := func(when string, running, started int) {
			t.Helper()
			select {
			case <-changed:
			default:
				t.Errorf("%s: no change was reported", when)
			}
			var n, m int
			n, m, changed = r.Programs()
			if n != running || m != started {
				t.Errorf("%s: %d run and %d were started, want %d and %d", when, n, m, running, started)
			}
		}
		create(t, r, registry.CreateOptions{Name: "a"})
		expect("created", 1, 1)
		b := create(t, r, registry.CreateOptions{Name: "b"})
		expect("another created", 2, 2)
		p[0].end(tty.Exit{})
		synctest.Wait()
		expect("one ended", 1, 2)
		if r.Retire() {
			t.Error("retired while a program runs")
		}
		create(t, r, registry.CreateOptions{Name: "c"})
		expect("a third created", 2, 3)
		must(t, r.Remove(b))
		synctest.Wait()
		expect("one removed", 1, 3)
		p[2].end(tty.Exit{})
		synctest.Wait()
		expect("the last ended", 0, 3)
		if !r.Retire() {
			t.Error("not retired although no program runs")
		}
		if _, err := r.Create(t.Context(), registry.CreateOptions{}); fault.DetailOf(err) != registry.Stopping {
			t.Errorf("created after the end: %v", err)
		}
		if s, err := r.Session("a"); err != nil || s.Name() != "a" {
			t.Errorf("the ended session cannot be read: %v", err)
		}
	})
}

// The result of a command is promised after its end, unless a person has seen it in a session that
// nobody has named.
func TestNeededResults(t *testing.T) {
	for name, tt := range map[string]struct {
		name     string
		attached term.ViewerOptions
		needed   int
	}{
		"seen":                {"", term.ViewerOptions{}, 0},
		"seen by a program":   {"", term.ViewerOptions{Client: clients.Options{Observer: true}}, 1},
		"seen, under a name":  {"build", term.ViewerOptions{}, 1},
		"a shell, which ends": {"shell", term.ViewerOptions{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newScript()
				r := scripted(t, nil, p)
				o := registry.CreateOptions{Name: tt.name, Command: "make"}
				if tt.name == "shell" {
					o.Command = ""
				}
				attachWith(t, create(t, r, o), tt.attached)
				p.end(tty.Exit{})
				synctest.Wait()
				if needed, _, _, _ := r.Needed(); needed != tt.needed {
					t.Errorf("%d are needed, want %d", needed, tt.needed)
				}
			})
		})
	}
}
