package mcpui

import (
	"context"
	"encoding/json"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/ui"
)

type inspectInput struct {
	SessionID string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
	Path      string `json:"path,omitempty" jsonschema:"where to begin, such as value.contacts.0, or an id shown after #"`
	Depth     int    `json:"depth,omitempty" jsonschema:"views and list rows to go in; default: what fits"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"of the text, 100 to 25000; default 1500"`
	Events    bool   `json:"events,omitempty" jsonschema:"wait for the app's events instead: a JSON array, each once"`
	Timeout   int    `json:"timeout,omitempty" jsonschema:"seconds to wait for events, 1 to 120; default 30"`
}

func addInspect(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_inspect",
		Title: "Look at the page",
		Description: "Tells what the person sees, as an indented text, with or without an open browser: views with their template, texts, {path: value} for what is bound, " +
			"controls with what they do (→ method), @references for ui_act, list sizes and first rows, and after ⚠ what does not work. " +
			"Check the page with it after a change. It says what it left out: narrow it with path and depth.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: ofSession.Unless("events"),
	}, func(ctx context.Context, in inspectInput) (mcpserver.Result, error) {
		if in.Events {
			return collect(ctx, ops, sessionOr(in.SessionID), in.Timeout)
		}
		text, err := ops.Inspect(ctx, sessionOr(in.SessionID), ui.Inspection{Path: in.Path, Depth: in.Depth, Tokens: in.MaxTokens})
		return mcpserver.Text(text), err
	})
}

// Seconds that a call waits for events.
const (
	defaultWait = 30
	maxWait     = 120
)

// collect waits for events and takes them. They stay where they are if the client has gone
// meanwhile.
func collect(ctx context.Context, ops Ops, session string, seconds int) (mcpserver.Result, error) {
	switch {
	case seconds == 0:
		seconds = defaultWait
	case seconds < 1 || seconds > maxWait:
		return mcpserver.Result{}, fault.New(fault.Invalid, "timeout must be from 1 to %d seconds, not %d", maxWait, seconds)
	}
	text := "[]"
	err := ops.Wait(ctx, session, time.Duration(seconds)*time.Second, func(list []json.RawMessage) error {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		text = string(events.Array(list))
		return nil
	})
	return mcpserver.Text(text), err
}
