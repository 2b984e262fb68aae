package uimcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/cli/join"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	sockets "ui-mcp/internal/listen"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/mcpterm"
)

// A joining connects an MCP client to the server of a project, again and again.
type joining struct {
	finder *join.Finder
	flags  []string // of a server that is started
	errs   io.Writer
	log    *slog.Logger

	mu    sync.Mutex // guards the fields below
	dir   string
	was   string // the ID of the last server
	state string // of its app
	moved string // to dir: what to tell the server there, or ""
}

// join connects to the server of a project, which it starts if need be, and forwards messages until
// the input ends or ctx is done.
func (c mcpCommand) join(ctx context.Context, e env) error {
	log := e.logger(c.LogLevel)
	vars := environ.Variables(os.Environ())
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return err
	}
	folder, err := projectFolder(vars, dir, log)
	if err != nil {
		log.Warn("clients of this project cannot share a server: this one has its own", "error", err)
		return c.runOwn(ctx, e)
	}
	j := &joining{dir: dir, errs: e.Err, log: log}
	j.flags = serverCommand(c.Linger, c.LogLevel, c.luaFlags, c.toolsFlags)
	j.finder = &join.Finder{Vars: vars, Folder: folder, Log: log, Path: joinPath, Protocol: joinProtocol, Header: http.Header{
		toolsetsHeader: {url.QueryEscape(joinToolsets(c.toolsets()))}, flagsHeader: {url.QueryEscape(string(jsonrpc.MustMarshal(sharedFlags(c.luaFlags, c.toolsFlags))))}, dirHeader: {url.QueryEscape(mcpterm.WorkingDir())}, versionHeader: {url.QueryEscape(e.version)},
	}}
	j.finder.Entered = func(h http.Header) error {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.was, j.moved = h.Get(serverHeader), ""
		return nil
	}
	j.finder.Ending = func(h http.Header) {
		if state := h.Get(stateHeader); state != "" {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.state = state // also if this attempt fails
			j.finder.Header.Set(stateHeader, state)
		}
	}
	j.finder.Refused = refusedByVersion
	err = mcpbridge.Serve(ctx, mcpbridge.Options{
		In: e.In, Out: e.Out, Log: log, Connect: j.connect, Own: j.own, Drain: c.drain(),
		Early:  true, // so that the bundled files are there, and a mistake is told at once
		Shared: true,
	})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// projectFolder returns the runtime folder, if the server of a project can have a socket there.
func projectFolder(vars environ.Variables, dir string, log *slog.Logger) (*instance.Folder, error) {
	folder, err := instance.Open(vars, log)
	if err == nil && sockets.Excess(folder.File(discovery.ProjectName(dir), ".sock")) > 0 {
		err = errors.New("the path of the runtime folder is too long for sockets")
	}
	return folder, err
}

// serverCommand returns the command line that starts the server of a project, but for --dir.
func serverCommand(linger time.Duration, level logLevel, lua luaFlags, tools toolsFlags) []string {
	return append([]string{"mcp", "--serving", "--linger=" + linger.String(), "--log-level=" + strings.ToLower(slog.Level(level).String()), "--toolsets=" + joinToolsets(tools.Toolsets)}, sharedFlags(lua, tools)...)
}

// serverOptions say how to start the server of a project.
func serverOptions(folder *instance.Folder, dir string, command []string) instance.Options {
	name := discovery.ProjectName(dir)
	return instance.Options{Name: name, Socket: folder.File(name, ".sock"), Dir: mcpterm.WorkingDir(), Command: append(slices.Clip(command), "--dir", dir)}
}

// refusedByVersion implements [join.Finder].
func refusedByVersion(context.Context, int) error {
	return fault.New(fault.Precondition, "the server of this project has another version, which this one cannot join: end its clients, or use \"ui-mcp mcp --own\" for a server apart from it")
}

// splitToolsets is the opposite of joinToolsets.
func splitToolsets(names string) (toolsets []toolset) {
	for name := range strings.SplitSeq(names, ",") {
		toolsets = append(toolsets, toolset(name))
	}
	return toolsets
}

func joinToolsets(toolsets []toolset) string {
	var names []string
	for _, t := range toolsets {
		names = append(names, string(t))
	}
	return strings.Join(names, ",")
}

func (j *joining) connect(ctx context.Context) (io.ReadWriteCloser, error) {
	j.mu.Lock()
	h := j.finder.Header
	h.Del(movedHeader)
	if j.moved != "" {
		h.Set(movedHeader, url.QueryEscape(j.moved))
	}
	h.Set(wasHeader, j.was)
	h.Set(stateHeader, j.state)
	j.finder.Options = serverOptions(j.finder.Folder, j.dir, j.flags)
	j.mu.Unlock()
	return j.finder.Connect(ctx)
}

// own takes what the server tells this program.
func (j *joining) own(method string, params json.RawMessage) {
	switch method {
	case ownLogMethod:
		var line string
		_ = json.Unmarshal(params, &line) // then it is empty
		fmt.Fprintln(j.errs, line)
	case ownStateMethod:
		j.mu.Lock()
		defer j.mu.Unlock()
		_ = json.Unmarshal(params, &j.state) // then it stays
	case mcpbridge.FarewellMethod:
		var to move
		_ = json.Unmarshal(params, &to) // then it says nothing
		if to.Dir != "" {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.dir, j.moved, j.state = to.Dir, string(jsonrpc.MustMarshal(to.Moved)), ""
		}
	}
}
