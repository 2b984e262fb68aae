// Package registry holds terminal sessions by name: it creates and removes them, lets them linger
// when their program has ended, ends programs that are abandoned, and tells who watches. What goes
// on in a session it leaves to package term, of which it knows a [term.Session] and its Info.
//
//	Create → reserve a name → start → term.New ─→ entry ─→ Ended → lingers → removed
//	Relabel, Remove, IdleKill ────────────────────┘
//
// A [Registry] gives sessions their labels, and stores them only with its lock held, so that a name
// is never taken twice, and watchers ([Registry.Watch]) get all changes in order. The lock is not
// held while a session may wait.
package registry

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/mailbox"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/shell"
)

// The environment variables that tell programs the name that their session had when they started,
// and its [term.Session.ID], which stays true.
const (
	SessionVariable = "WSH_SESSION"
	IDVariable      = "WSH_SESSION_ID"
)

// Defaults.
const (
	DefaultCols, DefaultRows = 80, 24
	DefaultScrollback        = 10_000
	DefaultSessions          = 256
	DefaultClients           = 64
	DefaultRecordings        = 512 << 20 // bytes of the recordings that sessions keep, together
	DefaultLinger            = 10 * time.Minute
)

// Details of errors.
const (
	TooManySessions fault.Detail = "max_sessions_reached"
	CreateFailed    fault.Detail = "session_create_failed" // by no fault of the request
	Stopping        fault.Detail = "server_unavailable"    // the registry is being closed
	NotAllowed      fault.Detail = "not_allowed"           // the caller's rights do not cover the session
	NoSessions      fault.Detail = "no_sessions"           // to wait for
)

// Config configures a registry.
type Config struct {
	// Start starts a program; nil means [pty.Start].
	Start func(pty.Options) (term.Process, error)
	// Environ is the environment of programs before [pty.Environment] filters it.
	Environ []string
	// Variables are set for every program, and [SessionVariable] and [IDVariable] are.
	Variables map[string]string
	// Home is the directory in which programs start unless another is given.
	Home string
	// Shell is the person's shell; "" means /bin/sh, or cmd.exe on Windows.
	Shell string
	// Scripts make shells mark their prompts; nil leaves shells as they are.
	Scripts *shell.Scripts
	// Version is part of the terminal's name, for which programs can ask.
	Version string
	// Sessions is how many programs may run at once; 0 means DefaultSessions.
	Sessions int
	// Clients is how many clients may be attached to each session; 0 means DefaultClients.
	Clients int
	// Scrollback is how many lines sessions keep above the screen unless they say otherwise, 0 to
	// vt.MaxScrollback; nil means DefaultScrollback.
	Scrollback *int
	// PagesAsk says that questions with an ID reach pages in another way, so viewers in pages
	// display only others.
	PagesAsk bool
	// AskToType is [CreateOptions.AskToType] for all sessions.
	AskToType bool
	// Linger is how long a session can be read after its program has ended; 0 means DefaultLinger.
	// A negative duration removes it at once.
	Linger time.Duration
	// IdleKill is how long a program may be abandoned until it is killed: nobody is attached, and
	// there is no output and no input. Its session lingers. 0 means for ever.
	IdleKill time.Duration
	// Recordings is how many bytes kept recordings may have together; 0 means DefaultRecordings.
	Recordings int64
	// Archive, if not nil, makes a file for all that a session's program writes. It is called again
	// when a file is long enough, or could not be written.
	Archive func(name string) (record.File, error)
	Log     *slog.Logger
}

// A Registry holds sessions by name. The caller must Close it. Its methods may be called from
// anywhere. Those that change a session take the session and not its name, which another session
// may have by then.
type Registry struct {
	cfg   Config
	owner *term.Owner // of all sessions

	mu       sync.Mutex        // guards the fields below and stores of labels; never held while a session may wait
	entries  map[string]*entry // by [term.Session.ID]
	next     int               // the number to try first for a session without a name
	started  int               // sessions whose program was started so far
	changed  chan struct{}     // closed, and replaced, when the answer of Programs or a label changes
	watchers []*mailbox.Box[Event]
	// attendance is closed, and replaced, when a person is attached to a session.
	attendance chan struct{}
	closed     bool
	busy       sync.WaitGroup // creations and removals; Add only with mu held and closed false

	archiving sync.WaitGroup // parts of archives that are being closed
}

