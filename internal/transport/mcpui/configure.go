package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

type configureInput struct {
	BaseDir string `json:"base_dir" jsonschema:"absolute path; {project}/.claude/ui unless the person wants another"`
}

func addConfigure(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_configure",
		Title: "Choose the base directory",
		Description: "Changes the directory of apps, view definitions and logs; creates it, with the bundled files, where needed. " +
			"Rarely called: the server begins with one (see ui_status). Apps that run lose their state; call ui_start next.\n" +
			"Returns base_dir, the paths of the logs, and what was installed.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Alone,
	}, func(ctx context.Context, in configureInput) (mcpserver.Result, error) {
		return mcpserver.Answer(ops.Configure(ctx, in.BaseDir))
	})
}
