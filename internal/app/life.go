package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/install"
	"ui-mcp/internal/ui"
)

// Serve serves an app at a listener, which it owns from then on, even if it fails. stop ends the
// serving and returns when no request is being answered any more, or when ctx ends.
type Serve func(a *App, l net.Listener) (stop func(ctx context.Context) error, err error)

// running holds everything that exists only while the app runs.
type running struct {
	dir       string
	engine    *ui.Engine // nil before there is one, and while an app is checked
	url       string     // of the pages' endpoint, without a slash at the end
	agentPort int        // of the agent's endpoint
	endpoints []*endpoint
	listeners []net.Listener // those that are not served yet: of pages, then of the agent if it is new
	withdraw  func()         // undoes Options.Claim.Serve; nil before that

	topics topics
	last   *lastRun

	ctx    context.Context // ends when the app stops running
	cancel context.CancelFunc
	work   sync.WaitGroup // goroutines that scripts have started; see begin

	mu       sync.Mutex // guards the fields below, and the start of work
	queues   map[string]*events.Queue
	bridges  map[string]*ui.Bridge                  // of the sessions
	reported map[[2]string]map[finding.Finding]bool // what the agent knows of checks, by session and app
}

func newRunning(dir string) *running {
	r := &running{dir: dir, queues: map[string]*events.Queue{}, bridges: map[string]*ui.Bridge{}, reported: map[[2]string]map[finding.Finding]bool{}}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

type endpoint struct {
	addr net.Addr
	stop func(context.Context) error
}

// closeGrace is how long requests that are being answered may take when their endpoint closes.
const closeGrace = 5 * time.Second

func (e *endpoint) close(log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	if err := e.stop(ctx); err != nil {
		log.Warn("requests were cut off", "error", err)
	}
}

// Start takes the app from CONFIGURED to RUNNING and returns the URL of its pages, for the person's
// browser. Without given ports, it takes the last run's if they are free. Sessions
// display what they displayed then as soon as somebody asks for them; the default one at once.
func (a *App) Start(ctx context.Context) (url string, err error) {
	a.change.Lock()
	defer a.change.Unlock()
	state, dir, r := a.now()
	if r != nil {
		url = a.opts.Link(r.url)
	}
	if err := state.checkStart(url); err != nil {
		return "", err
	}
	select {
	case <-a.ended: // until then the previous run may still have the ports
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	r = newRunning(dir)
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
	r.last = a.readLastRun(dir)
	if err = a.openPorts(r); err != nil { // before there are sessions, whose scripts may ask for the ports
		return "", err
	}
	o := a.engineOptions(set)
	o.Dir, o.Log = dir, a.opts.Log
	if o.Project, err = install.Project(dir); err != nil {
		return "", err
	}
	o.Setup = func(b *ui.Bridge) error { return a.setUp(r, b) }
	o.Changed, o.First, o.DisplayNew = a.mayHaveChanged, r.last.first, a.opts.DisplayNew
	o.Displayed = func(session, app string) { a.rememberDisplayed(r, session, app) }
	o.Announce = func(n ui.Announcement) { a.announce(r, n) }
	r.engine = ui.NewEngine(o)
	if _, err = r.engine.Open(ctx, DefaultSession); err != nil {
		return "", err
	}
	if err = a.openEndpoints(r); err != nil {
		return "", err
	}
	for _, s := range a.opts.Claim.OthersIn(dir) {
		a.opts.Log.Warn("another server runs the same base directory: each has its own sessions and events",
			"dir", dir, "pid", s.PID, "url", "http://"+s.Pages)
	}
	return a.opts.Link(r.url), nil
}

// openPorts opens the ports. Clients that connect wait until openEndpoints serves them.
func (a *App) openPorts(r *running) error {
	pages, err := OpenPort(a.opts.UIPort, r.last.UIPort, "--port")
	if err != nil {
		return err
	}
	r.listeners = append(r.listeners, pages)
	r.url = "http://" + pages.Addr().String()
	if a.agent != nil {
		r.agentPort = portOf(a.agent.addr)
		return nil
	}
	agent, err := OpenPort(a.opts.MCPPort, r.last.MCPPort, "--mcp-port")
	if err != nil {
		return err
	}
	r.listeners = append(r.listeners, agent)
	r.agentPort = portOf(agent.Addr())
	return nil
}

// portOf returns the port of an address, or 0 if it has none.
func portOf(addr net.Addr) int {
	if tcp, ok := addr.(*net.TCPAddr); ok {
		return tcp.Port
	}
	return 0
}

// openEndpoints lets pages and agents in. The app is RUNNING as soon as the first of them can ask.
func (a *App) openEndpoints(r *running) error {
	a.mu.Lock()
	a.running = r
	a.mu.Unlock()
	pages, err := a.serve(r, a.opts.ServePages)
	if err != nil {
		return err
	}
	r.endpoints = append(r.endpoints, pages)
	agent := a.agent
	if agent == nil {
		if agent, err = a.serve(r, a.opts.ServeAgent); err != nil {
			return err
		}
		if a.opts.KeepAgent {
			a.agent = agent
		} else {
			r.endpoints = append(r.endpoints, agent)
		}
	}
	if r.withdraw, err = a.opts.Claim.Serve(r.dir, pages.addr, agent.addr); err != nil {
		return err
	}
	a.remember(r, func(last *lastRun) { last.UIPort, last.MCPPort = portOf(pages.addr), r.agentPort })
	return nil
}

func (a *App) serve(r *running, serve Serve) (*endpoint, error) {
	l := r.listeners[0]
	r.listeners = r.listeners[1:]
	stop, err := serve(a, l)
	if err != nil {
		return nil, err
	}
	return &endpoint{l.Addr(), stop}, nil
}

// end takes apart what Start has put together, as far as it came.
func (a *App) end(r *running) {
	if r.withdraw != nil {
		r.withdraw()
	}
	r.mu.Lock()
	for _, q := range r.queues {
		q.Close()
	}
	r.cancel() // with mu held: see begin
	r.mu.Unlock()
	var wg sync.WaitGroup
	for _, l := range r.listeners {
		if err := l.Close(); err != nil {
			a.opts.Log.Warn("a port did not close", "error", err)
		}
	}
	for _, e := range r.endpoints {
		wg.Go(func() { e.close(a.opts.Log) })
	}
	wg.Wait()
	r.work.Wait()
	if r.engine != nil {
		r.engine.Close()
	}
}

// begin runs f on a goroutine of its own, for which end waits. It reports false, and does nothing,
// once the run is ending: scripts run a little longer.
func (r *running) begin(f func()) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ctx.Err() != nil {
		return false
	}
	r.work.Go(f)
	return true
}

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

// writable checks that the base directory takes what a running app writes, and makes its log
// folder.
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