// An entry is a session, or one that is being created. Its program may run already then, and look
// for it.
type entry struct {
	id      string
	label   atomic.Pointer[label.Label]
	session *term.Session // nil while it is being created
	created chan struct{} // closed when the session can be found, or could not be created
	ended   time.Time     // when its program was recorded as ended, or zero
	linger  *time.Timer   // of an ended session
	idle    *time.Timer   // of a running session, if abandoned ones are killed
	// dependent and owner come from [CreateOptions].
	dependent bool
	owner     string
	command   bool // the program is a command, and not the person's shell
	named     bool // its creator has given it its name
}

// needed reports whether a server that ends by itself must not yet: the program runs, or it was a
// command, whose result was promised for as long as the session lingers. If its creator gave it no
// name, a person whose terminal displayed the end has got the result.
func (e *entry) needed() bool {
	return e.running() || e.command && !e.dependent && (e.named || !e.session.Witnessed())
}

// running reports whether the program runs or is being started. It agrees with
// [term.Session.Ended], which callers may have waited for before the registry records the end.
func (e *entry) running() bool {
	if e.session == nil {
		return true
	}
	select {
	case <-e.session.Ended():
		return false
	default:
		return true
	}
}

// New returns a registry without sessions.
func New(cfg Config) *Registry {
	cfg.Sessions = cmp.Or(cfg.Sessions, DefaultSessions)
	cfg.Clients = cmp.Or(cfg.Clients, DefaultClients)
	cfg.Recordings = cmp.Or(cfg.Recordings, DefaultRecordings)
	cfg.Linger = cmp.Or(cfg.Linger, DefaultLinger)
	if cfg.Shell == "" && runtime.GOOS == "windows" {
		cfg.Shell = "cmd.exe"
	}
	cfg.Shell = cmp.Or(cfg.Shell, "/bin/sh")
	if cfg.Start == nil {
		cfg.Start = func(o pty.Options) (term.Process, error) {
			p, err := pty.Start(o)
			if err != nil {
				return nil, err // not a Process that holds a nil pointer
			}
			return p, nil
		}
	}
	r := &Registry{cfg: cfg, entries: map[string]*entry{}, changed: make(chan struct{}), attendance: make(chan struct{})}
	r.owner = &term.Owner{
		Log: cfg.Log, Version: cfg.Version, Clients: cfg.Clients, PagesAsk: cfg.PagesAsk, Archive: cfg.Archive,
		Slots: term.NewSlots(runtime.GOMAXPROCS(0)), Recordings: record.NewBudget(cfg.Recordings), Archiving: &r.archiving,
		Changed: r.stateChanged, Ended: r.ended, Attended: r.attended,
	}
	return r
}

// Create starts a program in a new session. It replaces an ended session of the same name. It takes
// as long as the system does, such as for a program on a network drive.
func (r *Registry) Create(ctx context.Context, o CreateOptions) (*term.Session, error) {
	o.Scrollback = cmp.Or(o.Scrollback, r.cfg.Scrollback)
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	if err := term.ConfirmCommand(ctx, o.Command, o.Dir, o.Env); err != nil {
		return nil, err
	}
	e, err := r.reserve(o)
	if err != nil {
		return nil, err
	}
	defer r.busy.Done()
	s, err := r.start(e, o)
	var replaced *entry
	defer func() {
		if replaced != nil {
			replaced.session.Discard() // without the lock
		}
	}()
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.notifyLocked()
	defer close(e.created)
	delete(r.entries, e.id)
	if err != nil {
		return nil, err
	}
	if replaced = r.namedLocked(e.label.Load().Name); replaced != nil {
		r.forgetLocked(replaced)
	}
	r.entries[e.id] = e
	r.started++
	e.session = s
	if r.cfg.IdleKill > 0 {
		e.idle = time.AfterFunc(r.cfg.IdleKill, func() { r.killAbandoned(s) })
	}
	r.reportLocked(Created, s, e.label.Load())
	select {
	case <-s.Ended(): // before it was in the registry
		r.endedLocked(s)
	default:
	}
	return s, nil
}

