package ui

import (
	"cmp"
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/hotload"
	"ui-mcp/internal/ui/lua/async"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/wire"
)

// Options configure an [Engine]. Fields are required unless they say otherwise.
type Options struct {
	// Dir is the base directory, absolute.
	Dir string
	// LuaTimeout is how long one entry into Lua may run.
	LuaTimeout time.Duration
	// ActTimeout is how long a page may take to act; 0 means 10 seconds.
	ActTimeout time.Duration
	Log        *slog.Logger
	// Setup finishes each new session, after its lua/main.lua has run: it must define the global
	// mcp, which pages display.
	Setup func(*Bridge) error
	// LuaMemory is how many bytes of Lua values a session may hold; 0 means
	// [lua.DefaultMemoryLimit].
	LuaMemory int64
	// Effects may be left out.
	async.Effects
	// Changed is called after each transaction, which may have changed the session's state. Like
	// Announce, it is called on the session's goroutine and must not block. It may be nil.
	Changed func(session string)
	// DisplayNew reports whether a session that displays nothing is to display an app as soon as
	// its files are written, and Displayed is called when a session displays another app.
	// Both are called on the session's goroutine, must not block and may be nil.
	DisplayNew func() bool
	Displayed  func(session, app string)
	// First returns the app that a new session displays, or "". It is called on a goroutine of its
	// own and may be nil.
	First func(session string) (app string)
	// Announce is called with errors that an agent should learn of without asking, each at most
	// once. It is called on a session's goroutine and must not block.
	Announce func(Announcement)

	trial   bool        // see Check
	owners  *keepOwners // of the files of kept objects
	uploads *uploads
}

// An Engine holds the sessions of one base directory. It is safe for concurrent use.
type Engine struct {
	opts    Options
	views   *views
	watcher *hotload.Watcher
	counts  counts

	mu       sync.Mutex // guards the fields below; never held while a session works
	sessions map[string]*opening
	closed   bool
	busy     sync.WaitGroup // set-ups; Add only with mu held and closed false
}

// An opening reserves a name for a session, which may still be being set up.
type opening struct {
	ready chan struct{} // closed when the set-up has ended; the other fields are final then
	err   error

	session *Session // guarded by the engine's mu; nil until the set-up starts
}

// counts are totals over all sessions. They can be read at any time.
type counts struct {
	pages      atomic.Int64 // connected
	sessions   atomic.Int64 // that have pages
	errors     atomic.Int64 // problems other than warnings
	references atomic.Int64 // that were given to elements

	notice atomic.Value // a string: see [Engine.Notify]
}

// maxSessions bounds how many sessions an engine has at once; each has a Lua VM.
const maxSessions = 256

// NewEngine loads the view definitions and starts to watch for changes. The caller must Close it.
func NewEngine(opts Options) *Engine {
	opts.owners = &keepOwners{dir: opts.Dir, names: map[string]*keepOwner{}}
	opts.uploads = newUploads(opts.Dir)
	e := &Engine{opts: opts, views: newViews(opts.Dir, opts.Log), sessions: map[string]*opening{}}
	e.watcher = hotload.New(hotload.Options{
		Roots: []string{
			filepath.Join(opts.Dir, "apps"),
			filepath.Join(opts.Dir, "lua"),
			filepath.Join(opts.Dir, "viewdefs"),
		},
		OnChange: e.changed,
		Log:      opts.Log,
	})
	e.views.load() // after the watcher has started, so that no change falls between the two
	return e
}

// Session returns the open session of that name, or fault.NotFound. A session that is still being
// set up is not open yet.
func (e *Engine) Session(id string) (*Session, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if o := e.sessions[id]; o != nil {
		select {
		case <-o.ready:
			return o.session, o.err
		default:
		}
	}
	return nil, fault.New(fault.NotFound, "there is no session %q", id)
}

