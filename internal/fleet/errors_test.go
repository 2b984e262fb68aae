package fleet_test

import (
	"context"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
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

// A way has the packages through which a call passes.
type way struct {
	mu     sync.Mutex
	passed map[string]bool
}

// note notes the packages of ours that have called, from that one on, if it is among them.
func (w *way) note(last string) {
	var pcs [100]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var list []string // the caller of each follows it
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "ui-mcp/internal/") { // a function may be called after who has it inlined
			_, file, _ := strings.Cut(f.File, "/internal/")
			list = append(list, path.Dir(file))
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range list[max(slices.Index(list, last), 0):] {
		if slices.Contains(list, last) {
			w.passed[p] = true
		}
	}
}

// leaving notes what calls out of the process.
type leaving struct {
	context.Context
	*way
}

func (l leaving) Value(key any) any {
	l.note("transport/client")
	return l.Context.Value(key)
}

// arriving notes what calls the terminals there.
type arriving struct {
	terminals.Terminals
	*way
}

func (a arriving) Do(ctx context.Context, by terminals.Grant, o *terminals.Operation, in, out any) error {
	a.note("fleet")
	return a.Terminals.Do(ctx, by, o, in, out)
}

// A call to another host passes four packages from its tool to the terminals there.
func TestFewPackages(t *testing.T) {
	n, w := newNetwork(), &way{passed: map[string]bool{}}
	n.pipe = true
	t.Cleanup(n.serving.Wait)
	n.start(t, "host", arriving{opcases.New(t, opcases.Case{}), w})
	on := newFleet(t, n, "host").Over(opcases.New(t, opcases.Case{}))
	if _, err := terminals.GetSession.Do(leaving{t.Context(), w}, on, terminals.Everything, terminals.Target{Session: "host/a"}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"terminals", "transport/httpserve"} { // the last one listens, for all
		delete(w.passed, p)
	}
	if want := []string{"fleet", "transport/client", "transport/gate", "transport/httpterm"}; !slices.Equal(slices.Sorted(maps.Keys(w.passed)), want) {
		t.Errorf("it passes %v, want %v", w.passed, want)
	}
}