// reserve takes a name for a session to be created, and adds to busy. The caller must end the
// creation.
func (r *Registry) reserve(o CreateOptions) (*entry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, errStopping()
	}
	if n := r.runningLocked(); n >= r.cfg.Sessions {
		return nil, fault.With(TooManySessions, fault.New(fault.Exhausted, "%d sessions are running, which is the limit: kill one first", n))
	}
	if own := r.countLocked(func(e *entry) bool { return e.owner == o.Owner && e.running() }); o.OwnerLimit > 0 && own >= o.OwnerLimit {
		return nil, fault.With(TooManySessions, fault.New(fault.Exhausted, "%d sessions of yours are running, as many as one client may have: kill those you no longer need first", own))
	}
	name := o.Name
	if name == "" {
		for name = strconv.Itoa(r.next); r.namedLocked(name) != nil; name = strconv.Itoa(r.next) {
			r.next++
		}
		r.next++
	} else if _, err := r.freeLocked(name, o.ReplaceTags); err != nil {
		return nil, err
	}
	e := &entry{id: newID(), created: make(chan struct{}), owner: o.Owner, dependent: o.Dependent, command: o.Command != "", named: o.Name != ""}
	e.label.Store(&label.Label{Name: name, Tags: o.Tags})
	r.entries[e.id] = e
	r.notifyLocked()
	r.busy.Add(1)
	return e, nil
}

// namedLocked returns the entry of that name, or nil: of two, the one that is being created.
func (r *Registry) namedLocked(name string) (found *entry) {
	for _, e := range r.entries {
		if e.label.Load().Name == name && (found == nil || e.session == nil) {
			found = e
		}
	}
	return found
}

// freeLocked makes sure that a name is free. It returns the ended session that has it, which may be
// replaced: with tags, only if it has such a tag.
func (r *Registry) freeLocked(name string, tags []string) (replaced *entry, err error) {
	e := r.namedLocked(name)
	if e != nil && (e.running() || tags != nil && !label.HaveCommon(e.label.Load().Tags, tags)) {
		return nil, fault.New(fault.Exists, "there is a session %q already: take another name, or kill that one", name)
	}
	return e, nil
}

func (r *Registry) runningLocked() int { return r.countLocked((*entry).running) }

// countLocked returns how many entries there are for which the function reports true.
func (r *Registry) countLocked(which func(*entry) bool) (n int) {
	for _, e := range r.entries {
		if which(e) {
			n++
		}
	}
	return n
}

// start starts a program and creates the session of an entry.
func (r *Registry) start(e *entry, o CreateOptions) (*term.Session, error) {
	o.Dir = cmp.Or(o.Dir, r.cfg.Home)
	p := pty.Options{Dir: o.Dir, Cols: o.Cols, Rows: o.Rows}
	env := pty.Environment(r.cfg.Environ, o.Env)
	interactive := cmp.Or(o.Env["SHELL"], r.cfg.Shell) // the caller's, if it sends its environment
	how := r.howToStart(o.Command, interactive, env)
	p.Path, p.Args = how.Path, how.Args
	for _, own := range []map[string]string{how.Env, r.cfg.Variables, {SessionVariable: e.label.Load().Name, IDVariable: e.id}} {
		for name, value := range own {
			env = append(env, name+"="+value)
		}
	}
	p.Env = env
	process, err := r.cfg.Start(p)
	if err != nil {
		how.Discard()
		if fault.KindOf(err) == fault.Internal {
			err = fault.With(CreateFailed, err)
		}
		return nil, err
	}
	s, err := term.New(r.owner, term.Options{
		Options: core.Options{Interactive: o.Command == "", Creator: o.Creator, Cols: o.Cols, Rows: o.Rows},
		Process: process, ID: e.id, Label: &e.label, Command: cmp.Or(o.Command, interactive), Dir: o.Dir, How: how,
		Scrollback: *o.Scrollback, Record: o.Record, Follow: o.Follow, AskToType: o.AskToType || r.cfg.AskToType,
	})
	if err != nil {
		return nil, errors.Join(err, process.Kill(0), process.Close())
	}
	return s, nil
}

