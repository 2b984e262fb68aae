package fleet_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

// Only the error about a change says that nothing was done: of a question or a wait, that would
// seem to be about what went on there before.
func TestNothingWasDone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		m := n.start(t, "b", newEmpty(t, "a"))
		f := newFleet(t, n, "b")
		r := f.Over(newEmpty(t))
		n.cut(m)
		await(t, f, "b", terminals.Unavailable)
		to := terminals.Target{Session: "b/a"}
		for name, tt := range map[string]struct {
			do   func(context.Context) error
			says bool
		}{
			"a change": {func(ctx context.Context) error {
				_, err := terminals.RemoveSession.Do(ctx, r, terminals.Everything, to)
				return err
			}, true},
			"a question": {func(ctx context.Context) error {
				_, err := terminals.GetSession.Do(ctx, r, terminals.Everything, to)
				return err
			}, false},
			"a stream": {func(ctx context.Context) error {
				_, err := terminals.Join.Open(ctx, r, terminals.Everything, terminals.JoinQuery{Target: terminals.Target{Session: "b/a"}})
				return err
			}, false},
		} {
			err := tt.do(t.Context())
			if fault.DetailOf(err) != terminals.HostAway || strings.Contains(err.Error(), "nothing was done") != tt.says || strings.Count(err.Error(), "b cannot be reached") != 1 {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// reporting are terminals whose errors begin with the name of the host, as those of package
// remote.
type reporting struct{ terminals.Terminals }

func (r reporting) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	err := r.Terminals.Do(ctx, by, o, in, out)
	return fault.With(fault.DetailOf(err), fault.Wrap(fault.KindOf(err), err, "b"))
}

// An error has the name of its host once, also if both sides add it.
func TestErrorsHaveTheHostOnce(t *testing.T) {
	for name, ts := range map[string]terminals.Terminals{"named there": reporting{newEmpty(t)}, "named here": newEmpty(t)} {
		n := newNetwork()
		n.start(t, "b", ts)
		r := newFleet(t, n, "b").Over(newEmpty(t))
		_, err := terminals.GetSession.Do(t.Context(), r, terminals.Everything, terminals.Target{Session: "b/x"})
		if fault.KindOf(err) != fault.NotFound || strings.Count(err.Error(), "b: ") != 1 {
			t.Errorf("%s: %v (%s)", name, err, fault.DetailOf(err))
		}
	}
}
