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
	Client  caller.ClientName  `arg:"" optional:"" complete:"client" help:"The client, by its name in \"wsh list --clients\" (default: this terminal, or the only one that can lead)."`
	caller.JSONFlag
}

func (c leadCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithServer(ctx, func(r *caller.Remote) error {
		client := string(c.Client)
		if client == "" {
			var err error
			if client, err = c.choose(ctx, e, r); err != nil {
				return err
			}
		}
		in := caller.Target(c.Session)
		if err := caller.Change(ctx, r, terminals.LeadSession, terminals.NewLeader{Target: in, Client: client}); err != nil {
			return err
		}
		s, raw, err := caller.Call(ctx, r, terminals.GetSession, in)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.PrintJSON(raw)
		case s.SizeRule != "leader":
			e.Note("%s leads, but the size of %s follows the rule %q", client, s.Name, s.SizeRule)
		}
		return nil
	})
}

// choose returns the client of this terminal, or the only one that can lead.
func (c leadCommand) choose(ctx context.Context, e caller.Env, r *caller.Remote) (string, error) {
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, caller.Target(c.Session))
	if err != nil {
		return "", err
	}
	own, names := e.TerminalName(), []string{}
	for _, client := range s.Attached {
		switch {
		case client.Rows == 0 || !canType(client):
		case client.Name == own:
			return own, nil
		default:
			names = append(names, client.Name)
		}
	}
	switch len(names) {
	case 0:
		return "", fault.New(fault.Precondition, "no terminal that can lead is attached to %s", s.Name)
	case 1:
		return names[0], nil
	}
	return "", fault.New(fault.Invalid, "which client? These can lead: %s", strings.Join(names, ", "))
}
