package uimcp

import (
	"context"
	"fmt"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
)

// run serves an app without an agent until ctx is done.
func (c serveCommand) run(ctx context.Context, e env) error {
	log := e.logger(c.LogLevel)
	p, err := newProgram(appConfig{
		Dir: c.Dir, Lua: c.luaFlags, UIPort: int(c.Port), MCPPort: int(c.MCPPort), KeepAgent: true,
		Version: e.version, Log: log,
	})
	if err != nil {
		return err
	}
	defer p.Close()
	url, err := p.Start(ctx)
	if err != nil {
		return err
	}
	if c.Demo != "" {
		shown, err := p.Display(ctx, app.DefaultSession, c.Demo)
		if err != nil {
			return fault.Wrap(fault.KindOf(err), err, "cannot show %s", c.Demo)
		}
		for _, p := range shown.Problems {
			log.Warn("problem in what is shown", "problem", p)
		}
	}
	if _, err := fmt.Fprintf(e.Out, "Serving %s\nOpen %s/%s/ in your browser. Press Ctrl-C to stop.\n", c.Dir, url, app.DefaultSession); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}
