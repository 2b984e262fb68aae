package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// Serve serves the pages at one listener and the agent's HTTP door at the other. It owns both
// listeners from then on, even if it fails. stop ends the serving and returns when no request is being
// answered any more, or when ctx ends.
type Serve func(a *App, pages, agent net.Listener) (stop func(ctx context.Context) error, err error)

// running is what there is only while the app runs.
type running struct {
	engine    *ui.Engine
	url       string // of the pages' door, without a slash at the end
	stop      func(context.Context) error
	portFiles []string

	topics topics

	mu     sync.Mutex // guards the field below
	queues map[string]*events.Queue
}

// closeGrace is how long requests that are being answered may take when the app ends.
const closeGrace = 5 * time.Second

// Start takes the app from CONFIGURED to RUNNING and returns the URL of its pages.
func (a *App) Start(ctx context.Context) (url string, err error) {
	a.change.Lock()
	defer a.change.Unlock()
	if r, err := a.runs(); err == nil {
		return "", fault.New(fault.Precondition, "Server already running: it is at %s", r.url)
	}
	r := &running{queues: map[string]*events.Queue{}}
	if r.engine, err = ui.NewEngine(ui.Options{
		Dir: a.dir, LuaTimeout: a.opts.LuaTimeout, LuaMemory: a.opts.LuaMemory, Log: a.opts.Log,
		HTTP: a.opts.HTTP, Exec: a.opts.Exec,
		Setup:    func(b *ui.Bridge) error { return a.setUp(r, b) },
		Announce: func(n ui.Announcement) { a.announce(r, n) },
	}); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			a.end(r)
		}
	}()
	if _, err = r.engine.Open(ctx, DefaultSession); err != nil {
		return "", err
	}
	pages, err := listen(a.opts.UIPort)
	if err != nil {
		return "", err
	}
	agent, err := listen(a.opts.MCPPort)
	if err != nil {
		return "", errors.Join(err, pages.Close())
	}
	r.url = "http://" + pages.Addr().String()
	// Requests may come as soon as it is served, so the app is RUNNING from here on.
	a.set(r)
	if r.stop, err = a.opts.Serve(a, pages, agent); err != nil {
		a.set(nil)
		return "", err
	}
	for name, l := range map[string]net.Listener{"ui-port": pages, "mcp-port": agent} {
		file := filepath.Join(a.dir, name)
		if err = writePort(file, l.Addr()); err != nil {
			a.set(nil)
			return "", err
		}
		r.portFiles = append(r.portFiles, file)
	}
	return r.url, nil
}

func (a *App) set(r *running) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running = r
}

// stop ends what runs, if anything does; change is held.
func (a *App) stop() {
	r, err := a.runs()
	if err != nil {
		return
	}
	a.set(nil)
	a.end(r)
}

// end takes apart what Start has put together, as far as it came.
func (a *App) end(r *running) {
	for _, f := range r.portFiles {
		if err := os.Remove(f); err != nil && !os.IsNotExist(err) {
			a.opts.Log.Warn("a port file stays behind", "error", err)
		}
	}
	r.mu.Lock()
	for _, q := range r.queues {
		q.Close()
	}
	r.mu.Unlock()
	if r.stop != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
		if err := r.stop(ctx); err != nil {
			a.opts.Log.Warn("requests were cut off", "error", err)
		}
		cancel()
	}
	r.engine.Close()
}

// queue returns the events of a session.
func (r *running) queue(session string) *events.Queue {
	r.mu.Lock()
	defer r.mu.Unlock()
	q := r.queues[session]
	if q == nil {
		q = events.New()
		r.queues[session] = q
	}
	return q
}

// listen opens a port on the loopback interface.
func listen(port int) (net.Listener, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		if port != 0 {
			return nil, fault.Wrap(fault.Precondition, err, "port %d is in use or not allowed: choose another one, or 0 for any", port)
		}
		return nil, fault.Wrap(fault.Exhausted, err, "no port can be opened")
	}
	return l, nil
}

// writePort writes the number of a port so that a reader sees all of it or none.
func writePort(file string, addr net.Addr) error {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return fault.New(fault.Internal, "%v is no TCP address", addr)
	}
	tmp := fmt.Sprintf("%s.%d", file, os.Getpid())
	err := os.WriteFile(tmp, []byte(strconv.Itoa(tcp.Port)+"\n"), 0o644)
	if err == nil {
		err = os.Rename(tmp, file)
	}
	return fault.Wrap(fault.Precondition, err, "the port cannot be written to %s", file)
}

// writable makes sure that the base directory takes what a running app writes, and makes its log folder.
func writable(dir string) error {
	logs := filepath.Join(dir, "log")
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return fault.Wrap(fault.Precondition, err, "the base directory %s cannot be used", dir)
	}
	f, err := os.CreateTemp(logs, ".writable-*")
	if err != nil {
		return fault.Wrap(fault.Precondition, err, "the base directory %s is not writable", dir)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
