package wsh

import (
	"context"

	"ui-mcp/internal/cli/docserver"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/transport/httpio"
)

type docsCommand struct{ docserver.Command }

func (docsCommand) Help() string { return docserver.Help("wsh") }

func (c docsCommand) Run(ctx context.Context, e caller.Env) error {
	return c.Command.Run(ctx, e.Streams, "wsh", httpio.TerminalIcon)
}
