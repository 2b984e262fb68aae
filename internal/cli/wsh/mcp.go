package wsh

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"ui-mcp/internal/cli/instance"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/mcpbridge"
)

// An mcpCommand is "wsh mcp".
type mcpCommand struct {
	Bind      string `placeholder:"ADDRESS:PORT" help:"Where a server that is started listens (default: 127.0.0.1:8080, or any port if that is in use)."`
	TokenFile string `type:"path" placeholder:"FILE" help:"The token that a server that is started asks its clients for, in a file that only this user can read."`
	Config    string `type:"path" env:"WSH_CONFIG" placeholder:"FILE" help:"The configuration file of a server that is started."`
	LogLevel  level  `default:"warn" placeholder:"LEVEL" help:"What to log to standard error: debug, info, warn or error (default: ${default})."`
}

// run serves until the input ends or ctx is done.
func (c *mcpCommand) run(ctx context.Context, e env) error {
	log := slog.New(slog.NewTextHandler(e.Err, &slog.HandlerOptions{Level: c.LogLevel.Level}))
	folder, err := instance.Open(log)
	if err != nil {
		return err
	}
	options, err := c.options(e.where)
	if err != nil {
		return err
	}
	f := &finder{folder: folder, options: options, version: e.version, log: log}
	err = mcpbridge.Serve(ctx, mcpbridge.Options{In: e.In, Out: e.Out, Log: log, Connect: f.connect})
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// options say how to start a server.
func (c *mcpCommand) options(w where) (instance.Options, error) {
	o := instance.Options{Name: w.ServerName, Socket: w.Socket, Bind: c.Bind, Args: []string{"--bridged"}}
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
	// leaseTime is how long a server that answers may take to describe itself.
	leaseTime = 10 * time.Second
	// findTime is how long to look for a server while the one that was found is ending.
	findTime = 20 * time.Second
	// findPause is the pause between two attempts.
	findPause = 50 * time.Millisecond
	// maxAbout is how long a server's description may be, in bytes.
	maxAbout = 1 << 20
)

// A finder finds the server, or starts it.
type finder struct {
	folder  *instance.Folder
	options instance.Options
	version string // of this program
	log     *slog.Logger
}

// errEnding means that a server is about to end.
var errEnding = errors.New("the server is stopping")

// connect returns the running server, or one that it starts.
func (f *finder) connect(ctx context.Context) (*mcpbridge.Server, error) {
	limit := time.Now().Add(findTime)
	for {
		conn, started, err := f.folder.DialOrStart(ctx, f.options)
		if err != nil {
			return nil, err
		}
		f.log.Info("connected to a server", "name", f.options.Name, "started", started)
		s := f.newServer(conn)
		if err = s.enter(ctx); err == nil {
			return &mcpbridge.Server{URL: "http://localhost" + s.lease.BasePrefix + "/mcp", Client: &http.Client{Transport: s}, Close: s.close}, nil
		}
		s.close()
		if !errors.Is(err, errEnding) || time.Now().After(limit) {
			return nil, err
		}
		select {
		case <-time.After(findPause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// A server is one process to which the bridge is connected. It implements [http.RoundTripper] for
// requests to that process.
type server struct {
	finder    *finder
	transport *http.Transport
	ctx       context.Context // ends with the lease
	end       context.CancelFunc
	watching  sync.WaitGroup // watch; Add before enter returns
	lease     lease

	mu    sync.Mutex // guards first
	first net.Conn   // a connection that has not been used
}

func (f *finder) newServer(conn net.Conn) *server {
	s := &server{finder: f, first: conn}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.transport = &http.Transport{DialContext: s.dial, MaxIdleConnsPerHost: 64, DisableCompression: true}
	return s
}

// dial connects to the server. When that has ended there may be another one, which does not know
// this bridge.
func (s *server) dial(context.Context, string, string) (net.Conn, error) {
	s.mu.Lock()
	conn := s.first
	s.first = nil
	s.mu.Unlock()
	if conn != nil {
		return conn, nil
	}
	if s.ctx.Err() != nil {
		return nil, fault.New(fault.Gone, "the server has ended")
	}
	return s.finder.folder.Dial(s.finder.options.Name, s.finder.options.Socket)
}

// RoundTrip implements [http.RoundTripper].
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	if s.lease.Bridge != "" {
		r = r.Clone(r.Context())
		r.Header.Set(bridgeHeader, s.lease.Bridge)
	}
	return s.transport.RoundTrip(r)
}

// close ends the lease.
func (s *server) close() {
	s.end()
	s.watching.Wait()
	s.mu.Lock()
	if s.first != nil {
		_ = s.first.Close() // nothing was sent
		s.first = nil
	}
	s.mu.Unlock()
	s.transport.CloseIdleConnections()
}

// enter makes the server know this bridge, and checks that both speak the same protocol.
func (s *server) enter(ctx context.Context) error {
	tooLate := time.AfterFunc(leaseTime, s.end)
	defer tooLate.Stop()
	stop := context.AfterFunc(ctx, s.end)
	defer stop()
	if err := s.connect(); err != nil {
		return err
	}
	about, err := terminals.GetServer.Do(s.ctx, httpterm.NewClient(s.transport, "http://localhost"), terminals.Everything, terminals.None{})
	if fault.KindOf(err) == fault.Gone {
		return fmt.Errorf("%w: %w", errEnding, err)
	}
	if err != nil {
		return err
	}
	return checkProtocol(s.finder.options.Name, about, s.finder.version)
}

// connect takes the lease. An older server has none: it lives without regard to bridges.
func (s *server) connect() error {
	res, err := s.get(leasePath)
	switch {
	case err != nil:
		return err
	case res.StatusCode == http.StatusServiceUnavailable:
		return errors.Join(errEnding, res.Body.Close())
	case res.StatusCode != http.StatusOK:
		return res.Body.Close()
	}
	body := bufio.NewReader(io.LimitReader(res.Body, maxAbout))
	line, err := body.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s.lease)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("%w: %w", errEnding, err), res.Body.Close())
	}
	s.watching.Go(func() {
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, body) // until the server ends
		s.end()
	})
	return nil
}

func (s *server) get(path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodGet, "http://localhost"+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := s.transport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errEnding, err)
	}
	return res, nil
}
