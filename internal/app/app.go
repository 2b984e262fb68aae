// Package app is the hall of ui-mcp: the life cycle, and every operation once,
// whatever door it is asked at.
package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"sync"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/problem"
)

// DefaultSession is the session that is made at the start, and meant where none is named.
const DefaultSession = "1"

// Options are what an App is made of. From LuaTimeout to the ports, all may be left out.
type Options struct {
	// Dir is the base directory, absolute or relative to the working directory.
	Dir string
	// Source is what gets installed into a base directory that has nothing yet.
	Source install.Source
	// LuaTimeout is how long one entry into Lua may run; 0 means what the project's configuration says, or else
	// [DefaultLuaTimeout].
	LuaTimeout time.Duration
	// LuaMemory is how many bytes of Lua's a session may hold; 0 means what the project's configuration says, or else
	// the engine's default.
	LuaMemory int64
	// HTTP and Exec do what scripts ask for beside their session; nil switches them off.
	HTTP func(context.Context, ui.Request) (ui.Response, error)
	Exec func(context.Context, ui.Command) (ui.Result, error)
	// Ask asks the person a question of a script and returns the answer, both as JSON; the question is withdrawn when ctx
	// ends. An error says why there is no answer.
	Ask func(ctx context.Context, question json.RawMessage) (answer json.RawMessage, err error)
	// Unconfigured begins without a base directory, and leaves installing to the agent. Dir is then where
	// Install writes before there is one.
	Unconfigured bool
	// UIPort and MCPPort are the ports to listen at; 0 means any.
	UIPort, MCPPort int
	// ServePages serves the pages of a running app, and ServeAgent the agent's HTTP door.
	ServePages, ServeAgent Serve
	// KeepAgent keeps the agent's door open until Close, whatever state the app is in from Start on.
	KeepAgent bool
	// OpenURL opens the person's browser. It must not write to standard output.
	OpenURL func(url string) error
	Log     *slog.Logger
}

// An App is one ui-mcp server. It is safe for concurrent use.
type App struct {
	opts    Options
	version string

	change sync.Mutex      // held while the life cycle moves, so that one thing happens at a time
	ended  <-chan struct{} // closed when what ran before has ended; guarded by change
	agent  *door           // the agent's door, once it is open; guarded by change

	mu      sync.RWMutex // guards the fields below; never held while something else is done
	dir     string       // absolute; "" when UNCONFIGURED
	running *running     // nil unless RUNNING

	changed chan struct{} // see Changes
}

// New returns an app in the state CONFIGURED, whose base directory is prepared: what is missing there is
// installed. With Options.Unconfigured it is in the state UNCONFIGURED, and nothing is touched.
func New(opts Options) (*App, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err, "base directory %q", opts.Dir)
	}
	opts.Dir = dir
	version, err := install.Version(opts.Source.Readme)
	if err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	close(ended)
	a := &App{opts: opts, version: version, ended: ended, changed: make(chan struct{}, 1)}
	if opts.Unconfigured {
		return a, nil
	}
	if _, err := a.prepare(dir); err != nil {
		return nil, err
	}
	a.dir = dir
	return a, nil
}

// now is what the app is at this moment.
func (a *App) now() (state State, dir string, r *running) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	switch {
	case a.dir == "":
		return Unconfigured, "", nil
	case a.running == nil:
		return Configured, a.dir, nil
	}
	return Running, a.dir, a.running
}

// Dir is the base directory, or "" when there is none yet.
func (a *App) Dir() string {
	_, dir, _ := a.now()
	return dir
}

// Install writes the bundled files into the project; force overwrites whatever the versions are.
// claudeMD also adds the bundle's section to the project's CLAUDE.md.
func (a *App) Install(force, claudeMD bool) (install.Report, error) {
	dir := a.Dir()
	if dir == "" {
		dir = a.opts.Dir
	}
	return install.Install(install.Options{BaseDir: dir, Force: force, ClaudeMD: claudeMD, Source: a.opts.Source})
}

// runs returns what runs, or the error that every operation gives which needs it.
func (a *App) runs() (*running, error) {
	state, _, r := a.now()
	return r, state.needs(Running)
}

// open returns a session, which is made when there is none of that name.
func (a *App) open(ctx context.Context, id string) (*running, *ui.Session, error) {
	r, err := a.runs()
	if err != nil {
		return nil, nil, err
	}
	s, err := r.engine.Open(ctx, id)
	return r, s, err
}

// Ran is the outcome of Run.
type Ran struct {
	Result   json.RawMessage   // the chunk's first result
	Problems []problem.Problem // those that the agent has not been told of, the newest first
}

// Run runs Lua code in a session.
func (a *App) Run(ctx context.Context, session, code string) (Ran, error) {
	r, s, err := a.open(ctx, session)
	if err != nil {
		return Ran{}, err
	}
	if err := r.engine.CatchUp(ctx, false); err != nil {
		return Ran{}, err
	}
	var ran Ran
	ran.Problems, err = s.Ask(ctx, func(tx *ui.Tx) error {
		var err error
		ran.Result, err = tx.Run(code)
		return err
	})
	if err != nil {
		return Ran{}, err
	}
	return ran, nil
}

