package uimcp

import (
	"context"
	"net/url"
)

type sessionFlag struct {
	Session string `default:"1" placeholder:"ID" help:"The session (default: ${default})."`
}

type stateCommand struct {
	serverFlags
	sessionFlag
}

func (stateCommand) Help() string {
	return `The JSON has the displayed object, and under "$events" the events that no agent has collected:
the oldest, up to 1 MiB. "$moreEvents" is the number of the others.

    ui-mcp state
    ui-mcp state --dir /path/to/project/.claude/ui`
}

func (c stateCommand) run(ctx context.Context, e env) error {
	return c.print(ctx, e, "/state", url.Values{"session": {c.Session}})
}
