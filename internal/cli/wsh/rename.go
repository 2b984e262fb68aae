package wsh

import (
	"context"

	"ui-mcp/internal/terminals"
)

type renameCommand struct {
	Old sessionName `arg:"" help:"The session."`
	New string      `arg:"" help:"Its new name: letters, digits, - _ and ."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (renameCommand) Help() string {
	return `Clients stay attached, and waits go on.

    wsh rename 0 build`
}

func (c renameCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		_, raw, err := call(ctx, r, terminals.UpdateSession, terminals.NewLabel{Target: target(c.Old), Name: &c.New})
		if err != nil || !c.JSON {
			return err
		}
		return e.printJSON(raw)
	})
}
