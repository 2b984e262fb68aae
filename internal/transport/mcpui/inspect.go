package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/ui"
)

type inspectInput struct {
	SessionID string `json:"sessionId,omitempty" jsonschema:"default \"1\""`
	Path      string `json:"path,omitempty" jsonschema:"where to begin: binding paths in a row, such as value.contacts.0, or an id that an earlier result shows after #; default everything"`
	Depth     int    `json:"depth,omitempty" jsonschema:"how many views and list rows to go in; default as deep as fits"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"about how long the text may be, 100 to 25000; default 1500"`
}

func addInspect(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_inspect",
		Title: "Look at the page",
		Description: "Tells what the person sees, as an indented text, with or without an open browser: views with their template, texts, {path: value} for what is bound, " +
			"controls with what they do (→ method), list sizes and first rows, and after ⚠ what does not work. " +
			"Use it to check the page after a change instead of a screenshot. It says what it left out: narrow it with path and depth.\n" +
			`Example: {"path": "value.contacts.0"}`,
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: ofSession,
	}, func(ctx context.Context, in inspectInput) (mcpserver.Result, error) {
		text, err := ops.Inspect(ctx, sessionOr(in.SessionID), ui.Inspection{Path: in.Path, Depth: in.Depth, Tokens: in.MaxTokens})
		return mcpserver.Text(text), err
	})
}
