package uimcp

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"time"

	uimcp "ui-mcp"
	"ui-mcp/bundle"
	"ui-mcp/internal/app"
	"ui-mcp/internal/install"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/httpui"
	"ui-mcp/web"
)

// An appConfig is what the flags say about the app.
type appConfig struct {
	Dir             string
	LuaTimeout      time.Duration
	UIPort, MCPPort int
	Log             *slog.Logger
}

// newApp builds the app and what it needs. The caller must Close it.
func newApp(c appConfig) (*app.App, error) {
	source, err := bundled()
	if err != nil {
		return nil, err
	}
	return app.New(app.Options{
		Dir:        c.Dir,
		Source:     source,
		LuaTimeout: c.LuaTimeout,
		UIPort:     c.UIPort,
		MCPPort:    c.MCPPort,
		Serve: func(a *app.App, pages, agent net.Listener) (func(context.Context) error, error) {
			return serve(a, c, pages, agent)
		},
		OpenURL: openURL,
		Log:     c.Log,
	})
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
	client, err := pageFiles()
	if err != nil {
		return nil, err
	}
	ui := httpui.Serve(pages, guard.New(httpui.NewUI(httpui.UIOptions{
		Sessions: httpui.LookupIn(a.Session),
		HTML:     filepath.Join(dir, "html"),
		Client:   client,
		Log:      c.Log,
	}), guard.Options{Links: true}), c.Log)
	mcp := httpui.Serve(agent, guard.New(httpui.NewMCP(httpui.MCPOptions{App: a, Log: c.Log}), guard.Options{}), c.Log)
	return func(ctx context.Context) error {
		return errors.Join(ui.Close(ctx), mcp.Close(ctx))
	}, nil
}

// pageFiles are the client of this build and the page that loads it, for base
// directories that have no html folder of their own, or one of another build.
func pageFiles() (fs.FS, error) {
	client, err := fs.Sub(web.Dist, "dist")
	if err != nil {
		return nil, err
	}
	page, err := fs.Sub(bundle.Files, "base/html")
	return layers{client, page}, err
}

// layers is file systems laid over each other: the first that has a file gives it.
type layers []fs.FS

// Open implements [fs.FS].
func (l layers) Open(name string) (fs.File, error) {
	for _, fsys := range l {
		f, err := fsys.Open(name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// ReadDir implements [fs.ReadDirFS].
func (l layers) ReadDir(name string) ([]fs.DirEntry, error) {
	var all []fs.DirEntry
	found := false
	for _, fsys := range l {
		entries, err := fs.ReadDir(fsys, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		found = found || err == nil
		for _, e := range entries {
			if !slices.ContainsFunc(all, func(a fs.DirEntry) bool { return a.Name() == e.Name() }) {
				all = append(all, e)
			}
		}
	}
	if !found {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}
