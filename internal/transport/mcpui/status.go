package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

func addStatus(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_status",
		Title: "UI server status",
		Description: `Tells whether the UI server runs. Returns JSON: state ("configured" or "running"), version, base_dir (where apps, view definitions and logs are); ` +
			"when running also url, terminals_url (if there are terminals), sessions (that a page is open for), pages (over all sessions), views (pages in the conversation), errors (what does not work: see ui_inspect), " +
			"events (that wait to be collected) and events_dropped.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Shared,
	}, func(ctx context.Context, _ struct{}) (mcpserver.Result, error) {
		return mcpserver.JSON(ops.Status(ctx))
	})
}
