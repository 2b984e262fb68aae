package mcpapps

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// A tool learns whether a view displays its session: one that says hello after the tool began, and
// within eight seconds. Clients that display nothing cost that time once.
func TestAwait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, "1", "2")
		expect := func(what string, appears func(context.Context) (appeared, waited bool), want [2]bool, within time.Duration) {
			t.Helper()
			begun := time.Now()
			appeared, waited := appears(t.Context())
			if got := [2]bool{appeared, waited}; got != want || time.Since(begun) != within {
				t.Errorf("%s: appeared and waited = %v after %v, want %v after %v", what, got, time.Since(begun), want, within)
			}
		}
		h.view("before", `{}`)
		appears := h.Await("1")
		h.view("other", `{"input":{"sessionId":"2"}}`)
		expect("views of before and of another session", appears, [2]bool{false, true}, proofWithin)
		expect("the call after that", h.Await("1"), [2]bool{false, false}, 0)

		appears = h.Await("1")
		h.view("early", `{}`) // while the tool works
		expect("a view that is there already", appears, [2]bool{true, true}, 0)

		appears = h.Await("2")
		late := h.view("late", `{}`)
		time.AfterFunc(3*time.Second, func() { late.send("view", `{"type":"call","input":{"sessionId":"2"}}`) })
		expect("a view that learns later what to display", appears, [2]bool{true, true}, 3*time.Second)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if appeared, waited := h.Await("1")(ctx); appeared || waited {
			t.Errorf("a call that was given up: appeared %v, waited %v", appeared, waited)
		}
	})
}
