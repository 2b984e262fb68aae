package mcpui

import (
	"context"

	"ui-mcp/internal/transport/mcpserver"
)

type installInput struct {
	Force    bool  `json:"force,omitempty" jsonschema:"write files that are there already, too; changed ones are kept as NAME.orig"`
	ClaudeMD *bool `json:"claude_md,omitempty" jsonschema:"also add a section to the project's CLAUDE.md; default: false, but true with --unconfigured"`
}

func addInstall(s *mcpserver.Server, ops Ops) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:  "ui_install",
		Title: "Install the bundled files",
		Description: "Writes the skills /ui and /ui-builder, an agent, documentation, view definitions and helper scripts into the project. " +
			"A new base directory has them already; call it with force after an update of ui-mcp.\n" +
			"Returns JSON: installed, skipped, appended; version_skipped with both versions when nothing newer is bundled.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.No, Destructive: mcpserver.Yes, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Order: mcpserver.Alone,
	}, func(_ context.Context, in installInput) (mcpserver.Result, error) {
		return mcpserver.Answer(ops.Install(in.Force, in.ClaudeMD))
	})
}
