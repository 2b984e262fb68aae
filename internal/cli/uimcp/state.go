package uimcp

import (
	"context"
	"net/url"
)

// sessionFlag names the session that a command is about.
type sessionFlag struct {
	Session string `default:"1" placeholder:"ID" help:"The session (default: ${default})."`
}

type stateCommand struct {
	dirFlag
	sessionFlag
}

// Help is the end of what --help says.
func (stateCommand) Help() string {
	return `The JSON has the object that is displayed, and under "$events" the events that nobody has collected.

    ui-mcp state
    ui-mcp state --dir /path/to/project/.claude/ui`
}

func (c stateCommand) run(ctx context.Context, e env) error {
	d := openDoor(c.Dir)
	defer d.close()
	return d.print(ctx, e.Out, "/state", url.Values{"session": {c.Session}})
}
