package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/app"
)

// A subscriber reads the state after each change. If reading counted as a change, one subscription
// would keep the server busy for ever.
func TestReadingChangesNothing(t *testing.T) {
	h := started(t, nil)
	changes := h.Changes()
	h.run(`mcp.value = {n = 1}`)
	select {
	case <-changes:
	default:
		t.Fatal("ui_run does not count as a change")
	}
	for what, read := range map[string]func(context.Context) error{
		"State":     func(ctx context.Context) error { _, err := h.State(ctx, app.DefaultSession); return err },
		"Variables": func(ctx context.Context) error { _, _, err := h.Variables(ctx, app.DefaultSession, ""); return err },
	} {
		if err := read(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case <-changes:
			t.Errorf("%s counts as a change", what)
		default:
		}
	}
}

// A state is not longer than clients accept, however many events are queued.
func TestStateWithManyEvents(t *testing.T) {
	h := started(t, nil)
	h.run(`mcp.value = {n = 1} local s = ("x"):rep(200000) for i = 1, 20 do mcp.pushState({i = i, s = s}) end`)
	data, err := h.State(t.Context(), app.DefaultSession)
	if err != nil {
		t.Fatal(err)
	}
	var state struct {
		N      int
		Events []struct {
			I int
			S string
		} `json:"$events"`
		More int `json:"$moreEvents"`
	}
	if err := json.Unmarshal(data, &state); err != nil {
		t.Fatal(err)
	}
	if state.N != 1 || len(state.Events) != 5 || state.More != 15 || len(data) > 1<<20+100 {
		t.Errorf("%d bytes: n = %d, %d events and %d more, want 5 and 15", len(data), state.N, len(state.Events), state.More)
	}
	for i, e := range state.Events {
		if e.I != i+1 || len(e.S) != 200_000 {
			t.Errorf("event %d has number %d and %d bytes", i, e.I, len(e.S))
		}
	}
	if got := h.events(); len(got) != 20 {
		t.Errorf("%d events can be collected, want 20", len(got))
	}

	// The events may be all that there is.
	h.run(`mcp.value = 7 mcp.pushState({1})`)
	if data, err = h.State(t.Context(), app.DefaultSession); err != nil || string(data) != `{"value":7,"$events":[[1]]}` {
		t.Errorf("State = %s, %v", data, err)
	}
	h.run(`mcp.value = nil mcp.pushState({s = ("x"):rep(1000000)}) mcp.pushState({s = ("x"):rep(1000000)})`)
	data, err = h.State(t.Context(), app.DefaultSession)
	if err != nil || !json.Valid(data) || !strings.HasSuffix(string(data), `,"$moreEvents":1}`) {
		t.Errorf("State ends with %s, %v", data[max(0, len(data)-40):], err)
	}
}

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
