package wsh

import (
	"context"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type renameCommand struct {
	Old caller.SessionName `arg:"" help:"The session."`
	New string             `arg:"" help:"Its new name: letters, digits, - _ and ."`
	caller.JSONFlag
}

func (c renameCommand) Run(ctx context.Context, e caller.Env) error {
	from, to := wire.HostOf(string(c.Old)), wire.HostOf(c.New)
	if to != "" && strings.EqualFold(to, from) {
		c.New = strings.TrimPrefix(c.New, to+"/")
	} else if strings.Contains(c.New, "/") {
		return fault.New(fault.Invalid, "sessions do not move between servers: give a name without a slash")
	}
	return caller.Answer(ctx, e, c.JSONFlag, terminals.UpdateSession, terminals.NewLabel{Target: caller.Target(c.Old), Name: &c.New}, nil)
}
