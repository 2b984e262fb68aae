//go:build unix

package effect_test

import (
	"context"
	"log/slog"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
)

// A machine is the only one that can be reached. It implements [fleet.Dialer].
type machine struct{ *terminals.Local }

func (machine) Clean(address string) (string, error) { return address, nil }

func (m machine) Dial(context.Context, string, string, bool) (fleet.Remote, error) { return m, nil }

func (machine) Done() <-chan struct{} { return nil }
func (machine) Err() error            { return fault.New(fault.Unreachable, "it does not end") }
func (machine) Close()                {}

// A script uses a session of another server by HOST/NAME, as one of its own.
func TestScriptUsesAnotherServer(t *testing.T) {
	t.Parallel()
	d, there := newDesktop(t), newDesktop(t)
	d.engine.Close()
	if _, err := there.sessions.Create(t.Context(), registry.CreateOptions{Name: "work", Command: "printf ready; cat"}); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	f := fleet.New(fleet.Options{
		Name: "here", ID: "1", Dialer: machine{terminals.NewLocal(there.sessions, terminals.Host{Name: "build1", ID: "2"})},
		Configured: []terminals.NewServer{{Address: "ssh://build1", Hostname: "build1"}}, Log: log,
	})
	t.Cleanup(f.Close)
	d.over = f.Over(d.local)
	d.start(log)
	d.await(`terminal.get("build1/work")`)
	d.run(`work = terminal.get("build1/work")`)
	d.run(`work:waitText({ text = "ready" }, function(r, err) found = r or err end)`)
	d.await(`found`)
	d.run(`work:send("hello\n"); work:call("wait.text", { pattern = "^hello$" }, function(r, err) echoed = r or err end)`)
	d.await(`echoed`)
	if got := d.run(`return { found.text, echoed.text, work:screen():find("readyhello", 1, true) ~= nil, terminal.get("build1/work") == work, work.name }`); got != `["ready","hello",true,true,"build1/work"]` {
		t.Errorf("there: %s", got)
	}
	if got := d.problems(); got != "" {
		t.Errorf("problems: %s", got)
	}
}
