// Package app is the life cycle of a ui-mcp server, and every operation on it: once, whichever
// transport calls it. It knows no transport; listeners are handed to functions that serve them.
//
// An [App] has a base directory and is configured, running, or, when asked for, unconfigured; a
// table says which operation each state allows, and Start opens the listeners that its [Options]
// make. It holds the ui.Engine of the present directory, the queue of events for the agent, and
// [Eyes], the browser that takes pictures. Operations find the session, run a transaction in it,
// and return what the caller may see. An operation that changes the state runs alone.
//
//	mcpui, httpui ── App.Run, Display, Inspect, ... ── State ── ui.Engine ── ui.Session
package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/events"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/install"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/wake"
)

// DefaultSession is the session that Start makes, and the session of callers that name none.
const DefaultSession = "1"

// Options are the dependencies and settings of an App. Everything from LuaTimeout to the ports may
// be left out.
type Options struct {
	// Dir is the base directory, absolute or relative to the working directory.
	Dir string
	// Source is what gets installed into a base directory that has nothing yet.
	Source install.Source
	// LuaTimeout is how long one entry into Lua may run; 0 means the time in the project's
	// configuration, or else [DefaultLuaTimeout].
	LuaTimeout time.Duration
	// LuaMemory is how many bytes the Lua values of a session may take; 0 means the size in the
	// project's configuration, or else the engine's default.
	LuaMemory int64
	// HTTP and Exec make requests and run programs for scripts; nil switches them off.
	HTTP func(context.Context, async.Request) (async.Response, error)
	Exec func(context.Context, lua.Command) (lua.Result, error)
	// Terminals returns the terminals that scripts may use, if they may run programs. It returns
	// nil until this process has some, and may be nil if it never has.
	Terminals func() async.Terminals
	// TerminalsURL returns the URL of the page with the terminals of this process, given that of
	// the pages, or "" until it has some. nil means that it never has.
	TerminalsURL func(pages string) string
	// Ask asks the person a question on behalf of a script and returns the answer, both as JSON;
	// the question is withdrawn when ctx ends. An error says why there is no answer.
	Ask func(ctx context.Context, question json.RawMessage) (answer json.RawMessage, err error)
	// Chat returns the conversation that displays sessions, or nil while there is none; it may be
	// nil.
	Chat func() Chat
	// Unconfigured starts without a base directory, and leaves installing to the agent. Until
	// Configure, Dir is where Install writes.
	Unconfigured bool
	// UIPort and MCPPort are the ports to listen at; 0 means the same port as in the last run, or
	// else any.
	UIPort, MCPPort int
	// DisplayNew reports whether a session that displays nothing is to display an app as soon as
	// its files are written; nil means never.
	DisplayNew func() bool
	// ServePages serves the pages of a running app, and ServeAgent the endpoint for agents.
	ServePages, ServeAgent Serve
	// KeepAgent keeps the agent's endpoint open from the first Start until Close, in every state.
	KeepAgent bool
	// Claim makes the running app known to other programs; nil means by its port files only.
	Claim *discovery.Claim
	// Link returns the URL of one of our pages in a form that the person's browser can open, once:
	// see gate.Tickets. nil means that every browser can.
	Link func(url string) string
	// Views returns how many views in conversations are connected; nil means none.
	Views func() int
	// Looker looks at pages, and Admit gives it a name of the pages' server under which it may look
	// at a session until leave is called. nil means that this server takes no pictures.
	Looker Looker
	Admit  func(session string) (host string, leave func())
	// OpenURL opens the person's browser. It must not write to standard output.
	OpenURL func(url string) error
	Log     *slog.Logger
}

// An App is one ui-mcp server. It is safe for concurrent use.
type App struct {
	opts    Options
	version string

	change sync.Mutex      // held while the state changes, so that one thing happens at a time
	ended  <-chan struct{} // closed when the previous run has ended; guarded by change
	agent  *endpoint       // the agent's, if it outlives runs and is open; guarded by change

	mu      sync.RWMutex    // guards the fields below; never held while another package is called
	dir     string          // absolute; "" when UNCONFIGURED
	running *running        // nil unless RUNNING
	changed []chan struct{} // see Changes
}

