package wsh

import (
	"context"
	"strings"

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

type tagCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Add     []tagName   `placeholder:"TAG" help:"A tag to add. May be repeated."`
	Remove  []tagName   `placeholder:"TAG" help:"A tag to remove. May be repeated."`
	otherServerFlag
	jsonFlag
}

// Help is the last part of what --help prints.
func (tagCommand) Help() string {
	return `The command prints the tags that the session has then, one on each line.

    wsh tag build --add ci --add linux
    wsh tag build --remove ci
    wsh tag build`
}

func (c tagCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		s, raw, err := call(ctx, r, terminals.UpdateSession, terminals.NewLabel{Target: target(c.Session), AddTags: texts(c.Add), RemoveTags: texts(c.Remove)})
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

type detachCommand struct {
	Sessions []sessionName `arg:"" name:"session" help:"The sessions."`
	Client   string        `complete:"client" placeholder:"NAME" help:"Detach only this client, by its name in \"wsh list --clients\"."`
	otherServerFlag
	jsonFlag
}

// Help is the last part of what --help prints.
func (detachCommand) Help() string {
	return `All terminals that are attached leave, or the one that you name. The programs go on.

    wsh detach build
    wsh detach build --client ann@pts/3`
}

func (c detachCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		type result struct {
			Name    string `json:"name"`
			Clients int    `json:"clients"`
		}
		list := []result{}
		for _, name := range c.Sessions {
			s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, target(name))
			if err == nil {
				err = change(ctx, r, terminals.DetachClients, terminals.Leaving{Target: target(name), Client: c.Client})
			}
			if err != nil {
				return err
			}
			list = append(list, result{s.Name, s.Clients})
		}
		if c.JSON {
			return e.printJSON(list)
		}
		for _, s := range list {
			if s.Clients == 0 {
				e.note("nobody was attached to %s", s.Name)
			}
		}
		return nil
	})
}
