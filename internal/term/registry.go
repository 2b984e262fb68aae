package term

import (
	"cmp"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
)

// Config is what a registry needs.
type Config struct {
	// Start starts a program: [pty.Start].
	Start func(pty.Options) (Process, error)
	// Environ is the environment that programs get, before [pty.Environment] has been
	// through it.
	Environ []string
	// Home is where programs start when they are not told.
	Home string
	// Shell is the person's shell; "" means /bin/sh, or cmd.exe on Windows.
	Shell string
	// Kit makes shells mark their prompts; nil leaves them as they are.
	Kit *shell.Kit
	// Version is what a terminal answers to programs that ask for its name.
	Version string
	// Sessions is how many programs may run at once; 0 means DefaultSessions.
	Sessions int
	// Linger is how long a session can be read when its program has ended; 0 means
	// DefaultLinger, and less than that not at all.
	Linger time.Duration
	Log    *slog.Logger
}

// A Registry has sessions by name. The caller must Close it. Its methods may be
// called from anywhere.
type Registry struct {
	cfg  Config
	gate *gate

	mu       sync.Mutex // guards the fields below; never held while calling a process
	sessions map[string]*entry
	next     int // the number to try first for a session without a name
	closed   bool
	busy     sync.WaitGroup // creations and removals; Add only with mu held and closed false
}

// An entry is a name that is taken.
type entry struct {
	session *Session    // nil while it is being created
	ended   time.Time   // zero while the program runs
	linger  *time.Timer // of an ended session
}

// NewRegistry returns a registry without sessions.
func NewRegistry(cfg Config) *Registry {
	if cfg.Sessions == 0 {
		cfg.Sessions = DefaultSessions
	}
	if cfg.Linger == 0 {
		cfg.Linger = DefaultLinger
	}
	if cfg.Shell == "" {
		cfg.Shell = "/bin/sh"
		if runtime.GOOS == "windows" {
			cfg.Shell = "cmd.exe"
		}
	}
	return &Registry{cfg: cfg, gate: newGate(), sessions: map[string]*entry{}}
}

// Create starts a program in a new session. A name that only an ended session has
// is free: that session is removed.
func (r *Registry) Create(o CreateOptions) (*Session, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	name, err := r.reserve(o.Name)
	if err != nil {
		return nil, err
	}
	defer r.busy.Done()
	s, err := r.start(name, o)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		delete(r.sessions, name)
		return nil, err
	}
	r.sessions[name].session = s
	select {
	case <-s.ended: // so soon that it was not found
		r.endedLocked(s)
	default:
	}
	return s, nil
}

// reserve takes a name. Creating is in progress when it succeeds.
func (r *Registry) reserve(name string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return "", fault.With(Stopping, fault.New(fault.Gone, "the server is stopping"))
	}
	if n := r.runningLocked(); n >= r.cfg.Sessions {
		return "", fault.With(TooManySessions, fault.New(fault.Exhausted, "%d sessions are running, which is as many as may: kill one first", n))
	}
	if name == "" {
		for name = strconv.Itoa(r.next); r.sessions[name] != nil; name = strconv.Itoa(r.next) {
			r.next++
		}
		r.next++
	} else if err := r.freeLocked(name); err != nil {
		return "", err
	}
	r.sessions[name] = &entry{}
	r.busy.Add(1)
	return name, nil
}

// freeLocked makes a name free, or says that it is taken.
func (r *Registry) freeLocked(name string) error {
	e := r.sessions[name]
	if e == nil {
		return nil
	}
	if e.ended.IsZero() {
		return fault.New(fault.Exists, "there is a session %q already: take another name, or kill that one", name)
	}
	r.forgetLocked(name)
	e.session.exec.Close() // what is queued there does not wait for anything
	return nil
}

func (r *Registry) runningLocked() int {
	n := 0
	for _, e := range r.sessions {
		if e.ended.IsZero() {
			n++
		}
	}
	return n
}

// start starts a program and its session.
func (r *Registry) start(name string, o CreateOptions) (*Session, error) {
	p := pty.Options{Dir: cmp.Or(o.Dir, r.cfg.Home), Cols: o.Cols, Rows: o.Rows}
	env := pty.Environment(r.cfg.Environ, o.Env)
	command, marks := o.Command, false
	switch {
	case o.Command == "":
		command = r.cfg.Shell
		how := r.cfg.Kit.Start(r.cfg.Shell, func(name string) (string, bool) { return lookup(env, name) })
		p.Path, p.Args, marks = how.Path, how.Args, how.Marks
		for name, value := range how.Env {
			env = append(env, name+"="+value)
		}
	case runtime.GOOS == "windows":
		p.Path, p.Args = "cmd.exe", []string{"/d", "/c", o.Command}
	default:
		p.Path, p.Args = "/bin/sh", []string{"-c", o.Command}
	}
	p.Env = env
	process, err := r.cfg.Start(p)
	if fault.KindOf(err) == fault.Internal {
		err = fault.With(CreateFailed, err)
	}
	if err != nil {
		return nil, err
	}
	var s *Session
	made := make(chan struct{})
	s, err = newSession(process, sessionOptions{
		name: name, command: command, tags: o.Tags, cols: o.Cols, rows: o.Rows, scrollback: *o.Scrollback,
		marks: marks, terminal: "wsh(" + cmp.Or(r.cfg.Version, "dev") + ")", log: r.cfg.Log.With("pid", process.PID()), gate: r.gate,
		onEnd: func() {
			<-made
			r.mu.Lock()
			defer r.mu.Unlock()
			r.endedLocked(s)
		},
	})
	close(made)
	if err != nil {
		return nil, errors.Join(err, process.Kill(0), process.Close())
	}
	return s, nil
}

