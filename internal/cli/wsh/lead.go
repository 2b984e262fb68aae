package wsh

import (
	"context"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type leadCommand struct {
	Session caller.SessionName `arg:"" help:"The session."`
	Client  caller.ClientName  `arg:"" optional:"" complete:"client" help:"The client, by its name in \"wsh list --clients\"."`
	caller.JSONFlag
}

func (c leadCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		in := caller.Target(c.Session)
		if c.Client == "" {
			return c.ask(ctx, r)
		}
		if err := caller.Change(ctx, r, terminals.LeadSession, terminals.NewLeader{Target: in, Client: string(c.Client)}); err != nil {
			return err
		}
		s, raw, err := caller.Call(ctx, r, terminals.GetSession, in)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.PrintJSON(raw)
		case s.SizeRule != "leader":
			e.Note("%s leads, but the size of %s follows the rule %q", c.Client, s.Name, s.SizeRule)
		}
		return nil
	})
}

// ask says which clients there are to choose from.
func (c leadCommand) ask(ctx context.Context, r *caller.Remote) error {
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(c.Session))
	if err != nil {
		return err
	}
	names := []string{}
	for _, client := range s.Attached {
		if client.Rows > 0 && canType(client) {
			names = append(names, client.Name)
		}
	}
	if len(names) == 0 {
		return fault.New(fault.Precondition, "no terminal that can lead is attached to %s", s.Name)
	}
	return fault.New(fault.Invalid, "which client? These can lead: %s", strings.Join(names, ", "))
}
