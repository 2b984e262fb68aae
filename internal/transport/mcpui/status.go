package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

func addStatus(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_status",
		Title: "UI server status",
		Description: `Returns state ("configured" or "running"), version, base_dir (apps, view definitions, logs); when running also url, terminals_url, ` +
			"sessions (with a page open), pages, views (in the conversation), errors (see ui_inspect), events (that wait) and events_dropped.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Shared,
	}, func(ctx context.Context, _ struct{}) (mcpserver.Result, error) {
		return mcpserver.JSON(ops.Status(ctx))
	})
}