// lookup finds a variable in an environment.
func lookup(env []string, name string) (string, bool) {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// endedLocked notes that a session's program has ended. It may be called twice.
func (r *Registry) endedLocked(s *Session) {
	name := s.Name()
	e := r.sessions[name]
	if e == nil || e.session != s || !e.ended.IsZero() {
		return // removed, or not there yet
	}
	e.ended = time.Now()
	if r.closed {
		return
	}
	e.linger = time.AfterFunc(max(r.cfg.Linger, 0), func() { r.expire(s) })
	r.crowdLocked()
}

// crowdLocked removes the oldest ended session when there are too many.
func (r *Registry) crowdLocked() {
	var oldest *entry
	n := 0
	for _, e := range r.sessions {
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

// expire removes an ended session that has lingered long enough.
func (r *Registry) expire(s *Session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := s.Name()
	if e := r.sessions[name]; e != nil && e.session == s {
		r.forgetLocked(name)
		s.exec.Close()
	}
}

// forgetLocked makes a session unknown.
func (r *Registry) forgetLocked(name string) {
	if t := r.sessions[name].linger; t != nil {
		t.Stop()
	}
	delete(r.sessions, name)
}

// Session returns the session of that name, which may have ended.
func (r *Registry) Session(name string) (*Session, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if e := r.sessions[name]; e != nil && e.session != nil {
		return e.session, nil
	}
	if len(name) > MaxName {
		name = strings.ToValidUTF8(name[:MaxName], "") + "…"
	}
	return nil, fault.New(fault.NotFound, "there is no session %q", name)
}

// List describes the sessions, ended ones included, in the order of their names.
// With tags, it leaves out those that have none of them.
func (r *Registry) List(tags ...string) []Info {
	r.mu.Lock()
	var sessions []*Session
	for _, e := range r.sessions {
		if e.session != nil {
			sessions = append(sessions, e.session)
		}
	}
	r.mu.Unlock()
	var list []Info
	for _, s := range sessions {
		i := s.Info()
		if len(tags) == 0 || slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(i.Tags, t) }) {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b Info) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Rename gives a session another name.
func (r *Registry) Rename(name, to string) error {
	if err := checkName(to); err != nil {
		return err
	}
	s, err := r.Session(name)
	if err != nil || name == to {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.sessions[name]
	if e == nil || e.session != s {
		return fault.New(fault.NotFound, "there is no session %q", name)
	}
	if err := r.freeLocked(to); err != nil {
		return err
	}
	delete(r.sessions, name)
	r.sessions[to] = e
	s.mu.Lock()
	s.name = to
	s.mu.Unlock()
	return nil
}

// Tag adds tags to a session and removes others. It returns all that it has then.
func (r *Registry) Tag(name string, add, remove []string) ([]string, error) {
	s, err := r.Session(name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	tags, err := changeTags(s.tags, add, remove)
	if err != nil {
		return nil, err
	}
	s.tags = tags
	return slices.Clone(tags), nil
}

// Remove kills what runs in a session, and removes it. It returns when nothing is
// left of either.
func (r *Registry) Remove(name string) error {
	r.mu.Lock()
	e := r.sessions[name]
	if e == nil || e.session == nil || r.closed {
		r.mu.Unlock()
		return fault.New(fault.NotFound, "there is no session %q", name)
	}
	r.busy.Add(1)
	defer r.busy.Done()
	r.mu.Unlock()

	// Known by its name until it has ended, so that nobody takes the name, and whoever
	// waits for it hears how it ended.
	err := e.session.process.Kill(killGrace)
	if err != nil {
		return err
	}
	<-e.session.ended
	r.mu.Lock()
	if name := e.session.Name(); r.sessions[name] == e {
		r.forgetLocked(name)
	}
	r.mu.Unlock()
	e.session.exec.Close()
	return nil
}

// Close kills everything and waits for it.
func (r *Registry) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.busy.Wait()

	r.mu.Lock()
	entries := r.sessions
	r.sessions = map[string]*entry{}
	r.mu.Unlock()
	errs := make(chan error, len(entries))
	for _, e := range entries {
		if e.linger != nil {
			e.linger.Stop()
		}
		go func() { errs <- e.session.close() }()
	}
	var err error
	for range entries {
		err = errors.Join(err, <-errs)
	}
	return err
}
