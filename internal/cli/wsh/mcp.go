package wsh

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/client"
	"ui-mcp/internal/transport/mcpbridge"
	"ui-mcp/internal/transport/mcpterm"
	"ui-mcp/internal/wake"
)

// An mcpCommand is "wsh mcp".
type mcpCommand struct {
	Bind      string `placeholder:"ADDRESS:PORT" help:"Where a server that is started listens (default: 127.0.0.1:8080, or any port if that is in use)."`
	Token     string `placeholder:"TOKEN" help:"The token that a server that is started asks its clients for. The list of processes shows it: better use --token-file, or WSH_TOKEN."`
	TokenFile string `type:"path" placeholder:"FILE" help:"The token that a server that is started asks its clients for, in a file that only this user can read."`
	Config    string `type:"path" env:"WSH_CONFIG" placeholder:"FILE" help:"The configuration file of a server that is started."`

	Confirm *regexp.Regexp `placeholder:"PATTERN" help:"Ask the person before the agent enters a line that matches this regular expression, such as '\\bsudo\\b|\\brm -r'. A server that is started asks about all programs. It prevents accidents, and is not a security boundary."`

	LogLevel level `default:"warn" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

func (mcpCommand) Help() string {
	return `An MCP client starts this command. It forwards messages to the server, which it starts if none runs, and ends when its input does.

    claude mcp add wsh -- wsh mcp
    {"mcpServers": {"wsh": {"command": "wsh", "args": ["mcp"]}}}`
}

// run serves until the input ends or ctx is done.
func (c *mcpCommand) run(ctx context.Context, e env) error {
	log := commandline.Logger(e.Err, c.LogLevel.Level)
	options, err := c.options(e.where)
	if err != nil {
		return err
	}
	f := &finder{vars: e.vars, options: options, confirm: c.Confirm, version: e.version, log: log, path: bridgePath, protocol: bridgeProtocol, command: "wsh mcp"}
	err = mcpbridge.Serve(ctx, mcpbridge.Options{In: e.In, Out: e.Out, Log: log, Connect: f.connect})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// Validate is called by kong.
func (c *mcpCommand) Validate() error {
	if c.Confirm != nil && c.Confirm.String() == "" {
		return errors.New("--confirm is empty: give a regular expression")
	}
	if c.Token != "" && c.TokenFile != "" {
		return errors.New("give either --token or --token-file")
	}
	return nil
}

// options say how to start a server.
func (c *mcpCommand) options(w where) (instance.Options, error) {
	o := instance.Options{Name: w.ServerName, Socket: w.Socket, Bind: c.Bind, Token: c.Token, Args: []string{"--bridged"}}
	if c.Confirm != nil {
		o.Args = append(o.Args, "--confirm="+c.Confirm.String())
	}
	for flag, file := range map[string]string{"--token-file": c.TokenFile, "--config": c.Config} {
		if file == "" {
			continue
		}
		file, err := filepath.Abs(file)
		if err != nil {
			return o, fault.Wrap(fault.Precondition, err, "%s", flag)
		}
		o.Args = append(o.Args, flag, file)
	}
	return o, nil
}

const (
	// enterTime is how long a server that answers may take to let a bridge in.
	enterTime = 10 * time.Second
	// findTime is how long to look for a server while the one that was found is ending.
	findTime = 20 * time.Second
	// findPause is the pause between two attempts.
	findPause = 50 * time.Millisecond
)

// A finder finds the server, or starts it.
type finder struct {
	vars    environ.Variables
	folder  *instance.Folder // nil until it has been opened
	options instance.Options
	confirm *regexp.Regexp // which lines need permission, or nil
	version string         // of this program
	log     *slog.Logger
	// path and protocol say which connection of the server to use, and command which command does.
	path, protocol, command string
	// respects says to start no server if a client has stopped the last one.
	respects bool
}

// errEnding means that a server is about to end.
var errEnding = errors.New("the server is stopping")

// connect returns a connection to the running server, or to one that it starts. It must not be
// called concurrently.
func (f *finder) connect(ctx context.Context) (io.ReadWriteCloser, error) {
	if f.folder == nil {
		// Its error is the answer to calls: few clients show what a command writes before it ends.
		folder, err := instance.Open(f.vars, f.log)
		if err != nil {
			return nil, err
		}
		f.folder = folder
	}
	limit := time.Now().Add(findTime)
	for {
		conn, started, err := f.dial(ctx)
		if err != nil {
			return nil, err
		}
		f.log.Info("connected to a server", "name", f.options.Name, "started", started)
		entered, err := f.enter(ctx, conn)
		if err == nil {
			return entered, nil
		}
		err = errors.Join(err, conn.Close())
		if !errors.Is(err, errEnding) || time.Now().After(limit) {
			return nil, err
		}
		if err := wake.After(ctx, findPause); err != nil {
			return nil, err
		}
	}
}

func (f *finder) dial(ctx context.Context) (conn net.Conn, started bool, err error) {
	if f.respects && f.folder.WasStopped(f.options.Name) {
		conn, err := f.folder.Dial(f.options.Name, f.options.Socket)
		if fault.KindOf(err) == fault.NotFound {
			err = fault.New(fault.Precondition, "no server runs, since it was stopped with \"wsh stop\": a new session starts one")
		}
		return conn, false, err
	}
	return f.folder.DialOrStart(ctx, f.options)
}

// enter makes the server know this command, and checks that both speak the same protocol.
func (f *finder) enter(ctx context.Context, conn net.Conn) (io.ReadWriteCloser, error) {
	if err := conn.SetDeadline(time.Now().Add(enterTime)); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // conn is still open
	body := bufio.NewReader(conn)
	header := http.Header{"Connection": {"Upgrade"}, "Upgrade": {f.protocol}, dirHeader: {url.QueryEscape(mcpterm.WorkingDir())}}
	if f.confirm != nil {
		header.Set(confirmHeader, url.QueryEscape(f.confirm.String()))
	}
	res, err := get(conn, body, f.path, header)
	switch {
	case !stop():
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, f.unanswered(err)
	case res.StatusCode == http.StatusServiceUnavailable:
		return nil, errEnding
	case res.StatusCode != http.StatusSwitchingProtocols:
		return nil, f.refuse(ctx, res.StatusCode)
	}
	protocol, _ := strconv.Atoi(res.Header.Get(protocolHeader)) // 0 is no protocol
	if err := checkProtocol(f.options.Name, terminals.ServerInfo{Version: res.Header.Get(versionHeader), Protocol: protocol}, f.version); err != nil {
		return nil, err
	}
	if f.confirm != nil && res.Header.Get(confirmHeader) == "" {
		return nil, fault.New(fault.Precondition, "the server %q does not know --confirm: stop it, which ends its sessions, or name another one with -L", f.options.Name)
	}
	return readerConn{conn, body}, conn.SetDeadline(time.Time{})
}

// refuse returns why a server that does not know bridges cannot be used. status is its answer.
func (f *finder) refuse(ctx context.Context, status int) error {
	ctx, cancel := context.WithTimeout(ctx, enterTime)
	defer cancel()
	c := client.New(client.Options{Dial: func(context.Context) (net.Conn, error) {
		return f.folder.Dial(f.options.Name, f.options.Socket)
	}})
	defer c.Close(nil)
	about, err := terminals.GetServer.Do(ctx, c, terminals.Everything, terminals.None{})
	if err == nil {
		err = checkProtocol(f.options.Name, about, f.version)
	}
	if err == nil {
		err = fault.New(fault.Precondition, "the server %q does not know %s (status %d): stop it, or name another one with -L", f.options.Name, f.command, status)
	}
	return err
}

// unanswered returns why a request got no answer: the server is ending, unless it is stuck.
func (f *finder) unanswered(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(fault.Timeout, "the server %q does not answer: stop it, or name another one with -L", f.options.Name)
	}
	return fmt.Errorf("%w: %w", errEnding, err)
}

// get sends a request on a connection.
func get(conn net.Conn, body *bufio.Reader, path string, header http.Header) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header = header
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	return http.ReadResponse(body, req)
}
