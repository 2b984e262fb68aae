package uimcp

import (
	"context"
	"log/slog"
	"time"

	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpui"
)

// run serves MCP on the standard streams until standard input ends or ctx is
// done, either of which is a good end.
func (c mcpCommand) run(ctx context.Context, e env) error {
	release, err := reserve()
	if err != nil {
		return err
	}
	defer release()
	log := e.logger(c.LogLevel)
	a, err := newApp(appConfig{Dir: c.Dir, Lua: c.luaFlags, Unconfigured: c.Unconfigured, Log: log})
	if err != nil {
		return err
	}
	defer a.Close()
	// A chunk of Lua that runs when the input ends may use its time.
	drain := max(mcpserver.DefaultDrain, c.LuaTimeout+5*time.Second)
	return serveStdio(ctx, e, a, drain, log)
}

func serveStdio(ctx context.Context, e env, ops mcpui.Ops, drain time.Duration, log *slog.Logger) error {
	resources := mcpui.NewResources(ops)
	s := mcpserver.New(mcpserver.Options{
		Name:         "ui-mcp",
		Title:        "Live UI",
		Version:      version.Number(e.version),
		Instructions: mcpui.Instructions,
		Logger:       log,
		Tune:         resources.Tune,
	})
	mcpui.Register(s, ops)
	resources.Register(s)
	notify, stop := context.WithCancel(ctx)
	defer stop()
	go resources.Notify(notify, s)
	err := mcpserver.Serve(ctx, s, &mcpserver.Stdio{In: e.In, Out: e.Out, Log: log, Drain: drain})
	if ctx.Err() != nil {
		return nil
	}
	return err
}
