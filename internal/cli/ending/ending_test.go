package ending

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// Two signals at the same moment are one wish; a later one has its usual effect.
func TestSignalsTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		received, released := make(chan os.Signal, 1), false
		ctx, stop := until(received, func() { released = true })
		defer stop()
		received <- syscall.SIGTERM
		synctest.Wait()
		if err := context.Cause(ctx); !errors.Is(err, Signal(syscall.SIGTERM)) || Signal(syscall.SIGTERM).Status() != 143 {
			t.Errorf("the first signal: %v", err)
		}
		received <- syscall.SIGTERM
		time.Sleep(together - time.Nanosecond)
		synctest.Wait()
		if released {
			t.Error("the second signal would end the process")
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if !released {
			t.Error("a later signal has no effect")
		}
	})
}

// At its end, the caller gets the usual effects back at once.
func TestStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		released := false
		ctx, stop := until(make(chan os.Signal), func() { released = true })
		stop()
		stop()
		synctest.Wait()
		if !released || !errors.Is(ctx.Err(), context.Canceled) {
			t.Errorf("released: %v; the context: %v", released, ctx.Err())
		}
	})
}