// errStopping is the error of creations while the registry is being closed.
func errStopping() error {
	return fault.With(Stopping, fault.New(fault.Gone, "the server is stopping"))
}

// howToStart returns how to start a session's program: a command line, or if that is empty a shell.
// Where a shell cannot be made to mark its prompts, the log says why.
func (r *Registry) howToStart(command, interactive string, env []string) shell.Start {
	getenv := environ.Variables(env).Lookup
	if command == "" {
		how, err := r.cfg.Scripts.Start(interactive, getenv)
		if err != nil {
			r.cfg.Log.Warn("a shell starts without marking its prompts", "error", err)
		}
		return how
	}
	if runtime.GOOS == "windows" {
		return shell.Start{Path: "cmd.exe", Args: []string{"/d", "/c", command}}
	}
	how, ok, err := r.cfg.Scripts.Command(command, getenv)
	if err != nil {
		r.cfg.Log.Warn("a shell starts without marking its prompts", "error", err)
	}
	if !ok {
		return shell.Start{Path: "/bin/sh", Args: []string{"-c", command}}
	}
	// The shell finds it in the PATH that the program has.
	how.Path, how.Args = "/bin/sh", append([]string{"-c", `exec "$0" "$@"`, how.Path}, how.Args...)
	return how
}

func (r *Registry) ended(s *term.Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endedLocked(s)
}

// endedLocked records that a session's program has ended. It may be called twice.
func (r *Registry) endedLocked(s *term.Session) {
	e, err := r.entryLocked(s)
	if err != nil || !e.ended.IsZero() {
		return // removed, or not in the registry yet
	}
	e.ended = time.Now()
	if e.idle != nil {
		e.idle.Stop()
	}
	r.notifyLocked()
	r.reportLocked(Ended, s, e.label.Load())
	if r.closed {
		return
	}
	e.linger = time.AfterFunc(max(r.cfg.Linger, 0), func() {
		if r.forget(s) {
			s.Discard()
		}
	})
	r.crowdLocked()
}

// crowdLocked lets the oldest ended session expire at once when there are too many.
func (r *Registry) crowdLocked() {
	var oldest *entry
	n := 0
	for _, e := range r.entries {
		if !e.ended.IsZero() {
			n++
			if oldest == nil || e.ended.Before(oldest.ended) {
				oldest = e
			}
		}
	}
	if n > r.cfg.Sessions {
		oldest.linger.Reset(0)
	}
}

// forget removes a session from the registry. It reports whether it was there.
func (r *Registry) forget(s *term.Session) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	e, err := r.entryLocked(s)
	if err != nil {
		return false
	}
	r.forgetLocked(e)
	return true
}

// forgetLocked removes a session and stops its timer.
func (r *Registry) forgetLocked(e *entry) {
	if e.linger != nil {
		e.linger.Stop()
	}
	before := e.label.Load()
	delete(r.entries, e.id)
	if e.ended.IsZero() {
		r.reportLocked(Ended, e.session, before) // its end would be recorded too late
	}
	r.reportLocked(Removed, e.session, before)
	r.notifyLocked()
}

// Programs returns how many programs run or are being started, and how many have been started so
// far. The channel is closed when either changes.
func (r *Registry) Programs() (running, started int, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.runningLocked(), r.started, r.changed
}

// Most returns how many programs may run at once.
func (r *Registry) Most() int { return r.cfg.Sessions }

// Needed returns how many sessions keep a server that ends by itself: those whose program runs or
// is being started, and results of commands, which linger. Of those, independent were created
// without [CreateOptions.Dependent]. See Programs for the rest.
func (r *Registry) Needed() (needed, independent, started int, changed <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	independent = r.countLocked(func(e *entry) bool { return e.needed() && !e.dependent })
	return r.countLocked((*entry).needed), independent, r.started, r.changed
}

