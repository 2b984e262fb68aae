package wsh

import (
	"context"

	"ui-mcp/internal/terminals"
)

type detachCommand struct {
	Sessions []sessionName `arg:"" name:"session" help:"The sessions."`
	Client   clientName    `complete:"client" placeholder:"NAME" help:"Detach only this client, by its name in \"wsh list --clients\"."`
	otherServerFlag
	jsonFlag
}

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
			name = c.of(name)
			s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, target(name))
			if err == nil {
				err = change(ctx, r, terminals.DetachClients, terminals.Leaving{Target: target(name), Client: string(c.Client)})
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
