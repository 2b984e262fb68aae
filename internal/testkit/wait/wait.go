// Package wait lets tests wait for conditions that nothing announces, such as the end of a process
// or the state of another program. Where a channel or testing/synctest can do it, use that.
package wait

import (
	"testing"
	"time"
)

// Patience bounds how long a test waits before it fails. It is far longer than any condition takes,
// so that a busy machine fails no test.
const Patience = 2 * time.Minute

// Reading is longer than the program takes a person to need for reading a question, 400 ms: an
// answer that comes sooner does not count.
const Reading = 600 * time.Millisecond

// Pause lets time pass. It is for tests of real processes in which that time decides what happens,
// such as [Reading]. A test that waits for something to happen uses [Until].
func Pause(d time.Duration) { <-time.After(d) }

// For receives a value, and fails the test when none comes within [Patience]. what names the value,
// such as "the end of the program". Once the channel is closed, For returns the zero value.
func For[T any](t testing.TB, what string, from <-chan T) (value T) {
	t.Helper()
	select {
	case value = <-from:
	case <-time.After(Patience):
		t.Fatalf("waited in vain for %s", what)
	}
	return value
}

// Until waits until holds returns true, and fails the test when it does not within [Patience]. what
// completes the sentence "waited in vain until …". holds runs on the caller's goroutine; it may end
// the test when the condition cannot become true any more.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	end := time.After(Patience)
	pause := time.Millisecond
	for !holds() {
		select {
		case <-time.After(pause):
			pause = min(2*pause, 50*time.Millisecond)
		case <-end:
			t.Fatalf("waited in vain until %s", what)
		case <-t.Context().Done():
			t.Fatalf("the test ended before %s", what)
		}
	}
}
