package wait_test

import (
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// recorder stands in for a test that fails.
type recorder struct {
	testing.TB
	failure string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failure = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestUntil(t *testing.T) {
	tests := map[string]struct {
		after   time.Duration // the condition holds from then on
		failure string
	}{
		"at once": {0, ""},
		"late":    {wait.Patience - time.Second, ""},
		"never":   {time.Hour, "waited in vain until it is late"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				r := &recorder{TB: t}
				returned := false
				go func() {
					wait.Until(r, "it is late", func() bool { return time.Since(start) >= test.after })
					returned = true
				}()
				time.Sleep(wait.Patience + time.Second)
				synctest.Wait()
				if r.failure != test.failure || returned != (test.failure == "") {
					t.Errorf("returned: %v, failure: %q, want %q", returned, r.failure, test.failure)
				}
			})
		})
	}
}

func TestFor(t *testing.T) {
	tests := map[string]struct {
		after   time.Duration // the value is sent then
		failure string
	}{
		"at once": {0, ""},
		"late":    {wait.Patience - time.Second, ""},
		"never":   {time.Hour, "waited in vain for the answer"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := &recorder{TB: t}
				answer := make(chan int, 1)
				time.AfterFunc(test.after, func() { answer <- 42 })
				got := 0
				go func() { got = wait.For(r, "the answer", answer) }()
				time.Sleep(wait.Patience + time.Second)
				synctest.Wait()
				if r.failure != test.failure || (got == 42) != (test.failure == "") {
					t.Errorf("value: %d, failure: %q, want %q", got, r.failure, test.failure)
				}
			})
		})
	}
}
