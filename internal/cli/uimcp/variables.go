package uimcp

import (
	"context"
	"net/url"
)

type variablesCommand struct {
	dirFlag
	sessionFlag
}

// Help is the end of what --help says.
func (variablesCommand) Help() string {
	return `The JSON is an array, parents before children: each variable with its path, type, value and properties.

    ui-mcp variables
    ui-mcp variables --session 2`
}

func (c variablesCommand) run(ctx context.Context, e env) error {
	d := openDoor(c.Dir)
	defer d.close()
	return d.print(ctx, e.Out, "/variables.json", url.Values{"session": {c.Session}})
}
