package wsh

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

type stopCommand struct {
	Yes bool `short:"y" help:"Do not ask."`
	jsonFlag
}

func (stopCommand) Help() string {
	return `Everything that runs in its sessions is killed. On a terminal, the command asks first while programs run, shells that wait for a command excepted. It returns when the server has ended.

    wsh stop
    wsh stop -L work --yes`
}

// stopTime is how long a server may take to end.
const stopTime = 30 * time.Second

func (c stopCommand) run(ctx context.Context, e env) error {
	return e.withAnyServer(ctx, func(r *remote, about terminals.ServerInfo) error {
		list, err := sessionsOf(ctx, r)
		if err != nil && about.Protocol == terminals.Protocol {
			return err
		}
		if busy := e.busyIn(ctx, r, ofHere(list)); len(busy) > 0 && !c.Yes {
			if err := e.confirm(ctx, "Stop the server? "+describeBusy(busy)); err != nil {
				return err
			}
		}
		if err := change(ctx, r, terminals.StopServer, terminals.None{}); err != nil {
			return err
		}
		if err := r.awaitEnd(ctx, about.ID); err != nil || !c.JSON {
			return err
		}
		return e.printJSON(map[string]bool{"stopped": true})
	})
}

// awaitEnd waits until the server with that ID has ended. Another one may have taken its name then.
func (r *remote) awaitEnd(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, stopTime, fault.New(fault.Timeout, "the server is stopping, but has not ended within %v", stopTime))
	defer cancel()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		_, published := r.find()
		var now terminals.ServerInfo
		err := r.Client.Do(ctx, terminals.Everything, &terminals.GetServer.Operation, terminals.None{}, &now)
		if err == nil && now.ID != id || fault.DetailOf(err) == noServer && !published {
			return nil
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
