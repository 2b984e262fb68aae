package wsh

import (
	"context"
	"time"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type stopCommand struct {
	Yes bool `short:"y" help:"Do not ask."`
	caller.JSONFlag
}

// stopTime is how long a server may take to end.
const stopTime = 30 * time.Second

func (c stopCommand) Run(ctx context.Context, e caller.Env) error {
	return e.WithAnyServer(ctx, func(r *caller.Remote, about terminals.ServerInfo) error {
		list, err := caller.SessionsOf(ctx, r)
		if err != nil && about.Protocol == terminals.Protocol {
			return err
		}
		if busy := busyIn(e, caller.OfHere(list)); busy != "" && !c.Yes {
			if err := confirm(ctx, e, "Stop the server? "+busy); err != nil {
				return err
			}
		}
		if err := caller.Change(ctx, r, terminals.StopServer, terminals.None{}); err != nil {
			return err
		}
		if err := awaitEnd(ctx, r, about.ID); err != nil || !c.JSON {
			return err
		}
		return e.PrintJSON(map[string]bool{"stopped": true})
	})
}

// awaitEnd waits until the server with that ID has ended. Another one may have taken its name then.
func awaitEnd(ctx context.Context, r *caller.Remote, id string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime, fault.New(fault.Timeout, "the server is stopping, but has not ended within %v", stopTime))
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		_, found := published(r)
		var now terminals.ServerInfo
		err := r.Client.Do(ctx, terminals.Everything, &terminals.GetServer.Operation, terminals.None{}, &now)
		if err == nil && now.ID != id || fault.DetailOf(err) == caller.NoServer && !found {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
