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

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
)

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
