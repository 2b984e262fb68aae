package uimcp

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/effect"
	"ui-mcp/internal/install"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/web"
)

// An appConfig is what the flags say about the app.
type appConfig struct {
	Dir             string
	Lua             luaFlags
	UIPort, MCPPort int
	Log             *slog.Logger
}

// newApp builds the app and what it needs. The caller must Close it.
func newApp(c appConfig) (*app.App, error) {
	source, err := bundled()
	if err != nil {
		return nil, err
	}
	opts := app.Options{
		Dir:        c.Dir,
		Source:     source,
		LuaTimeout: c.Lua.LuaTimeout,
		LuaMemory:  int64(c.Lua.LuaMemory) << 20,
		UIPort:     c.UIPort,
		MCPPort:    c.MCPPort,
		Serve: func(a *app.App, pages, agent net.Listener) (func(context.Context) error, error) {
			return serve(a, c, pages, agent)
		},
		OpenURL: openURL,
		Log:     c.Log,
	}
	if !c.Lua.NoHTTP {
		opts.HTTP = effect.HTTP(&http.Client{})
	}
	if !c.Lua.NoExec {
		opts.Exec = effect.Exec
	}
	return app.New(opts)
}

// bundled is what this program carries to be installed.
func bundled() (install.Source, error) {
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return install.Source{}, err
	}
	return install.Source{Files: bundle.Files, Client: client, Readme: uimcp.Readme}, nil
}

// serve serves the pages and the agent's HTTP door, each behind its guard.
func serve(a *app.App, c appConfig, pages, agent net.Listener) (func(context.Context) error, error) {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return nil, err
	}
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return nil, err
	}
	page, err := fs.Sub(bundle.Files, "base/html")
	if err != nil {
		return nil, err
	}
	ui := httpui.Serve(pages, guard.New(httpui.NewUI(httpui.UIOptions{
		Sessions: httpui.LookupIn(a.Session),
		HTML:     filepath.Join(dir, "html"),
		Client:   client,
		Fallback: page,
		Log:      c.Log,
	}), guard.Options{Links: true}), c.Log)
	mcp := httpui.Serve(agent, guard.New(httpui.NewMCP(httpui.MCPOptions{App: a, Log: c.Log}), guard.Options{}), c.Log)
	return func(ctx context.Context) error {
		return errors.Join(ui.Close(ctx), mcp.Close(ctx))
	}, nil
}
