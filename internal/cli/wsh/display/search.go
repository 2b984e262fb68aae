package display

import (
	"context"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type Search struct {
	Session    caller.SessionName `arg:"" help:"The session."`
	Text       string             `arg:"" optional:"" help:"The text to find."`
	Pattern    string             `short:"e" placeholder:"REGEXP" help:"A regular expression to find instead."`
	IgnoreCase bool               `short:"i" help:"Ignore the case of letters."`
	Limit      uint64             `short:"n" default:"1000" placeholder:"N" help:"Print at most N of the newest matches (default: ${default})."`
	caller.JSONFlag
}

func (c Search) Run(ctx context.Context, e caller.Env) error {
	if (c.Text == "") == (c.Pattern == "") {
		return fault.New(fault.Invalid, "what to find? Give either a text, or a regular expression with -e")
	}
	return e.WithServer(ctx, func(r *caller.Remote) error {
		found, raw, err := caller.Call(ctx, r, terminals.SearchScrollback, terminals.SearchQuery{
			Target: caller.Target(c.Session), Text: c.Text, Pattern: c.Pattern, IgnoreCase: c.IgnoreCase, Limit: &c.Limit, Newest: true,
		})
		if err != nil {
			return err
		}
		if c.JSON {
			err = e.PrintJSON(raw)
		}
		for _, m := range found.Matches {
			if err == nil && !c.JSON {
				err = e.Printf("%d:%s\n", m.First, m.Line)
			}
		}
		if err == nil && len(found.Matches) == 0 {
			err = &commandline.StatusError{Status: commandline.ExitFailure}
		}
		return err
	})
}
