package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

type installInput struct {
	Force    bool  `json:"force,omitempty" jsonschema:"overwrite files; changed ones are kept as NAME.orig"`
	ClaudeMD *bool `json:"claude_md,omitempty" jsonschema:"also add a section to the project's CLAUDE.md"`
}

func addInstall(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_install",
		Title: "Install the bundled files",
		Description: "Writes the bundled skills, agent, documentation, view definitions and scripts into the project. " +
			"A new base directory has them: call it with force after an update of ui-mcp.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Alone,
	}, func(_ context.Context, in installInput) (mcpserver.Result, error) {
		return mcpserver.Answer(ops.Install(in.Force, in.ClaudeMD))
	})
}
