package uimcp

import (
	"context"

	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/transport/httpio"
)

type docsCommand struct{ docserver.Command }

func (docsCommand) Help() string { return docserver.Help("ui-mcp") }

func (c docsCommand) run(ctx context.Context, e env) error {
	return c.Run(ctx, e.Streams, "ui-mcp", httpio.AppIcon)
}
