package mcpapps

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A tool learns whether a view displays its session: one that says hello after the tool began, and
// within eight seconds. Clients that display nothing, or later, cost that time once; those that
// have not even read the view, one second.
func TestAwait(t *testing.T) {
	expect := func(t *testing.T, what string, appears func(context.Context) (appeared, waited bool), want [2]bool, within time.Duration) {
		t.Helper()
		begun := time.Now()
		appeared, waited := appears(t.Context())
		if got := [2]bool{appeared, waited}; got != want || time.Since(begun) != within {
			t.Errorf("%s: appeared and waited = %v after %v, want %v after %v", what, got, time.Since(begun), want, within)
		}
	}
	for name, run := range map[string]func(*testing.T, *house){
		"in vain": func(t *testing.T, h *house) {
			h.noteRead()
			h.view("before", `{}`)
			appears := h.Await("1")
			h.view("other", `{"input":{"sessionId":"2"}}`)
			expect(t, "views of before and of another session", appears, [2]bool{false, true}, proofWithin)
			h.view("when the call has ended", `{}`)
			expect(t, "the call after that", h.Await("1"), [2]bool{false, false}, 0)
			appears = h.Await("1")
			h.view("early", `{}`)
			expect(t, "a view after all", appears, [2]bool{true, true}, 0)
		},
		"never read": func(t *testing.T, h *house) {
			expect(t, "a view that nobody reads", h.Await("1"), [2]bool{false, true}, readWithin)
		},
		"read at the call": func(t *testing.T, h *house) {
			appears := h.Await("1")
			time.AfterFunc(readWithin/2, h.noteRead)
			time.AfterFunc(5*time.Second, func() { h.view("slow", `{}`) })
			expect(t, "a view that is read", appears, [2]bool{true, true}, 5*time.Second)
		},
		"there already": func(t *testing.T, h *house) {
			appears := h.Await("1")
			h.view("early", `{}`) // while the tool works
			expect(t, "a view that is there already", appears, [2]bool{true, true}, 0)
		},
		"another session at first": func(t *testing.T, h *house) {
			h.noteRead()
			appears := h.Await("2")
			late := h.view("late", `{}`)
			time.AfterFunc(3*time.Second, func() { late.send("view", `{"type":"call","input":{"sessionId":"2"}}`) })
			expect(t, "a view that learns later what to display", appears, [2]bool{true, true}, 3*time.Second)
		},
		"given up": func(t *testing.T, h *house) {
			h.noteRead()
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if appeared, waited := h.Await("1")(ctx); appeared || waited {
				t.Errorf("a call that was given up: appeared %v, waited %v", appeared, waited)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run(t, open(t, "1", "2"))
				synctest.Wait() // the tool may have learned of a view before the view has its answer
			})
		})
	}
}

// A view may say hello long after its call has ended, as when the person scrolls to it, or has to
// approve its calls. It displays the present state all the same, and takes part from then on.
func TestLateHello(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := open(t, "1", "2")
		h.noteRead()
		appears := h.Await("2")
		h.Displaying("2", "x")(nil)
		if appeared, waited := appears(t.Context()); appeared || !waited {
			t.Errorf("without a view: appeared %v, waited %v", appeared, waited)
		}
		time.Sleep(time.Minute)
		late := h.view("late", `{"tool":"ui_display","input":{"name":"x"}}`)
		late.expect(shows("2", "page:1"), "page:1 "+snapshot)
		if n := h.Count(); n != 1 || h.sessions["2"].pages() != 1 {
			t.Errorf("%d views, %d pages", n, h.sessions["2"].pages())
		}
		time.Sleep(2 * time.Second)
		late.send("page:1", `{"a":1}`)
		if got := h.sessions["2"].got; len(got) != 1 {
			t.Errorf("the session has got %q", got)
		}
	})
}

// While a tool displays an app, a view of the tool displays nothing, rather than what an earlier
// call has displayed. If the tool fails, the views of that call say so.
func TestViewsOfACallUnderWay(t *testing.T) {
	const waits = `view {"type":"show","what":"nothing","session":"1"}`
	h := open(t, "1", "2")
	h.view("0", `{"tool":"ui_display"}`).expect(shows("1", "page:1"), "page:1 "+snapshot) // of an earlier call
	done := h.Displaying("1", "a")
	of := h.view("1", `{"tool":"ui_display","input":{"sessionId":"1","name":"a"}}`)
	unnamed := h.view("2", `{"tool":"ui_display"}`)
	next := h.view("3", `{"tool":"ui_display","input":{"name":"b"}}`)
	for _, c := range []*caller{of, unnamed, next} {
		c.expect(waits)
	}
	h.view("4", `{"tool":"ui_display","input":{"sessionId":"2"}}`).expect(shows("2", "page:1"), "page:1 "+snapshot)
	h.view("5", `{}`).expect(shows("1", "page:1"), "page:1 "+snapshot) // of another tool
	done(errors.New("no luck"))
	const failed = `view {"type":"show","what":"nothing","session":"1","text":"no luck"}`
	of.expect(failed)
	unnamed.expect(failed)
	next.expect(shows("1", "page:1"), "page:1 "+snapshot) // its call comes later, or was over before

	done = h.Displaying("1", "b")
	late := h.view("6", `{"tool":"ui_display"}`)
	late.expect(waits)
	done(nil)
	late.expect(shows("1", "page:1"), "page:1 "+snapshot)
}
