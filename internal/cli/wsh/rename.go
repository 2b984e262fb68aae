package wsh

import (
	"context"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type renameCommand struct {
	Old sessionName `arg:"" help:"The session."`
	New string      `arg:"" help:"Its new name: letters, digits, - _ and ."`
	jsonFlag
}

func (renameCommand) Help() string {
	return `Clients stay attached, and waits go on.

    wsh rename 0 build`
}

func (c renameCommand) run(ctx context.Context, e env) error {
	from, to := wire.HostOf(string(c.Old)), wire.HostOf(c.New)
	if to != "" && strings.EqualFold(to, from) {
		c.New = strings.TrimPrefix(c.New, to+"/")
	} else if strings.Contains(c.New, "/") {
		return fault.New(fault.Invalid, "sessions do not move between servers: give a name without a slash")
	}
	return e.withServer(ctx, func(r *remote) error {
		_, raw, err := call(ctx, r, terminals.UpdateSession, terminals.NewLabel{Target: target(c.Old), Name: &c.New})
		if err != nil || !c.JSON {
			return err
		}
		return e.printJSON(raw)
	})
}
