package mcpapps

import (
	"context"
	"encoding/json"
	"errors"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// hostMessage is what views report about their hosts. Other members are ignored.
type hostMessage struct {
	Theme       any     `json:"theme"`
	Locale      any     `json:"locale"`
	DisplayMode any     `json:"displayMode"`
	Width       float64 `json:"width"`
	Height      float64 `json:"height"`
	Message     bool    `json:"message"`
	Context     bool    `json:"context"`
	Fullscreen  bool    `json:"fullscreen"`
}

// maxWord bounds what hosts say about themselves, in bytes.
const maxWord = 64

// hostOf reads what a view reports about its host. It treats malformed members as missing.
func hostOf(raw json.RawMessage) app.ChatState {
	var m hostMessage
	if json.Unmarshal(raw, &m) != nil {
		return app.ChatState{}
	}
	word := func(v any) string {
		s, _ := v.(string)
		return safetext.Cut(s, maxWord)
	}
	pixels := func(n float64) int { return int(min(max(n, 0), 1<<20)) }
	return app.ChatState{
		Theme: word(m.Theme), Locale: word(m.Locale), DisplayMode: word(m.DisplayMode), Width: pixels(m.Width), Height: pixels(m.Height),
		Message: m.Message, Context: m.Context, Fullscreen: m.Fullscreen,
	}
}

// State implements [app.Chat]. If the hosts of the views that display a session of apps differ, it
// describes that of the view that was heard from last, except that an offer of any of them counts.
func (v *Views) State(session string) (h app.ChatState) {
	all, newest := v.showing(session)
	if newest == nil {
		return h
	}
	h = newest.hosted()
	h.Views = len(all)
	for _, one := range all {
		other := one.hosted()
		h.Message, h.Context, h.Fullscreen = h.Message || other.Message, h.Context || other.Context, h.Fullscreen || other.Fullscreen
	}
	return h
}

// showing returns the views that display a session of apps, and the one that was heard from last.
func (v *Views) showing(session string) (all []*view, newest *view) {
	last := uint64(0)
	for _, one := range v.all() {
		one.mu.Lock()
		shows, heard := one.shows == subject{appSubject, session} && one.page != nil, one.heard
		one.mu.Unlock()
		if !shows {
			continue
		}
		all = append(all, one)
		if newest == nil || heard > last {
			newest, last = one, heard
		}
	}
	return all, newest
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

// request lets a view ask its host, and waits for the answer. It prefers the view that was heard
// from last, if the host of that one offers what is asked for.
func (v *Views) request(ctx context.Context, session string, m toView, offers func(app.ChatState) bool) error {
	all, newest := v.showing(session)
	if newest == nil || !offers(newest.hosted()) {
		newest = nil
		for _, one := range all {
			if offers(one.hosted()) {
				newest = one
			}
		}
	}
	if newest == nil {
		return fault.New(fault.Precondition, "no chat that displays this app offers this")
	}
	return newest.request(ctx, m)
}

// request asks the view's host.
func (v *view) request(ctx context.Context, m toView) error {
	answer := make(chan error, 1)
	v.mu.Lock()
	v.requests++
	m.ID = v.requests
	if v.waiting == nil {
		v.waiting = map[int64]chan<- error{}
	}
	v.waiting[m.ID] = answer
	v.mu.Unlock()
	defer func() {
		v.mu.Lock()
		delete(v.waiting, m.ID)
		v.mu.Unlock()
	}()
	if !v.send(m) {
		return errViewGone
	}
	select {
	case err := <-answer:
		return err
	case <-v.relay.Done():
		return errViewGone
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

var errViewGone = fault.New(fault.Gone, "the view has gone from the chat")

// answered takes a host's answer. problem is "" if the host did what was asked.
func (v *view) answered(id int64, problem string) {
	v.mu.Lock()
	answer := v.waiting[id]
	delete(v.waiting, id)
	v.mu.Unlock()
	if answer == nil {
		return
	}
	var err error
	if problem != "" {
		err = errors.New(problem)
	}
	answer <- err
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
