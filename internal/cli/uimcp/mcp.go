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
	if c.Own || c.Unconfigured {
		return c.runOwn(ctx, e)
	}
	return c.join(ctx, e)
}

// config is what the flags say about the app.
func (c mcpCommand) config(e env, log *slog.Logger) appConfig {
	flags := c.appFlags
	flags.Toolsets = c.toolsets()
	return appConfig{env: e, appFlags: flags, Dir: c.Dir, Unconfigured: c.Unconfigured, Log: log}
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
func (f appFlags) drain() time.Duration {
	return max(mcpserver.DefaultDrain, max(given(f.LuaTimeout), app.DefaultLuaTimeout)+5*time.Second)
}

// shared are the flags that concern the server of a project, and not the client.
func (f appFlags) shared() (flags []string) {
	for _, flag := range []struct {
		given bool
		text  string
	}{
		{f.LuaTimeout != nil, fmt.Sprint("--lua-timeout=", given(f.LuaTimeout))},
		{f.LuaMemory != nil, fmt.Sprint("--lua-memory=", int64(given(f.LuaMemory)))},
		{f.NoHTTP, "--no-http"}, {f.NoExec, "--no-exec"},
		{f.Confirm != nil, fmt.Sprint("--confirm=", f.Confirm)},
		{f.AskPrompts != nil, fmt.Sprint("--ask-prompts=", given(f.AskPrompts))},
		{f.MaxSessions != nil, fmt.Sprint("--max-sessions=", given(f.MaxSessions))},
	} {
		if flag.given {
			flags = append(flags, flag.text)
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
	log := commandline.Logger(e.Err, c.LogLevel)
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
