package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

func addStart(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_start",
		Title: "Start the UI server",
		Description: "Starts the UI server and returns its URL, such as http://127.0.0.1:39482. Call it before ui_run, ui_display and ui_open_browser. " +
			`"Server already running", with the URL, is no reason to stop: go on.`,
		// A second call changes nothing.
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Alone,
	}, func(ctx context.Context, _ struct{}) (mcpserver.Result, error) {
		url, err := ops.Start(ctx)
		return mcpserver.Text(url), err
	})
}
