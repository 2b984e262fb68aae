package wsh

import (
	"context"

	"ui-mcp/internal/cli/setup"
)

type setupCommand struct {
	setup.Flags
}

func (setupCommand) Help() string { return setup.Help("wsh", "") }

func (c setupCommand) run(ctx context.Context, e env) error {
	return setup.Run(ctx, setup.Options{Flags: c.Flags, Program: "wsh", Streams: e.Streams}, e.vars)
}