// Open returns the session of that name, and sets it up if it does not exist. Concurrent callers
// get the same session, or the same error. A failed set-up frees the name. When ctx ends, Open
// returns its cause, but the set-up continues for other callers.
func (e *Engine) Open(ctx context.Context, id string) (*Session, error) {
	o, err := e.reserve(id)
	if err != nil {
		return nil, err
	}
	select {
	case <-o.ready:
		return o.session, o.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// reserve returns the opening of that name, and starts its set-up if it is a new one.
func (e *Engine) reserve(id string) (*opening, error) {
	if !validID(id) {
		return nil, fault.New(fault.Invalid, "%q cannot be the name of a session: use up to 64 letters, digits, - and _", id)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, errStopped
	}
	o := e.sessions[id]
	if o == nil {
		if len(e.sessions) >= maxSessions {
			return nil, fault.New(fault.Exhausted, "there are %d sessions already, which is the limit: use one of them; they end with ui_configure, or with the server", maxSessions)
		}
		o = &opening{ready: make(chan struct{})}
		e.sessions[id] = o
		e.busy.Go(func() { e.open(id, o) })
	}
	return o, nil
}

// open sets up a new session.
func (e *Engine) open(id string, o *opening) {
	s := newSession(id, e.opts, e.views, &e.counts)
	e.mu.Lock()
	o.session = s // files that change from now on reach it
	closed := e.closed
	e.mu.Unlock()
	if closed {
		s.interrupt()
	}
	err := s.Do(context.Background(), func(tx *Tx) error { return tx.state().setUp(e.opts.Setup) })
	if err != nil {
		s.close()
	} else if e.opts.First != nil {
		s.displayFirst(e.opts.First(id))
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch o.err = err; {
	case err != nil:
		delete(e.sessions, id)
		o.session = nil
	case e.closed:
		o.err = errStopped
	}
	close(o.ready)
}

// displayFirst displays an app, unless it is "". That it cannot be displayed is no reason not to
// open the session.
func (s *Session) displayFirst(app string) {
	if app == "" {
		return
	}
	if err := s.Do(context.Background(), func(tx *Tx) error { return tx.Display(app) }); err != nil {
		s.log.Warn("what the session displayed last cannot be displayed again", "app", app, "error", err)
	}
}

var errStopped = fault.New(fault.Gone, "the server has stopped")

// setUp runs main.lua, finishes the session, runs mcp.lua and the init.lua of each app, and shows
// the global mcp.
func (st *state) setUp(setup func(*Bridge) error) error {
	b := &Bridge{st.vm, st}
	// A mistake in the app's own files must not prevent the session, in which the person sees the
	// mistake and the agent fixes it.
	load := func(file string) {
		if err := b.Load(file); err != nil {
			st.fileFailed(st.vm.Key(filepath.Join(st.dir, filepath.FromSlash(file))), err)
		}
	}
	load("lua/main.lua")
	if err := setup(b); err != nil {
		return err
	}
	load("lua/mcp.lua")
	for _, app := range appFolders(st.dir) {
		load("apps/" + app + "/init.lua")
	}
	mcp := st.vm.Global("mcp")
	if mcp == nil {
		return fault.New(fault.Internal, "the session's set-up has defined no global mcp")
	}
	// main.lua runs before there is anything that could display its app.
	if v, err := st.vm.Field(mcp, "value"); err == nil && v == nil && st.vm.App() != nil && st.vm.App() != mcp {
		if err := st.vm.SetField(mcp, "value", st.vm.App()); err != nil {
			return err
		}
	}
	st.tree.SetRoot(mcp)
	return nil
}

// nameChars are what the names of sessions and apps consist of.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

func validID(id string) bool {
	return id != "" && len(id) <= 64 && strings.Trim(id, nameChars) == "" && id != "ws" // the path of WebSockets
}

// all returns the sessions, sorted by name. It includes those that are being set up: functions
// given to them run after the set-up.
func (e *Engine) all() []*Session {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make([]*Session, 0, len(e.sessions))
	for _, o := range e.sessions {
		if o.session != nil {
			out = append(out, o.session)
		}
	}
	slices.SortFunc(out, func(a, b *Session) int { return cmp.Compare(a.id, b.id) })
	return out
}

// CatchUp finds all changes of files that were saved before the call, which would otherwise be
// noticed a moment later: whatever sessions are asked next happens after they have applied them. It
// does not wait for that, since a session may be busy. Unless thorough is set, it leaves out the
// changes that the system does not report, as on network mounts, and costs much less when nothing
// has changed.
func (e *Engine) CatchUp(ctx context.Context, thorough bool) error {
	defer func() {
		for _, s := range e.all() {
			s.exec.Post(s.st.keeps.look)
		}
	}()
	return e.watcher.Look(ctx, thorough)
}

// Apply is [Engine.CatchUp], but waits until the sessions have applied what they did not know, as
// long as ctx lasts.
func (e *Engine) Apply(ctx context.Context) {
	if e.CatchUp(ctx, false) != nil {
		return
	}
	for _, s := range e.all() {
		_ = s.Do(ctx, func(*Tx) error { return nil }) // else it is busy, or has ended
	}
}

// Upload makes content the view definition of a type in a namespace. It takes precedence over files
// until a file of that name is saved. Pages of the session by display it when Upload returns, those
// of other sessions as soon as they are not busy. by is the agent's session, whose unreported
// problems are returned as by [Session.Ask].
func (e *Engine) Upload(ctx context.Context, by *Session, typ, namespace, content string) (key string, unreported []problem.Problem, err error) {
	if key, err = e.views.upload(typ, namespace, content); err != nil {
		return "", nil, err
	}
	for _, s := range e.all() {
		if s != by {
			s.Refresh()
		}
	}
	unreported, err = by.Ask(ctx, func(*Tx) error { return nil })
	return key, unreported, err
}

// Viewed is the number of sessions that a page is connected to.
func (e *Engine) Viewed() int { return int(e.counts.sessions.Load()) }

// Clients is the number of connected pages over all sessions.
func (e *Engine) Clients() int { return int(e.counts.pages.Load()) }

// Errors is the number of problems over all sessions, warnings excluded.
func (e *Engine) Errors() int { return int(e.counts.errors.Load()) }

// Notify displays a text for the person on every page, until another one replaces it; ""
// removes it. It returns at once.
func (e *Engine) Notify(text string) {
	e.counts.notice.Store(text)
	for _, s := range e.all() {
		s.exec.Post(func() {
			s.st.broadcast(wire.AppendNotice(nil, s.st.counts.noticed()))
		})
	}
}

func (c *counts) noticed() string {
	text, _ := c.notice.Load().(string)
	return text
}

func (e *Engine) stopping() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.closed
}

// grace is how long code that runs when the engine is closed may continue before it is interrupted.
const grace = time.Second

// Close ends every session and waits until all work has stopped, little more than a second whatever
// their scripts do.
func (e *Engine) Close() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	late := time.AfterFunc(grace, func() {
		for _, s := range e.all() {
			s.interrupt()
		}
	})
	defer late.Stop()
	e.watcher.Close()
	e.busy.Wait()
	sessions := e.all()
	for _, s := range sessions {
		s.close()
	}
	e.mu.Lock()
	clear(e.sessions)
	e.mu.Unlock()
}
