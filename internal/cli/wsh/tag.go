package wsh

import (
	"context"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals"
)

type tagCommand struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Add     []caller.TagName   `placeholder:"TAG" help:"A tag to add. May be repeated."`
	Remove  []caller.TagName   `placeholder:"TAG" help:"A tag to remove. May be repeated."`
	caller.OtherServerFlag
	caller.JSONFlag
}

func (tagCommand) Help() string {
	return `The command prints the tags that the session has then, one on each line.

    wsh tag build --add ci --add linux
    wsh tag build --remove ci
    wsh tag build`
}

func (c tagCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		s, raw, err := caller.Call(ctx, r, terminals.UpdateSession, terminals.NewLabel{Target: caller.Target(c.Of(c.Session)), AddTags: caller.Texts(c.Add), RemoveTags: caller.Texts(c.Remove)})
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.PrintJSON(raw)
		case len(s.Tags) == 0:
			return nil
		}
		return e.Printf("%s\n", strings.Join(s.Tags, "\n"))
	})
}
