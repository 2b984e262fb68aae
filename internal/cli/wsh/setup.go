package wsh

import (
	"context"

	"ui-mcp/internal/cli/setup"
	"ui-mcp/internal/cli/wsh/caller"
)

type setupCommand struct {
	setup.Flags
}

func (setupCommand) Help() string { return setup.Help("wsh", "") }

func (c setupCommand) Run(ctx context.Context, e caller.Env) error {
	return setup.Run(ctx, setup.Options{Flags: c.Flags, Program: "wsh", Streams: e.Streams}, e.Vars)
}
