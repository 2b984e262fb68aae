package app

import (
	"bytes"
	"encoding/json"

	"ui-mcp/internal/ui"
)

// An errorEvent reports an error to the agent, among the events that the app itself pushes.
type errorEvent struct {
	App     string `json:"app,omitempty"`
	Event   string `json:"event"` // "error"
	Message string `json:"message"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
}

// announce queues an error as an event.
func (a *App) announce(r *running, n ui.Announcement) {
	p := n.Problem
	var event bytes.Buffer
	enc := json.NewEncoder(&event)
	enc.SetEscapeHTML(false) // a model reads it
	if err := enc.Encode(errorEvent{App: n.App, Event: "error", Message: p.Message, File: p.File, Line: p.Line}); err != nil {
		a.opts.Log.Error("an error was not announced", "error", err)
		return
	}
	r.queue(n.Session).Push(bytes.TrimSpace(event.Bytes()))
}
