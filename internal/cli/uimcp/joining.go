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
	"sync"
	"time"

	"ui-mcp/internal/app"
	"ui-mcp/internal/cli/commandline"
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

const (
	// joinPath is where commands join the server of a project, on its socket. The connection is
	// upgraded to one of messages, one a line: of MCP, or, with [hello.Ports], notifications alone.
	joinPath = "/project/join"
	// joinProtocol is what it is upgraded to. Another number is another agreement between the two.
	joinProtocol = "ui-mcp-project-3"
	// helloHeader has a [hello] in JSON, escaped as in a query.
	helloHeader = "Ui-Hello"
	// Headers of the answer: the ID of the server, or, where it ends, the state of its app.
	serverHeader, stateHeader = "Ui-Server", "Ui-State"

	ownLogMethod   = mcpbridge.OwnPrefix + "log"
	ownStateMethod = mcpbridge.OwnPrefix + "state" // of the app
)

// A hello is what a command tells the server of a project that it joins.
type hello struct {
	Version  string             `json:"version"`
	Dir      string             `json:"dir"` // where it works
	Toolsets []toolset          `json:"toolsets"`
	Flags    []string           `json:"flags"`           // of the server
	Was      string             `json:"was,omitempty"`   // the server that it was connected to before
	State    string             `json:"state,omitempty"` // of the app there
	Moved    *app.Configuration `json:"moved,omitempty"` // from another folder's server: what ui_configure is to return
	Ports    *wanted            `json:"ports,omitempty"` // it is "ui-mcp serve", and no agent
}

// A joining connects a command to the server of a project, again and again.
type joining struct {
	finder  *join.Finder
	command []string     // which starts the server, but for --dir
	become  func() error // see [instance.Options.Serve]
	errs    io.Writer

	mu    sync.Mutex // guards the fields below
	dir   string
	hello hello
}

// newJoining returns a joining for a base directory, unless its server can have no socket.
func newJoining(e env, dir string, h hello, command []string, log *slog.Logger) (*joining, error) {
	vars := environ.Variables(os.Environ())
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	folder, err := projectFolder(vars, dir, log)
	if err != nil {
		return nil, err
	}
	h.Version, h.Dir = e.version, mcpterm.WorkingDir()
	j := &joining{command: command, errs: e.Err, dir: dir, hello: h}
	j.finder = &join.Finder{Vars: vars, Folder: folder, Log: log, Path: joinPath, Protocol: joinProtocol}
	j.finder.Entered = func(h http.Header) error {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.hello.Was, j.hello.Moved = h.Get(serverHeader), nil
		return nil
	}
	j.finder.Ending = func(h http.Header) {
		j.mu.Lock()
		defer j.mu.Unlock()
		if state := h.Get(stateHeader); state != "" {
			j.hello.State = state // also if this attempt fails
			j.introduceLocked()
		}
	}
	j.finder.Refused = func(context.Context, int) error {
		return fault.New(fault.Precondition, "the server of this project has another version, which this one cannot join: end its clients, or use \"ui-mcp mcp --own\" for a server apart from it")
	}
	return j, nil
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
func (f appFlags) serverCommand(linger time.Duration, level logLevel) []string {
	command := []string{"mcp", "--serving", "--linger=" + linger.String(), "--log-level=" + string(level)}
	for _, t := range f.Toolsets {
		command = append(command, "--toolsets="+string(t))
	}
	return append(command, f.shared()...)
}

func (j *joining) introduceLocked() {
	j.finder.Header = http.Header{helloHeader: {url.QueryEscape(string(jsonrpc.MustMarshal(j.hello)))}}
}

// connect connects to the server, which it starts if need be.
func (j *joining) connect(ctx context.Context) (io.ReadWriteCloser, error) {
	j.mu.Lock()
	name := discovery.ProjectName(j.dir)
	j.finder.Options = instance.Options{
		Name: name, Socket: j.finder.Folder.File(name, ".sock"), Dir: j.hello.Dir, Command: append(slices.Clip(j.command), "--dir", j.dir), Serve: j.become,
	}
	j.introduceLocked()
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
		_ = json.Unmarshal(params, &j.hello.State) // then it stays
	case mcpbridge.FarewellMethod:
		var to app.Configuration
		_ = json.Unmarshal(params, &to) // then it says nothing
		if to.BaseDir != "" {
			j.mu.Lock()
			defer j.mu.Unlock()
			j.dir, j.hello.Moved, j.hello.State = to.BaseDir, &to, ""
		}
	}
}

// join connects to the server of a project, and forwards messages until the input ends or ctx is
// done.
func (c mcpCommand) join(ctx context.Context, e env) error {
	log := commandline.Logger(e.Err, c.LogLevel)
	j, err := newJoining(e, c.Dir, hello{Toolsets: c.toolsets(), Flags: c.shared()}, c.serverCommand(c.Linger, c.LogLevel), log)
	if err != nil {
		log.Warn("clients of this project cannot share a server: this one has its own", "error", err)
		return c.runOwn(ctx, e)
	}
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
