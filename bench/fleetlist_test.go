//go:build linux

package bench

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"testing"

	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/remote"
)

// farHosts are other hosts, by address. They are reached over a pipe each.
type farHosts map[string]*remote.Terminals

// Clean implements [fleet.Dialer].
func (h farHosts) Clean(address string) (string, error) { return address, nil }

// Dial implements [fleet.Dialer].
func (h farHosts) Dial(_ context.Context, address, _ string, _ bool) (fleet.Remote, error) {
	return h[address], nil
}

// BenchmarkFleetList lists 1,000 sessions, which run on 20 hosts. All of them are in this process,
// so their work is in the figures, too.
func BenchmarkFleetList(b *testing.B) {
	const machines, each = 20, 50
	reached, o := farHosts{}, fleet.Options{Name: "here", ID: "here", Log: slog.New(slog.DiscardHandler)}
	for i := range machines {
		r := termRegistry(b)
		for range each {
			termCreate(b, r, "exec sleep 1000")
		}
		name := "host" + strconv.Itoa(i)
		up, down := overPipe(b)
		reached[name] = linked(b, up, down, terminals.NewLocal(r, terminals.Host{Name: name, ID: name}))
		o.Configured = append(o.Configured, terminals.NewServer{Address: name})
	}
	o.Dialer = reached
	f := fleet.New(o)
	b.Cleanup(f.Close)
	for i := range machines {
		wait.Until(b, fmt.Sprintf("host%d is reached", i), func() bool {
			s, err := f.Get(terminals.Everything, "host"+strconv.Itoa(i))
			return err == nil && s.Health == terminals.Healthy
		})
	}
	all := f.Over(terminals.NewLocal(termRegistry(b), terminals.Host{Name: "here", ID: "here"}))
	timed(b, func(int) func() {
		list, err := terminals.ListSessions.Do(b.Context(), all, terminals.Everything, terminals.SessionFilter{})
		if err != nil || len(list) != machines*each {
			b.Fatalf("%d sessions, %v", len(list), err)
		}
		return nil
	}).report(b)
}
