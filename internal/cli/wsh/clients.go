package wsh

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// printClients prints a line for each client of the sessions.
func (e env) printClients(sessions []wire.Session) error {
	var t table
	for _, s := range sessions {
		for _, c := range s.Attached {
			size := "-"
			if c.Rows > 0 {
				size = fmt.Sprintf("%dx%d", c.Cols, c.Rows)
			}
			t.add(s.Name, c.Name, c.Kind, size, "for "+ago(c.AttachedMS), describeClient(s, c))
		}
	}
	return t.print(e.Out)
}

// describeClient says what a client may do, and whether it leads.
func describeClient(s wire.Session, c wire.Client) string {
	var parts []string
	if s.Leader != nil && *s.Leader == c.Name {
		parts = append(parts, "leads")
	}
	switch {
	case !canType(c):
		parts = append(parts, "only looks")
	case c.LastTypedMS != nil:
		parts = append(parts, "typed "+ago(*c.LastTypedMS)+" ago")
	}
	return strings.Join(parts, ", ")
}

func canType(c wire.Client) bool {
	for _, right := range c.Rights {
		if right == "type" {
			return true
		}
	}
	return false
}

// ago is a duration for people, in its largest unit.
func ago(ms int64) string {
	switch d := time.Duration(ms) * time.Millisecond; {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
}

type leadCommand struct {
	Session sessionName `arg:"" help:"The session."`
	Client  string      `arg:"" optional:"" complete:"client" help:"The client, by its name in \"wsh list --clients\" (default: this terminal, or the only one that can lead)."`
	jsonFlag
}

// Help is the last part of what --help prints.
func (leadCommand) Help() string {
	return `The client leads from now on, as if it had typed: unless the session was given another rule with --size, its terminal decides the size. Another client takes the lead when a person types on it.

    wsh lead build
    wsh lead build ann@pts/3`
}

func (c leadCommand) run(ctx context.Context, e env) error {
	return e.withServer(ctx, func(r *remote) error {
		if c.Client == "" {
			var err error
			if c.Client, err = c.choose(ctx, e, r); err != nil {
				return err
			}
		}
		in := target(c.Session)
		if err := change(ctx, r, terminals.LeadSession, terminals.NewLeader{Target: in, Client: c.Client}); err != nil {
			return err
		}
		s, raw, err := call(ctx, r, terminals.GetSession, in)
		switch {
		case err != nil:
			return err
		case c.JSON:
			return e.printJSON(raw)
		case s.SizeRule != "leader" && s.SizeRule != "latest":
			e.note("%s leads, but the size of %s follows the rule %q", c.Client, s.Name, s.SizeRule)
		}
		return nil
	})
}

// choose returns the client of this terminal, or the only one that can lead.
func (c leadCommand) choose(ctx context.Context, e env, r *remote) (string, error) {
	s, err := terminals.GetSession.Do(ctx, r, terminals.Everything, target(c.Session))
	if err != nil {
		return "", err
	}
	own, names := terminalName(e.In), []string{}
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
