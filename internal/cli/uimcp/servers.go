package uimcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/peer"
)

// maxAnswer bounds one answer, in bytes. 10,000 events of a kilobyte each fit.
const maxAnswer = 64 << 20

var (
	// errAway means that no server answers: it was not started, or has ended.
	errAway = errors.New("no server answers")
	// errEnded is an errAway from a server that had accepted the request.
	errEnded = fmt.Errorf("%w any more", errAway)
)

// serverFlags choose a running server.
type serverFlags struct {
	dirFlag
	MCPPort uint16 `name:"mcp-port" placeholder:"PORT" help:"Which server, by its MCP port, if several run in DIR (default: the newest)."`
}

// A client finds the servers that run the app of a base directory, and sends them requests. It is
// safe for concurrent use.
type client struct {
	dir        string
	chosen     uint16 // the only server to find, or 0
	registry   *discovery.Registry
	registered bool // the port file, which others may have written, does not count
	http       *http.Client
}

// answerTime is how long a server may take to begin an answer that waits for nobody. Its session
// may be running the app's Lua, and others may be waiting for that.
const answerTime = 30 * time.Second

// client returns a client. begin is how long an answer may take to begin; 0: for ever.
func (f serverFlags) client(begin time.Duration) *client {
	return &client{dir: f.Dir, chosen: f.MCPPort, registry: discovery.View(os.Environ()), http: &http.Client{
		Transport:     &http.Transport{ResponseHeaderTimeout: begin}, // without a proxy: the servers are on this machine
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func loopback(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// one returns the newest server. If there are others, it writes to errs which one that is. Servers
// that are not in this user's registry are found by the port file. Without any, the error wraps
// errAway.
func (c *client) one(errs io.Writer) (discovery.Server, error) {
	running := slices.DeleteFunc(c.registry.ListIn(c.dir), func(s discovery.Server) bool { return s.Address == "" })
	port, file := int(c.chosen), filepath.Join(c.dir, discovery.AgentPortFile)
	if port == 0 && len(running) == 0 && !c.registered {
		port = discovery.ReadPort(file)
	}
	switch {
	case port != 0:
		for _, s := range c.registry.List() {
			if s.Address == loopback(port) {
				return s, nil
			}
		}
		return discovery.Server{Address: loopback(port)}, nil
	case len(running) == 0:
		return discovery.Server{}, fmt.Errorf("%w: no server runs in %s, and there is no port in %s", errAway, c.dir, file)
	}
	newest := running[len(running)-1]
	var others []string
	for _, s := range running[:len(running)-1] {
		others = append(others, s.Address)
	}
	if others != nil {
		fmt.Fprintf(errs, "ui-mcp: %d servers run in %s: asking the newest, at %s (others: %s); --mcp-port chooses another\n", len(running), c.dir, newest.Address, strings.Join(others, ", "))
	}
	return newest, nil
}

// do sends a request to a server, with a body in JSON unless that is nil. Errors that wrap errAway
// mean that nobody answers there.
func (c *client) do(ctx context.Context, method string, s discovery.Server, path string, query url.Values, accept string, body []byte) (*http.Response, error) {
	u := url.URL{Scheme: "http", Host: s.Address, Path: path, RawQuery: query.Encode()}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", accept)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if s.Token != "" {
		req.Header.Set("Authorization", "Bearer "+s.Token)
	}
	var conn net.Conn
	trace := &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) { conn = got.Conn }}
	res, err := c.http.Do(req.WithContext(httptrace.WithClientTrace(req.Context(), trace)))
	if err == nil && conn != nil { // it has said something, so its owner is known
		if whose, _ := peer.Lookup(conn.LocalAddr(), conn.RemoteAddr()); whose == peer.Foreign {
			return nil, errors.Join(fmt.Errorf("%w: a program of another user listens at %s", errAway, s.Address), res.Body.Close())
		}
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fault.New(fault.Timeout, "the server at %s does not answer: \"ui-mcp doctor\" says what to do", s.Address)
	}
	if err != nil {
		return nil, lost(req.Context(), s.Address, err)
	}
	return res, nil
}

type answer struct {
	status int
	body   []byte
}

// get requests a path of a server. Errors that wrap errAway mean that nobody answers there.
func (c *client) get(ctx context.Context, s discovery.Server, path string, query url.Values) (answer, error) {
	res, err := c.do(ctx, http.MethodGet, s, path, query, "application/json", nil)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	return read(ctx, s, res)
}

// read reads a whole answer.
func read(ctx context.Context, s discovery.Server, res *http.Response) (answer, error) {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	switch {
	case err != nil:
		return answer{}, lost(ctx, s.Address, err)
	case len(body) > maxAnswer:
		return answer{}, fault.New(fault.Exhausted, "the server's answer is longer than %d MiB", maxAnswer>>20)
	}
	return answer{res.StatusCode, body}, nil
}

// lost returns the error for a connection that failed.
func lost(ctx context.Context, address string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	away := errEnded
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		away = errAway
	}
	_, port, splitErr := net.SplitHostPort(address)
	if splitErr != nil {
		port = address
	}
	return fmt.Errorf("%w at port %s: %w", away, port, err)
}

func (a answer) refusal() error {
	var body struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(a.body, &body) != nil || body.Error == "" {
		return fault.New(fault.Precondition, "the server answered %d %s", a.status, http.StatusText(a.status))
	}
	return fault.New(fault.Precondition, "the server answered: %s", strings.ReplaceAll(body.Error, "\n", ": "))
}

// ends reports whether the server is about to stop or restart: it answers, but has closed what it
// serves.
func (a answer) ends() bool {
	return a.status == http.StatusGone || a.status == http.StatusConflict || a.status == http.StatusServiceUnavailable
}

// print requests a path once and writes the answer.
func (f serverFlags) print(ctx context.Context, e env, path string, query url.Values) error {
	c := f.client(answerTime)
	defer c.http.CloseIdleConnections()
	var a answer
	s, err := c.one(e.Err)
	if err == nil {
		a, err = c.get(ctx, s, path, query)
	}
	switch {
	case errors.Is(err, errAway):
		return notRunning(err)
	case err != nil:
		return err
	case a.status != http.StatusOK:
		return a.refusal()
	}
	_, err = fmt.Fprintf(e.Out, "%s\n", strings.TrimRight(string(a.body), "\n"))
	return err
}

// notRunning adds to an error what to do about a server that does not answer.
func notRunning(err error) error {
	return fault.New(fault.Precondition, "%v: start one with the tool ui_start, or with ui-mcp serve", err)
}

type sessionFlag struct {
	Session string `default:"1" placeholder:"ID" help:"The session (default: ${default})."`
}

type stateCommand struct {
	serverFlags
	sessionFlag
}

func (c stateCommand) run(ctx context.Context, e env) error {
	return c.print(ctx, e, "/state", url.Values{"session": {c.Session}})
}

type variablesCommand struct {
	serverFlags
	sessionFlag
}

func (c variablesCommand) run(ctx context.Context, e env) error {
	return c.print(ctx, e, "/variables.json", url.Values{"session": {c.Session}})
}
