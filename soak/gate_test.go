//go:build linux

package soak

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
)

// A gate lets calls to a process through while it runs. Before the process is ended, the gate is
// shut, so that no call begins; when it has ended, the calls under way are cancelled and awaited.
// So each call belongs to one run of the process.
type gate struct {
	mu     sync.Mutex // guards the fields below
	open   bool
	n      int                // calls under way
	change chan struct{}      // closed at each change, and replaced
	ctx    context.Context    // of the calls under way
	cancel context.CancelFunc // of ctx
}

func newGate() *gate { return &gate{change: make(chan struct{})} }

func (g *gate) changeLocked() {
	close(g.change)
	g.change = make(chan struct{})
}

// await waits until ready, which is called with mu held, returns true.
func (g *gate) await(ctx context.Context, ready func() bool) error {
	for {
		g.mu.Lock()
		if ready() {
			g.mu.Unlock()
			return nil
		}
		change := g.change
		g.mu.Unlock()
		select {
		case <-change:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// enter waits until the gate is open, and counts a call. Its context ends with the process.
func (g *gate) enter(ctx context.Context) (call context.Context, leave func(), err error) {
	var process context.Context
	err = g.await(ctx, func() bool {
		if g.open {
			g.n++
			process = g.ctx
		}
		return g.open
	})
	if err != nil {
		return nil, nil, err
	}
	call, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(process, cancel)
	return call, func() {
		stop()
		cancel()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.n--
		g.changeLocked()
	}, nil
}

// shut lets no more calls through.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = false
}

// drain cancels the calls under way, and waits until they have returned.
func (g *gate) drain(ctx context.Context) error {
	g.mu.Lock()
	if g.cancel != nil {
		g.cancel()
	}
	g.mu.Unlock()
	return g.await(ctx, func() bool { return g.n == 0 })
}

// reopen lets calls through again.
func (g *gate) reopen() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ctx, g.cancel = context.WithCancel(context.Background())
	g.open = true
	g.changeLocked()
}

// A call is let through while the gate is open, and cancelled with the process.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		entered := make(chan context.Context)
		leave := make(chan struct{})
		go func() {
			for range 2 {
				call, left, err := g.enter(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				entered <- call
				<-leave
				left()
			}
		}()
		synctest.Wait()
		select {
		case <-entered:
			t.Fatal("a call was let through before the gate was open")
		default:
		}
		g.reopen()
		call := <-entered
		g.shut()
		if call.Err() != nil {
			t.Error("shutting the gate cancels a call")
		}
		drained := make(chan error)
		go func() { drained <- g.drain(t.Context()) }()
		<-call.Done()
		select {
		case <-drained:
			t.Error("drain does not wait for a call")
		default:
		}
		leave <- struct{}{}
		if err := <-drained; err != nil {
			t.Error(err)
		}
		synctest.Wait()
		select {
		case <-entered:
			t.Fatal("a call was let through after the gate was shut")
		default:
		}
		g.reopen()
		<-entered
		leave <- struct{}{}
		g.shut()
		if err := g.drain(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
