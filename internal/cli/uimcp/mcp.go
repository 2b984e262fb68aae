package uimcp

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/transport/mcppopup"
	"ui-mcp/internal/transport/mcpserver"
)

// run serves MCP on the standard streams until standard input ends or ctx is done, both of which
// are successes.
func (c mcpCommand) run(ctx context.Context, e env) error {
	if c.Serving {
		return c.serveProject(ctx, e)
	}
	e.Err = &commandline.Unread{To: e.Err}
	switch {
	case c.Own || c.Unconfigured:
		return c.runOwn(ctx, e)
	}
	return c.join(ctx, e)
}

// config is what the flags say about the app.
func (c mcpCommand) config(e env, log *slog.Logger) appConfig {
	tools := c.toolsFlags
	tools.Toolsets = c.toolsets()
	return appConfig{Dir: c.Dir, luaFlags: c.luaFlags, toolsFlags: tools, Unconfigured: c.Unconfigured, Version: e.version, Peer: e.peer, Log: log}
}

// toolsets are what the client gets.
func (c mcpCommand) toolsets() []toolset {
	if c.PermissionTool {
		return append(slices.Clip(c.Toolsets), permissionTool)
	}
	return c.Toolsets
}

// drain is how long calls may take after the input has ended: Lua code that is running then may use
// its full time.
func (c mcpCommand) drain() time.Duration {
	return max(mcpserver.DefaultDrain, max(given(c.LuaTimeout), app.DefaultLuaTimeout)+5*time.Second)
}

// sharedFlags are the flags that concern the server of a project, and not the client.
func sharedFlags(lua luaFlags, tools toolsFlags) (flags []string) {
	for _, f := range []struct {
		given bool
		text  string
	}{
		{lua.LuaTimeout != nil, fmt.Sprint("--lua-timeout=", given(lua.LuaTimeout))},
		{lua.LuaMemory != nil, fmt.Sprint("--lua-memory=", int64(given(lua.LuaMemory)))},
		{lua.NoHTTP, "--no-http"}, {lua.NoExec, "--no-exec"},
		{tools.Confirm != nil, fmt.Sprint("--confirm=", tools.Confirm)},
		{tools.AskPrompts != nil, fmt.Sprint("--ask-prompts=", given(tools.AskPrompts))},
		{tools.MaxSessions != nil, fmt.Sprint("--max-sessions=", given(tools.MaxSessions))},
	} {
		if f.given {
			flags = append(flags, f.text)
		}
	}
	return flags
}

// runOwn serves a client alone.
func (c mcpCommand) runOwn(ctx context.Context, e env) error {
	release, err := reserve()
	if err != nil {
		return err
	}
	defer release()
	log := e.logger(c.LogLevel)
	p, err := newProgram(c.config(e, log))
	if err != nil {
		return err
	}
	defer p.Close()
	return serveStdio(ctx, p.mcp, &mcpserver.Stdio{In: e.In, Out: e.Out, Plain: mcppopup.Plain(p.popups.methods), Log: log, Drain: c.drain()})
}

func serveStdio(ctx context.Context, s *mcpserver.Server, t *mcpserver.Stdio) error {
	err := mcpserver.Serve(ctx, s, t)
	if ctx.Err() != nil {
		return nil
	}
	return err
}
