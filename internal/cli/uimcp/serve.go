package uimcp

import (
	"context"
	"errors"
	"fmt"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
)

// run serves an app without an agent until ctx is done.
func (c serveCommand) run(ctx context.Context, e env) error {
	log := e.logger(c.LogLevel)
	p, err := newProgram(appConfig{
		Dir: c.Dir, Lua: c.luaFlags, Toolsets: c.Toolsets, Confirm: c.Confirm, MaxSessions: c.maxSessions(), AskPrompts: c.AskPrompts, UIPort: int(c.Port), MCPPort: int(c.MCPPort), KeepAgent: true,
		Version: e.version, Peer: e.peer, Log: log,
	})
	if err != nil {
		return err
	}
	defer p.Close()
	if _, err := p.Start(ctx); err != nil {
		return unlessStopped(ctx, err)
	}
	if c.Demo != "" {
		displayed, err := p.Display(ctx, app.DefaultSession, c.Demo)
		if err != nil {
			return unlessStopped(ctx, fault.Wrap(fault.KindOf(err), err, "cannot show %s", c.Demo))
		}
		for _, p := range displayed.Problems {
			log.Warn("problem in the demo", "problem", p)
		}
	}
	url, err := p.PageURL(app.DefaultSession)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(e.Out, "Serving %s\nOpen %s in your browser. Press Ctrl-C to stop.\n", c.Dir, url); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// unlessStopped returns err, or nil if the command was stopped, which is its normal end.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}
