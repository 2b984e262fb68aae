package uimcp

import (
	"context"
	"net/url"
)

type variablesCommand struct {
	serverFlags
	sessionFlag
}

func (variablesCommand) Help() string {
	return `The JSON is an array, parents before children: each variable with its path, type, value and properties.

    ui-mcp variables
    ui-mcp variables --session 2`
}

func (c variablesCommand) run(ctx context.Context, e env) error {
	return c.print(ctx, e, "/variables.json", url.Values{"session": {c.Session}})
}
