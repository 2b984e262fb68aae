package uimcp

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/install"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpui"
	"ui-mcp/web"
)

// An appConfig is what the flags say about the app.
type appConfig struct {
	Dir             string
	LuaTimeout      time.Duration
	UIPort, MCPPort int
	Version         string // as the linker set it
	Log             *slog.Logger
}

// A program is an app and the MCP server in front of it, whatever transports
// serve that.
type program struct {
	*app.App
	mcp *mcp.Server
}

// newProgram builds the app and what it needs. The caller must Close it.
func newProgram(c appConfig) (*program, error) {
	source, err := bundled()
	if err != nil {
		return nil, err
	}
	p := &program{}
	p.App, err = app.New(app.Options{
		Dir:        c.Dir,
		Source:     source,
		LuaTimeout: c.LuaTimeout,
		UIPort:     c.UIPort,
		MCPPort:    c.MCPPort,
		Serve: func(a *app.App, pages, agent net.Listener) (func(context.Context) error, error) {
			return serve(a, p.mcp, c, pages, agent)
		},
		OpenURL: openURL,
		Log:     c.Log,
	})
	if err != nil {
		return nil, err
	}
	p.mcp = newServer(p.App, c.Version, c.Log)
	return p, nil
}

// newServer returns the MCP server that has all tools.
func newServer(ops mcpui.Ops, linked string, log *slog.Logger) *mcp.Server {
	s := mcpserver.New(mcpserver.Options{
		Name:         "ui-mcp",
		Title:        "Live UI",
		Version:      version.Number(linked),
		Instructions: mcpui.Instructions,
		Logger:       log,
	})
	mcpui.Register(s, ops)
	return s
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
func serve(a *app.App, s *mcp.Server, c appConfig, pages, agent net.Listener) (func(context.Context) error, error) {
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
	overHTTP := mcpserver.NewHTTP(s, mcpserver.HTTPOptions{Log: c.Log})
	door := httpui.Serve(agent, guard.New(httpui.NewMCP(httpui.MCPOptions{
		App:    a,
		Routes: overHTTP.Routes(),
		Log:    c.Log,
	}), guard.Options{}), c.Log)
	return func(ctx context.Context) error {
		return errors.Join(ui.Close(ctx), overHTTP.Close(ctx), door.Close(ctx))
	}, nil
}