// Displayed is the outcome of Display.
type Displayed struct {
	URL      string            // of the page
	Problems []problem.Problem // all that there are in the session, the newest first
}

// Display shows an app in a session, loading it when it is not loaded yet.
func (a *App) Display(ctx context.Context, session, name string) (Displayed, error) {
	r, s, err := a.open(ctx, session)
	if err != nil {
		return Displayed{}, err
	}
	// An agent writes an app's files and displays it at once.
	if err := r.engine.CatchUp(ctx, true); err != nil {
		return Displayed{}, err
	}
	if _, err := s.Ask(ctx, func(tx *ui.Tx) error { return tx.Display(name) }); err != nil {
		return Displayed{}, err
	}
	problems, err := s.Problems(ctx)
	return Displayed{URL: r.pageURL(session), Problems: problems}, err
}

// Inspect tells in text what a person sees in a session.
func (a *App) Inspect(ctx context.Context, session string, what ui.Inspection) (string, error) {
	r, err := a.runs()
	if err != nil {
		return "", err
	}
	s, err := r.engine.Session(session)
	if err != nil {
		return "", err
	}
	if err := r.engine.CatchUp(ctx, false); err != nil {
		return "", err
	}
	return s.Inspect(ctx, what)
}

// Variables lists the variables of a session; see [ui.Session.Variables].
func (a *App) Variables(ctx context.Context, session, known string) (list json.RawMessage, version string, err error) {
	s, err := a.Session(session)
	if err != nil {
		return nil, "", err
	}
	return s.Variables(ctx, known)
}

// Opened is the outcome of OpenBrowser.
type Opened struct {
	URL    string
	Opened bool   // false: no browser could be started
	Reason string // why not, when Opened is false
}

// OpenBrowser opens the person's browser at a session's page. A machine without a
// browser is no failure: the person gets the URL.
func (a *App) OpenBrowser(ctx context.Context, session, path string, conserve bool) (Opened, error) {
	r, _, err := a.open(ctx, session)
	if err != nil {
		return Opened{}, err
	}
	url, err := pagePath(r.pageURL(session), path, conserve)
	if err != nil {
		return Opened{}, err
	}
	if err := a.opts.OpenURL(url); err != nil {
		return Opened{URL: url, Reason: err.Error()}, nil
	}
	return Opened{URL: url, Opened: true}, nil
}

// Session returns a session that exists; fault.NotFound when there is none.
func (a *App) Session(id string) (*ui.Session, error) {
	r, err := a.runs()
	if err != nil {
		return nil, err
	}
	return r.engine.Session(id)
}

// blocked is how long a wait lasts before pages are told of it: one that finds events at once is none.
const blocked = 50 * time.Millisecond

// Wait blocks until a session has events, takes them all, and gives them to deliver; see
// [events.Queue.Wait]. It lets pages follow when it has begun to wait and when it ends, since they may show whether
// the agent listens, and how many events wait.
func (a *App) Wait(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
	s, q, err := a.queue(session)
	if err != nil {
		return err
	}
	waits := time.AfterFunc(blocked, s.Refresh)
	defer s.Refresh()
	defer waits.Stop()
	return q.Wait(ctx, timeout, deliver)
}

func (a *App) queue(session string) (*ui.Session, *events.Queue, error) {
	r, err := a.runs()
	if err != nil {
		return nil, nil, err
	}
	s, err := r.engine.Session(session)
	if err != nil {
		return nil, nil, err
	}
	return s, r.queue(session), nil
}

// State is the displayed object of a session as JSON. Events that nobody has collected are under the key
// "$events"; a displayed value that is no object is then under "value".
func (a *App) State(ctx context.Context, session string) (json.RawMessage, error) {
	s, q, err := a.queue(session)
	if err != nil {
		return nil, err
	}
	var state json.RawMessage
	err = s.Do(ctx, func(tx *ui.Tx) error { state = tx.State(); return nil })
	if err != nil {
		return nil, err
	}
	return withEvents(state, q.Pending()), nil
}

// Changes gets a token when the state of the default session may have changed: one, however many
// transactions there were since the last was taken. It is for one reader.
func (a *App) Changes() <-chan struct{} { return a.changed }

func (a *App) mayHaveChanged(session string) {
	if session != DefaultSession {
		return
	}
	select {
	case a.changed <- struct{}{}:
	default: // there is one already
	}
}

// Close ends the app: listeners, sessions, port files. It waits for what is under way.
func (a *App) Close() {
	a.change.Lock()
	defer a.change.Unlock()
	a.move(a.Dir())
	<-a.ended
	if a.agent != nil {
		a.agent.close(a.opts.Log)
		a.agent = nil
	}
}
