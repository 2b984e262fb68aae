package mcpapps

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// maxWord bounds what hosts say about themselves, in bytes.
const maxWord = 64

// hostOf reads what a view reports about its host. It treats malformed members as missing.
func hostOf(raw json.RawMessage) app.ChatState {
	var m struct {
		app.ChatState
		Views, Width, Height float64
	}
	_ = json.Unmarshal(raw, &m)
	h := m.ChatState
	for _, word := range []*string{&h.Theme, &h.Locale, &h.DisplayMode} {
		*word = safetext.Cut(*word, maxWord)
	}
	h.Width, h.Height = int(min(max(m.Width, 0), 1<<20)), int(min(max(m.Height, 0), 1<<20))
	return h
}

// State implements [app.Chat]. If several views display a session of apps, it describes the host of
// the view that has sent something last.
func (v *Views) State(session string) (h app.ChatState) {
	all := v.showing(session)
	if n := len(all); n > 0 {
		h = all[n-1].hosted()
		h.Views = n
	}
	return h
}

// showing returns the views that display a session of apps, in the order in which they were heard
// from last.
func (v *Views) showing(session string) []*view {
	return slices.DeleteFunc(v.all(), func(one *view) bool {
		one.mu.Lock()
		defer one.mu.Unlock()
		return one.shows != subject{appSubject, session} || one.page == nil
	})
}

// Message implements [app.Chat].
func (v *Views) Message(ctx context.Context, session, text string) error {
	return v.request(ctx, session, toView{Type: "request", Name: "message", Text: text}, func(h app.ChatState) bool { return h.Message })
}

// Context implements [app.Chat].
func (v *Views) Context(ctx context.Context, session string, value json.RawMessage) error {
	return v.request(ctx, session, toView{Type: "request", Name: "context", Value: value}, func(h app.ChatState) bool { return h.Context })
}

// Fullscreen implements [app.Chat].
func (v *Views) Fullscreen(ctx context.Context, session string, on bool) error {
	return v.request(ctx, session, toView{Type: "request", Name: "fullscreen", Value: on}, func(h app.ChatState) bool { return h.Fullscreen })
}

// request lets the view that was heard from last ask its host, and waits for the answer.
func (v *Views) request(ctx context.Context, session string, m toView, offers func(app.ChatState) bool) error {
	all := v.showing(session)
	if len(all) == 0 || !offers(all[len(all)-1].hosted()) {
		return fault.New(fault.Precondition, "no chat that displays this app offers this")
	}
	one, answer := all[len(all)-1], make(chan string, 1)
	m.ID = one.requests.Add(1)
	one.waiting.Store(m.ID, answer)
	defer one.waiting.Delete(m.ID)
	one.send(m) // if it has gone, so has its relay
	select {
	case problem := <-answer:
		if problem != "" {
			return errors.New(problem)
		}
		return nil
	case <-one.relay.Done():
		return fault.New(fault.Gone, "the view has gone from the chat")
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// answered takes a host's answer. problem is "" if the host did what was asked.
func (v *view) answered(id int64, problem string) {
	if answer, waits := v.waiting.LoadAndDelete(id); waits {
		answer.(chan string) <- problem
	}
}

func (v *view) hosted() app.ChatState {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.host
}

// setHost stores what the view reports about its host.
func (v *view) setHost(h app.ChatState) {
	v.mu.Lock()
	changed := v.host != h
	v.host = h
	shows := v.shows
	v.mu.Unlock()
	if changed && shows.what == appSubject {
		v.views.changed(shows.session)
	}
}

// changed reports that the views of a session of apps, or their hosts, have changed.
func (v *Views) changed(session string) {
	if v.opts.Changed != nil {
		v.opts.Changed(session)
	}
}
