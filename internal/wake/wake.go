// Package wake has how goroutines wait for each other and for time. It starts none.
package wake

import (
	"context"
	"time"
)

// Up puts a token into a buffered channel, unless that is full: the receiver looks again at what
// may have changed.
func Up(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// After returns after a time, or when ctx ends before, with the cause of that.
func After(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
