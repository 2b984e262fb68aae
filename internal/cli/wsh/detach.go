package wsh

import (
	"context"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals"
)

type detachCommand struct {
	Sessions []caller.SessionName `arg:"" name:"session" help:"The sessions."`
	Client   caller.ClientName    `complete:"client" placeholder:"NAME" help:"Detach only this client, by its name in \"wsh list --clients\"."`
	caller.OtherServerFlag
	caller.JSONFlag
}

func (c detachCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		type result struct {
			Name    string `json:"name"`
			Clients int    `json:"clients"`
		}
		list := []result{}
		for _, name := range c.Sessions {
			name = c.Of(name)
			s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(name))
			if err == nil {
				err = caller.Change(ctx, r, terminals.DetachClients, terminals.Leaving{Target: caller.Target(name), Client: string(c.Client)})
			}
			if err != nil {
				return err
			}
			list = append(list, result{s.Name, s.Clients})
		}
		if c.JSON {
			return e.PrintJSON(list)
		}
		for _, s := range list {
			if s.Clients == 0 {
				e.Note("nobody was attached to %s", s.Name)
			}
		}
		return nil
	})
}
