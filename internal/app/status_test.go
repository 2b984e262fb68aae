package app_test

import (
	"fmt"
	"testing"
)

// A session counts once, however many pages show it, and while one does.
func TestStatusCountsSessions(t *testing.T) {
	h := started(t, nil)
	want := func(sessions, pages int) {
		t.Helper()
		h.want("local s = mcp:status() return s.sessions", fmt.Sprint(sessions)) // after what is queued
		if st := h.Status(t.Context()); st.Sessions != sessions || st.Pages != pages {
			t.Errorf("%d sessions with %d pages, want %d with %d", st.Sessions, st.Pages, sessions, pages)
		}
	}
	first, err := h.Session(t.Context(), "1")
	if err != nil {
		t.Fatal(err)
	}
	want(0, 0)
	a, b := &page{}, &page{}
	for _, p := range []*page{a, b, a} {
		if err := first.Attach(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	want(1, 2)
	first.Detach(a)
	first.Detach(a)
	want(1, 1)
	first.Detach(b)
	want(0, 0)
}
