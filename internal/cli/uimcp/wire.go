package uimcp

import (
	"context"
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
	Unconfigured    bool
	KeepAgent       bool
	Log             *slog.Logger
}

// newApp builds the app and what it needs. The caller must Close it.
func newApp(c appConfig) (*app.App, error) {
	source, err := bundled()
	if err != nil {
		return nil, err
	}
	opts := app.Options{
		Dir:          c.Dir,
		Source:       source,
		LuaTimeout:   c.Lua.LuaTimeout,
		LuaMemory:    int64(c.Lua.LuaMemory) << 20,
		UIPort:       c.UIPort,
		MCPPort:      c.MCPPort,
		Unconfigured: c.Unconfigured,
		ServePages: func(a *app.App, l net.Listener) (func(context.Context) error, error) {
			return servePages(a, l, c.Log)
		},
		ServeAgent: func(a *app.App, l net.Listener) (func(context.Context) error, error) {
			return serveAgent(a, l, c.Log)
		},
		KeepAgent: c.KeepAgent,
		OpenURL:   openURL,
		Log:       c.Log,
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

// servePages serves the pages, behind their guard.
func servePages(a *app.App, l net.Listener, log *slog.Logger) (func(context.Context) error, error) {
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return nil, err
	}
	page, err := fs.Sub(bundle.Files, "base/html")
	if err != nil {
		return nil, err
	}
	return httpui.Serve(l, guard.New(httpui.NewUI(httpui.UIOptions{
		Sessions: httpui.LookupIn(a.Session),
		HTML:     filepath.Join(a.Dir(), "html"),
		Client:   client,
		Fallback: page,
		Log:      log,
	}), guard.Options{Links: true}), log).Close, nil
}

// serveAgent serves the agent's HTTP door, behind its guard.
func serveAgent(a *app.App, l net.Listener, log *slog.Logger) (func(context.Context) error, error) {
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return nil, err
	}
	return httpui.Serve(l, guard.New(httpui.NewMCP(httpui.MCPOptions{App: a, Client: client, Log: log}), guard.Options{}), log).Close, nil
}