// New returns an app in the state CONFIGURED and prepares its base directory: the bundled files are
// installed if none are. With Options.Unconfigured it is in the state UNCONFIGURED, and nothing is
// touched.
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
	if opts.Claim == nil {
		opts.Claim = discovery.Alone(opts.Log)
	}
	if opts.Link == nil {
		opts.Link = func(url string) string { return url }
	}
	if opts.Views == nil {
		opts.Views = func() int { return 0 }
	}
	ended := make(chan struct{})
	close(ended)
	a := &App{opts: opts, version: version, ended: ended}
	if opts.Unconfigured {
		return a, nil
	}
	if _, err := a.prepare(dir); err != nil {
		return nil, err
	}
	a.dir = dir
	return a, nil
}

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

// Dir is the base directory, or "" while the app is unconfigured.
func (a *App) Dir() string {
	_, dir, _ := a.now()
	return dir
}

// Install writes the bundled files into the project; force overwrites whatever the versions are.
// claudeMD also adds the bundle's section to the project's CLAUDE.md; nil means so with
// Options.Unconfigured only.
func (a *App) Install(force bool, claudeMD *bool) (install.Report, error) {
	section := a.opts.Unconfigured
	if claudeMD != nil {
		section = *claudeMD
	}
	dir := a.Dir()
	if dir == "" {
		dir = a.opts.Dir
	}
	return install.Install(install.Options{BaseDir: dir, Force: force, ClaudeMD: section, Source: a.opts.Source})
}

// runs returns the running app, or the error of every operation that needs one.
func (a *App) runs() (*running, error) {
	state, _, r := a.now()
	return r, state.require(Running)
}

// open returns a session, and makes it when it does not exist.
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
	Problems []problem.Problem // those that were not reported to the agent yet, the newest first
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
	ran.Problems, err = s.Ask(ctx, func(tx *ui.Tx) (err error) {
		ran.Result, err = tx.Run(code)
		return err
	})
	return ran, err
}

// Displayed is the outcome of Display.
type Displayed struct {
	URL      string            // of the page
	Problems []problem.Problem // all problems of the session, the newest first

	unreported []problem.Problem // those that count as reported from now on
}

// Display displays an app in a session, and loads it when it is not loaded yet. When the answer is
// complete, the caller must call [App.Reported].
func (a *App) Display(ctx context.Context, session, name string) (Displayed, error) {
	r, s, err := a.open(ctx, session)
	if err != nil {
		return Displayed{}, err
	}
	// Agents display an app right after writing its files.
	if err := r.engine.CatchUp(ctx, true); err != nil {
		return Displayed{}, err
	}
	problems, unreported, err := s.AskAll(ctx, func(tx *ui.Tx) error { return tx.Display(name) })
	if err != nil {
		return Displayed{}, err
	}
	return Displayed{URL: a.opts.Link(pageURL(r.url, session)), Problems: problems, unreported: unreported}, nil
}

// Inspect describes as text what the person sees in a session.
func (a *App) Inspect(ctx context.Context, session string, what ui.Inspection) (string, error) {
	r, s, err := a.session(ctx, session)
	if err != nil {
		return "", err
	}
	if err := r.engine.CatchUp(ctx, false); err != nil {
		return "", err
	}
	return s.Inspect(ctx, what)
}

// Act does to an element what the person could; see [ui.Session.Act].
func (a *App) Act(ctx context.Context, session, ref string, input ui.Input) (ui.Acted, error) {
	r, s, err := a.session(ctx, session)
	if err != nil {
		return ui.Acted{}, err
	}
	if err := r.engine.CatchUp(ctx, false); err != nil {
		return ui.Acted{}, err
	}
	return s.Act(ctx, ref, input)
}

// Variables lists the variables of a session; see [ui.Session.Variables].
func (a *App) Variables(ctx context.Context, session, known string) (list json.RawMessage, version string, err error) {
	s, err := a.Session(ctx, session)
	if err != nil {
		return nil, "", err
	}
	return s.Variables(ctx, known)
}

// Opened is the outcome of OpenBrowser.
type Opened struct {
	URL    string
	Opened bool   // whether a browser was started
	Reason string // why not
}

// OpenBrowser opens the person's browser at a session's page. That there is no browser is not an
// error: the agent can give the person the URL.
func (a *App) OpenBrowser(ctx context.Context, session, path string, conserve bool) (Opened, error) {
	r, _, err := a.open(ctx, session)
	if err != nil {
		return Opened{}, err
	}
	url, err := pagePath(pageURL(r.url, session), path, conserve)
	if err != nil {
		return Opened{}, err
	}
	return a.openPage(url), nil
}

