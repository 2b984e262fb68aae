package wake_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/wake"
)

// However often a goroutine is woken before it looks, it looks once, and nobody waits for it.
func TestUp(t *testing.T) {
	t.Parallel()
	c := make(chan struct{}, 1)
	for range 3 {
		wake.Up(c)
	}
	<-c
	if len(c) != 0 {
		t.Error("there is a second token")
	}
}

// A pause takes its time, unless its context ends: then the caller learns why.
func TestAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		why := errors.New("why")
		ctx, cancel := context.WithCancelCause(t.Context())
		start := time.Now()
		if err := wake.After(ctx, time.Hour); err != nil || time.Since(start) != time.Hour {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		time.AfterFunc(time.Minute, func() { cancel(why) })
		start = time.Now()
		if err := wake.After(ctx, time.Hour); err != why || time.Since(start) != time.Minute {
			t.Errorf("when the context ends: %v after %v", err, time.Since(start))
		}
	})
}
