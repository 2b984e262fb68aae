package wsh

import (
	"context"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

type tagCommand struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Add     []caller.TagName   `placeholder:"TAG" help:"A tag to add. May be repeated."`
	Remove  []caller.TagName   `placeholder:"TAG" help:"A tag to remove. May be repeated."`
	caller.OtherServerFlag
	caller.JSONFlag
}

func (c tagCommand) Run(ctx context.Context, e caller.Env) error {
	in := terminals.NewLabel{Target: caller.Target(c.Of(c.Session)), AddTags: caller.Texts(c.Add), RemoveTags: caller.Texts(c.Remove)}
	return caller.Answer(ctx, e, c.JSONFlag, terminals.UpdateSession, in, func(s wire.Session) error {
		if len(s.Tags) == 0 {
			return nil
		}
		return e.Printf("%s\n", strings.Join(s.Tags, "\n"))
	})
}