func (a *App) openPage(page string) Opened {
	url := a.opts.Link(page)
	if err := a.opts.OpenURL(url); err != nil {
		return Opened{URL: url, Reason: err.Error()}
	}
	return Opened{URL: page, Opened: true}
}

// noTerminals says how to get terminals in a process that may have some.
const noTerminals = "there are no terminals here: start ui-mcp with --toolsets ui,popup,terminal"

// terminalsPage returns the URL of the page with the terminals of this process, or "".
func (a *App) terminalsPage(r *running) string {
	if a.opts.TerminalsURL == nil {
		return ""
	}
	return a.opts.TerminalsURL(r.url)
}

// OpenTerminals opens the person's browser at the page with the terminals.
func (a *App) OpenTerminals(context.Context) (Opened, error) {
	r, err := a.runs()
	if err != nil {
		return Opened{}, err
	}
	page := a.terminalsPage(r)
	if page == "" {
		return Opened{}, fault.New(fault.Precondition, noTerminals)
	}
	return a.openPage(page), nil
}

// TerminalURL returns the URL of a terminal session's page for the person's browser, or "" while no
// such page is served.
func (a *App) TerminalURL(session string) string {
	r, err := a.runs()
	if err != nil {
		return ""
	}
	page := a.terminalsPage(r)
	if page == "" {
		return ""
	}
	return a.opts.Link(page + "s/" + url.PathEscape(session))
}

// PageURL returns the URL of a session's page, for the person's browser.
func (a *App) PageURL(session string) (string, error) {
	r, err := a.runs()
	if err != nil {
		return "", err
	}
	return a.opts.Link(pageURL(r.url, session)), nil
}

// Session returns a session that exists, or has displayed an app in the last run, or
// [fault.NotFound].
func (a *App) Session(ctx context.Context, id string) (*ui.Session, error) {
	_, s, err := a.session(ctx, id)
	return s, err
}

func (a *App) session(ctx context.Context, id string) (*running, *ui.Session, error) {
	r, err := a.runs()
	if err != nil {
		return nil, nil, err
	}
	s, err := r.engine.Session(id)
	if err != nil && r.last.first(id) != "" {
		s, err = r.engine.Open(ctx, id)
	}
	return r, s, err
}

// blocked is how long a wait lasts before pages are updated: one that finds events at once would
// only make them flicker.
const blocked = 50 * time.Millisecond

// Wait blocks until a session has events, takes the oldest of them, and passes them to deliver; see
// [events.Queue.Wait]. It updates the pages when it starts to block and when it ends, since they
// may show whether the agent listens and how many events are queued.
func (a *App) Wait(ctx context.Context, session string, timeout time.Duration, deliver func([]json.RawMessage) error) error {
	s, q, err := a.queue(ctx, session)
	if err != nil {
		return err
	}
	blocking := time.AfterFunc(blocked, s.Refresh)
	defer s.Refresh()
	defer blocking.Stop()
	return q.Wait(ctx, timeout, deliver)
}

func (a *App) queue(ctx context.Context, session string) (*ui.Session, *events.Queue, error) {
	r, s, err := a.session(ctx, session)
	if err != nil {
		return nil, nil, err
	}
	return s, r.queue(session), nil
}

// maxStateEvents bounds the events in a state, in bytes: a session may have far more of them than
// clients accept in one message.
const maxStateEvents = 1 << 20

// State returns the displayed object of a session as JSON. The oldest events that no agent has
// collected are under the key "$events", up to 1 MiB of them, and the number of all others under
// "$moreEvents"; a displayed value that is not an object, or uses these keys, is then under
// "value".
func (a *App) State(ctx context.Context, session string) (json.RawMessage, error) {
	s, q, err := a.queue(ctx, session)
	if err != nil {
		return nil, err
	}
	state, err := s.State(ctx)
	if err != nil {
		return nil, err
	}
	oldest, more := q.Oldest(maxStateEvents)
	return withEvents(state, oldest, more), nil
}

// Changes returns a channel that receives a token when the state of the default session may have
// changed: one token, however many transactions there were since the last one was taken.
func (a *App) Changes() <-chan struct{} {
	c := make(chan struct{}, 1)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changed = append(a.changed, c)
	return c
}

func (a *App) mayHaveChanged(session string) {
	if session != DefaultSession {
		return
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, c := range a.changed {
		wake.Up(c)
	}
}

// Close ends the app: its port files, listeners and sessions. It waits for running requests.
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
