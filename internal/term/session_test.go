//go:build linux || darwin

package term_test

import (
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
)

// A program gets a directory, an environment without the server's secrets, and a terminal of the
// requested size and history.
func TestProgramGets(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	r := newRegistry(t, func(c *registry.Config) {
		c.Home = home
		c.Environ = append(c.Environ, "WSH_TOKEN=secret", "UI_MCP_KEY=secret", "TERM=dumb", "COLUMNS=7", "KEPT=kept", "GIVEN=no")
	})
	for _, tt := range []struct {
		name, command string
		o             registry.CreateOptions
		want          string
	}{
		{"the person's directory", "pwd", registry.CreateOptions{Cols: 200}, home},
		{"a directory", "pwd", registry.CreateOptions{Dir: dir, Cols: 200}, dir},
		{"a terminal", `echo "$TERM $COLORTERM $TERM_PROGRAM"`, registry.CreateOptions{}, "xterm-256color truecolor wsh"},
		{"no secrets", `echo "[$WSH_TOKEN$UI_MCP_KEY$COLUMNS]"`, registry.CreateOptions{}, "[]"},
		{"an environment", `echo "$KEPT $GIVEN"`, registry.CreateOptions{Env: map[string]string{"GIVEN": "yes"}}, "kept yes"},
		{"a size", "stty size", registry.CreateOptions{Cols: 91, Rows: 17}, "17 91"},
		{"the usual size", "stty size", registry.CreateOptions{}, "24 80"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Command = tt.command
			s := create(t, r, tt.o)
			if _, err := s.WaitExit(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			screen := screenOf(t, s)
			if got := screen.Lines[0].Plain(); got != tt.want {
				t.Errorf("the program says %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHistoryIsBounded(t *testing.T) {
	r := newRegistry(t)
	for _, tt := range []struct {
		scrollback *int
		want       uint64
	}{{nil, registry.DefaultScrollback + registry.DefaultRows}, {new(0), registry.DefaultRows}, {new(100), 100 + registry.DefaultRows}} {
		s := create(t, r, registry.CreateOptions{Command: "seq 20000", Scrollback: tt.scrollback})
		if _, err := s.WaitExit(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		p, err := s.Scrollback(t.Context(), term.PageOptions{})
		must(t, err)
		if got := p.End - p.Oldest; got != tt.want {
			t.Errorf("%d lines are kept, want %d", got, tt.want)
		}
	}
}

// Removing a session that somebody waits for ends its program, and tells them how.
func TestRemoveWhileSomebodyWaits(t *testing.T) {
	r := newRegistry(t)
	s := create(t, r, registry.CreateOptions{Name: "s", Command: "echo ready; exec sleep 1000"})
	if _, err := s.WaitForText(t.Context(), "ready", 0); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error)
	go func() {
		_, err := s.WaitForText(t.Context(), "never", 0)
		failed <- err
	}()
	must(t, r.Remove(s))
	if err := <-failed; fault.KindOf(err) != fault.Gone {
		t.Errorf("the waiting caller got %v", err)
	}
	if e := s.Info().Exit; e == nil || e.Signal != "SIGHUP" {
		t.Errorf("exit %+v", e)
	}
	if _, err := r.Session("s"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Session = %v", err)
	}
}
