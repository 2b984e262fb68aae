package wsh

import (
	"context"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals"
)

type persistCommand struct {
	State string `arg:"" optional:"" enum:",on,off" default:"" help:"on: the server stays until it is stopped; off: it ends when no program runs any more and it knows no other server. Left out: print which of the two holds."`
	caller.JSONFlag
}

func (c persistCommand) Run(ctx context.Context, e caller.Env) error {
	if c.State != "" {
		on := c.State == "on"
		return caller.Answer(ctx, e, c.JSONFlag, terminals.SetPersistence, terminals.NewPersistence{Persistent: &on}, nil)
	}
	return caller.Answer(ctx, e, c.JSONFlag, terminals.GetPersistence, terminals.None{}, func(stays terminals.Persistence) error {
		if stays.Persistent {
			return e.Printf("on\n")
		}
		return e.Printf("off\n")
	})
}
