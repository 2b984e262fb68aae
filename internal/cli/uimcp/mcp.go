package uimcp

import (
	"context"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/app"
	"ui-mcp/internal/transport/mcpserver"
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
	p, err := newProgram(appConfig{Dir: c.Dir, Lua: c.luaFlags, Unconfigured: c.Unconfigured, Version: e.version, Log: log})
	if err != nil {
		return err
	}
	defer p.Close()
	// A chunk of Lua that runs when the input ends may use its time.
	drain := max(mcpserver.DefaultDrain, max(c.timeout(), app.DefaultLuaTimeout)+5*time.Second)
	return serveStdio(ctx, e, p.mcp, drain, log)
}

func serveStdio(ctx context.Context, e env, s *mcp.Server, drain time.Duration, log *slog.Logger) error {
	err := mcpserver.Serve(ctx, s, &mcpserver.Stdio{In: e.In, Out: e.Out, Log: log, Drain: drain})
	if ctx.Err() != nil {
		return nil
	}
	return err
}
