package uimcp

import (
	"context"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/mcpserver"
)

// run serves MCP on the standard streams until standard input ends or ctx is done, both of which
// are successes.
func (c mcpCommand) run(ctx context.Context, e env) error {
	release, err := reserve()
	if err != nil {
		return err
	}
	defer release()
	log := e.logger(c.LogLevel)
	p, err := newProgram(appConfig{Dir: c.Dir, Lua: c.luaFlags, Toolsets: c.Toolsets, Confirm: c.Confirm, MaxSessions: given(c.MaxSessions), AskPrompts: c.AskPrompts, Unconfigured: c.Unconfigured, PermissionTool: c.PermissionTool, Version: e.version, Peer: e.peer, Log: log})
	if err != nil {
		return err
	}
	defer p.Close()
	// Lua code that is running when the input ends may use its full time.
	drain := max(mcpserver.DefaultDrain, max(given(c.LuaTimeout), app.DefaultLuaTimeout)+5*time.Second)
	return serveStdio(ctx, p.mcp, &mcpserver.Stdio{In: e.In, Out: e.Out, Plain: mcppopup.Plain(p.popups.methods), Log: log, Drain: drain})
}

func serveStdio(ctx context.Context, s *mcpserver.Server, t *mcpserver.Stdio) error {
	err := mcpserver.Serve(ctx, s, t)
	if ctx.Err() != nil {
		return nil
	}
	return err
}