func (r *Registry) notifyLocked() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Retire refuses sessions from now on, as Close does, unless one is needed. It reports whether it
// did.
func (r *Registry) Retire() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = r.closed || r.countLocked((*entry).needed) == 0
	return r.closed
}

// Session returns the session of that name or [term.Session.ID], unless it is still being created:
// see [Registry.Find]. Its program may have ended.
func (r *Registry) Session(of string) (*term.Session, error) {
	if s, _ := r.lookUp(of); s != nil {
		return s, nil
	}
	return nil, UnknownSession(of)
}

// entryLocked returns the entry of a session, or an error unless it is in the registry.
func (r *Registry) entryLocked(s *term.Session) (*entry, error) {
	if e := r.entries[s.ID()]; e != nil && e.session == s {
		return e, nil
	}
	return nil, UnknownSession(s.Name())
}

// Has reports whether a session is still in the registry, so that nothing else has its name.
func (r *Registry) Has(s *term.Session) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err := r.entryLocked(s)
	return err == nil
}

// newID returns a new [term.Session.ID]. No name is like it, for names have no "@".
func newID() string { return "@" + strings.ToLower(rand.Text()[:idRandom]) }

// idRandom is how many characters of an ID are random, of 5 bits each: no two sessions have the
// same one, not even if the server was started again between them.
const idRandom = 12

// UnknownSession is the error about a session, by name or ID, that does not exist.
func UnknownSession(name string) error {
	if len(name) == 1+idRandom && name[0] == '@' {
		return fault.New(fault.NotFound, "the session with the ID %s was removed", name)
	}
	return fault.New(fault.NotFound, "there is no session %q", safetext.Clip(name, label.MaxName))
}

// List describes the sessions, ended ones included, sorted by name. With tags, only sessions that
// have at least one of them are listed. Those that are being created are not.
func (r *Registry) List(tags ...string) []term.Info {
	var list []term.Info
	for _, s := range r.all() {
		i := s.Info()
		if len(tags) == 0 || label.HaveCommon(i.Tags, tags) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b term.Info) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Remove kills everything that runs in a session, removes it, and returns when both are done.
func (r *Registry) Remove(s *term.Session) error {
	if err := r.startRemoval(s); err != nil {
		return err
	}
	defer r.busy.Done()
	// It keeps its name until it has ended: the name stays taken, and callers that wait for the
	// session learn how it ended.
	if err := s.End(); err != nil {
		return err
	}
	r.forget(s)
	s.Discard()
	return nil
}

// startRemoval adds to busy if the session is still there to be removed.
func (r *Registry) startRemoval(s *term.Session) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, err := r.entryLocked(s); err != nil {
		return err
	}
	if r.closed {
		return UnknownSession(s.Name())
	}
	r.busy.Add(1)
	return nil
}

// Close kills everything that runs in the sessions and removes them. It returns when both are done.
func (r *Registry) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.busy.Wait()

	r.mu.Lock()
	entries := r.entries
	r.entries = map[string]*entry{}
	r.mu.Unlock()
	errs := make(chan error, len(entries))
	for _, e := range entries {
		for _, timer := range []*time.Timer{e.linger, e.idle} {
			if timer != nil {
				timer.Stop()
			}
		}
		go func() {
			err := e.session.End()
			if err == nil { // else its reader still waits for it
				e.session.Discard()
			}
			errs <- err
		}()
	}
	var err error
	for range entries {
		err = errors.Join(err, <-errs)
	}
	r.archiving.Wait()
	return err
}

// Attendance returns a channel that is closed when a person who may type is next attached anywhere.
func (r *Registry) Attendance() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.attendance
}

func (r *Registry) attended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.attendance)
	r.attendance = make(chan struct{})
}

// Reaching returns the sessions with a person who is asked questions of a broker, in no order: what
// others ask (see [question.Asked.IsOthers]), or what this program asks. It does not wait.
func (r *Registry) Reaching(others bool) []*term.Session {
	return slices.DeleteFunc(r.all(), func(s *term.Session) bool { return !s.Reaches(others) })
}
