package wsh

import (
	"context"
	"strings"

	"ui-mcp/internal/terminals"
)

type tagCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Add     []tagName   `placeholder:"TAG" help:"A tag to add. May be repeated."`
	Remove  []tagName   `placeholder:"TAG" help:"A tag to remove. May be repeated."`
	otherServerFlag
	jsonFlag
}

func (tagCommand) Help() string {
	return `The command prints the tags that the session has then, one on each line.

    wsh tag build --add ci --add linux
    wsh tag build --remove ci
    wsh tag build`
}

func (c tagCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		s, raw, err := call(ctx, r, terminals.UpdateSession, terminals.NewLabel{Target: target(c.of(c.Session)), AddTags: texts(c.Add), RemoveTags: texts(c.Remove)})
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.printJSON(raw)
		case len(s.Tags) == 0:
			return nil
		}
		return e.printf("%s\n", strings.Join(s.Tags, "\n"))
	})
}
