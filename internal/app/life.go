package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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

// Serve serves an app at a listener, which it owns from then on, even if it fails. stop ends the serving
// and returns when no request is being answered any more, or when ctx ends.
type Serve func(a *App, l net.Listener) (stop func(ctx context.Context) error, err error)

// running is what there is only while the app runs.
type running struct {
	engine    *ui.Engine
	url       string // of the pages' door, without a slash at the end
	doors     []*door
	portFiles []string

	topics topics

	ctx    context.Context // ends when it does
	cancel context.CancelFunc
	work   sync.WaitGroup // what it has begun on other goroutines

	mu     sync.Mutex // guards the field below
	queues map[string]*events.Queue
}

// A door is a listener that is served.
type door struct {
	addr net.Addr
	stop func(context.Context) error
}

// closeGrace is how long requests that are being answered may take when their door closes.
const closeGrace = 5 * time.Second

func (d *door) close(log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if err := d.stop(ctx); err != nil {
		log.Warn("requests were cut off", "error", err)
	}
}

// Start takes the app from CONFIGURED to RUNNING and returns the URL of its pages.
func (a *App) Start(ctx context.Context) (url string, err error) {
	a.change.Lock()
	defer a.change.Unlock()
	state, dir, r := a.now()
	if r != nil {
		url = r.url
	}
	if err := state.start(url); err != nil {
		return "", err
	}
	select {
	case <-a.ended: // what ran before may have the ports still
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	r = &running{queues: map[string]*events.Queue{}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			a.mu.Lock()
			a.running = nil
			a.mu.Unlock()
			a.end(r)
		}
	}()
	set, err := readSettings(dir) // again: it may have been edited
	if err != nil {
		return "", err
	}
	o := a.engineOptions(set)
	o.Dir, o.Log = dir, a.opts.Log
	o.Setup = func(b *ui.Bridge) error { return a.setUp(r, b) }
	o.Changed = a.mayHaveChanged
	o.Announce = func(n ui.Announcement) { a.announce(r, n) }
	if r.engine, err = ui.NewEngine(o); err != nil {
		return "", err
	}
	if _, err = r.engine.Open(ctx, DefaultSession); err != nil {
		return "", err
	}
	if err = a.openDoors(dir, r); err != nil {
		return "", err
	}
	return r.url, nil
}

// openDoors lets pages and agents in. The app is RUNNING as soon as that can be.
func (a *App) openDoors(dir string, r *running) error {
	pages, err := listen(a.opts.UIPort)
	if err != nil {
		return err
	}
	r.url = "http://" + pages.Addr().String()
	agent := a.agent
	var agentListener net.Listener
	if agent == nil {
		if agentListener, err = listen(a.opts.MCPPort); err != nil {
			return errors.Join(err, pages.Close())
		}
	}
	a.mu.Lock()
	a.running = r
	a.mu.Unlock()
	stop, err := a.opts.ServePages(a, pages)
	if err != nil {
		if agentListener != nil {
			err = errors.Join(err, agentListener.Close())
		}
		return err
	}
	r.doors = append(r.doors, &door{pages.Addr(), stop})
	if agent == nil {
		if stop, err = a.opts.ServeAgent(a, agentListener); err != nil {
			return err
		}
		agent = &door{agentListener.Addr(), stop}
		if a.opts.KeepAgent {
			a.agent = agent
		} else {
			r.doors = append(r.doors, agent)
		}
	}
	for name, addr := range map[string]net.Addr{"ui-port": pages.Addr(), "mcp-port": agent.addr} {
		file := filepath.Join(dir, name)
		if err := writePort(file, addr); err != nil {
			return err
		}
		r.portFiles = append(r.portFiles, file)
	}
	return nil
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
	r.cancel()
	var wg sync.WaitGroup
	for _, d := range r.doors {
		wg.Go(func() { d.close(a.opts.Log) })
	}
	wg.Wait()
	r.work.Wait()
	if r.engine != nil {
		r.engine.Close()
	}
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
