package wsh

import (
	"context"

	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/transport/httpio"
)

type docsCommand struct{ docserver.Command }

func (docsCommand) Help() string { return docserver.Help("wsh") }

func (c docsCommand) run(ctx context.Context, e env) error {
	return c.Run(ctx, e.Streams, "wsh", httpio.TerminalIcon)
}
