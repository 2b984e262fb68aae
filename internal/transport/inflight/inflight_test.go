package inflight

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

var errStop = errors.New("stop")

func drained(g *Group) bool {
	select {
	case <-g.Drained():
		return true
	default:
		return false
	}
}

func TestCloseWaitsForWorkInside(t *testing.T) {
	g := New()
	for range 2 {
		if !g.Enter() {
			t.Fatal("an open group refuses work")
		}
	}
	g.Leave()
	if drained(g) {
		t.Error("an open group is drained")
	}
	g.Close(errStop)
	g.Close(errors.New("again"))
	if g.Enter() {
		t.Error("a closed group takes work")
	}
	if got := context.Cause(g.Context()); !errors.Is(got, errStop) {
		t.Errorf("cause = %v", got)
	}
	if drained(g) {
		t.Error("drained with work inside")
	}
	g.Leave()
	if !drained(g) {
		t.Error("not drained when all work has left")
	}
}

func TestEmptyGroupIsDrainedAtOnce(t *testing.T) {
	g := New()
	g.Close(errStop)
	if !drained(g) {
		t.Error("not drained")
	}
}

func TestManyEnterWhileItCloses(t *testing.T) {
	g := New()
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			if g.Enter() {
				g.Leave()
			}
		})
	}
	wg.Go(func() { g.Close(errStop) })
	wg.Wait()
	if !drained(g) {
		t.Error("not drained")
	}
}

func TestBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New()
		parent, cancel := context.WithCancelCause(t.Context())
		ctx, done := g.Bound(parent)
		cancel(errors.New("parent"))
		<-ctx.Done()
		if got := context.Cause(ctx); got.Error() != "parent" {
			t.Errorf("cause = %v", got)
		}
		done()
		ctx, done = g.Bound(t.Context())
		defer done()
		g.Close(errStop)
		<-ctx.Done()
		if got := context.Cause(ctx); !errors.Is(got, errStop) {
			t.Errorf("cause = %v", got)
		}
	})
}
