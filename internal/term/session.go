package term

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/idle"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

// A Session is a program on a terminal, and what it shows. Its methods may be
// called from anywhere. They return errors of kind Gone when the session has been
// removed, and those that need the program also when that has ended.
type Session struct {
	log     *slog.Logger
	process Process
	pid     int
	command string
	marks   bool      // the shell was started such that it marks its prompts
	created time.Time // with a monotonic clock

	exec    *executor.Executor
	st      *state      // touched only by functions running on exec
	unread  atomic.Bool // output has been read that is not on the screen yet
	turn    turn        // of the reader
	input   *queue
	running chan struct{} // capacity 1; who has put its token in may run a command
	ended   chan struct{} // closed when all output of the ended program has been parsed
	active  atomic.Int64  // when something last happened, in nanoseconds since created

	mu      sync.Mutex // guards what can be read without waiting for the session's goroutine
	name    string
	tags    []string // sorted
	cols    int      // of the whole screen, panels included
	rows    int
	title   string
	exit    *pty.Exit
	clients map[*Client]struct{}
}

// state is what belongs to whoever has the executor's turn: the session's goroutine,
// or its reader with a piece of output.
type state struct {
	term     *vt.Terminal
	idle     *idle.Detector
	exit     *pty.Exit // set when the program has ended and its output is all there
	mark     vt.Mark   // the newest, or the zero Mark
	marks    bool      // there was one
	watch    *runWatch // of the command that is being run, or nil
	held     bool      // the program holds back its picture; a timer is running
	waiters  map[chan struct{}]struct{}
	recorder *record.Recorder

	model     *overlay.Model
	composer  render.Composer
	listeners map[*Listener]struct{}
	alternate bool      // what the model knows of the program's screens
	switching bool      // they have been changed; a timer is running
	switched  time.Time // when that was
}

// newSession runs the life of a process that has just started.
func newSession(p Process, o sessionOptions) (*Session, error) {
	now := time.Now()
	s := &Session{
		log: o.log, process: p, pid: p.PID(), command: o.command, marks: o.marks, created: now,
		turn: turn{gate: o.gate}, running: make(chan struct{}, 1), ended: make(chan struct{}),
		name: o.name, tags: o.tags, cols: o.cols, rows: o.rows, clients: map[*Client]struct{}{},
	}
	st := &state{idle: idle.New(now), waiters: map[chan struct{}]struct{}{}, listeners: map[*Listener]struct{}{}}
	model, err := overlay.New(o.cols, o.rows)
	if err != nil {
		return nil, err
	}
	term, err := vt.New(vt.Options{
		Cols: o.cols, Rows: o.rows, Scrollback: o.scrollback, Name: o.terminal,
		Effect: func(e vt.Effect) { s.effect(st, e) },
	})
	if err != nil {
		return nil, err
	}
	st.term, st.model = term, model
	s.st = st
	s.input = newQueue(p)
	s.exec = executor.New(s.panicked)
	go s.read(o.onEnd)
	return s, nil
}

// read takes output from the process until there is no more. It parses each piece
// itself, in its turn on the executor: meanwhile the system makes the next piece
// ready, so that a flood is read without waiting and without a change of goroutines.
// Whoever asks for something gets it between two pieces.
func (s *Session) read(onEnd func()) {
	buf := make([]byte, readSize)
	for {
		n, err := s.process.Read(buf)
		if n > 0 {
			s.take(buf[:n])
		}
		if err != nil {
			break
		}
	}
	s.turn.end()
	exit := s.process.Exit()
	s.input.close()
	if err := s.process.Close(); err != nil {
		s.log.Warn("close a terminal", "error", err)
	}
	<-s.input.done
	s.exec.Post(func() { s.finish(exit) })
	<-s.ended
	onEnd()
}

// take parses a piece of output.
func (s *Session) take(b []byte) {
	s.unread.Store(true)
	s.turn.enter()
	defer s.turn.leave(len(b))
	var p *executor.PanicError
	err := s.exec.Run(func() {
		defer s.unread.Store(false) // before others have their turn, who wait for silence
		s.parse(s.st, b)
	})
	if errors.As(err, &p) {
		s.panicked(p)
	}
}

func (s *Session) panicked(p *executor.PanicError) {
	s.log.Error("panic in a terminal session", "value", p.Value, "stack", string(p.Stack))
}

// parse puts a piece of output onto the screen.
func (s *Session) parse(st *state, b []byte) {
	now := time.Now()
	if st.recorder != nil {
		st.recorder.Output(now, b)
	}
	_, _ = st.term.Write(b) // a terminal cannot refuse
	s.follow(st)
	if st.term.Modes().Has(vt.ModeSynchronized) && !st.held {
		st.held = true
		time.AfterFunc(syncPatience, func() { s.exec.Post(func() { s.release(st) }) })
	}
	s.touch(st, time.Now())
}

// release shows the picture of a program that has held it back for too long.
func (s *Session) release(st *state) {
	st.held = false
	if st.term.Modes().Has(vt.ModeSynchronized) {
		st.term.EndSynchronized()
		s.follow(st)
		st.notify()
	}
}

// touch says that something happened.
func (s *Session) touch(st *state, now time.Time) {
	st.idle.Touch(now)
	s.active.Store(int64(now.Sub(s.created)))
	st.notify()
}

// effect does what the terminal asks for. What is not named here is in the
// snapshots, or is nobody's business: programs may not read the clipboard.
func (s *Session) effect(st *state, e vt.Effect) {
	switch e := e.(type) {
	case vt.Reply:
		_ = s.input.put(e.Data) // a program that asks without end and never reads gets no more
	case vt.Title:
		s.mu.Lock()
		s.title = e.Text
		s.mu.Unlock()
	case vt.Prompt:
		st.mark, st.marks = e.Mark, true
		if st.watch != nil {
			st.watch.see(e.Mark, time.Now())
		}
	}
}

// finish is the end of the program, after all its output.
func (s *Session) finish(exit pty.Exit) {
	s.st.exit = &exit
	s.st.term.EndSynchronized()
	s.settleAlone(s.st)
	if s.st.recorder != nil {
		s.st.recorder.Stop()
		s.st.recorder = nil
	}
	s.mu.Lock()
	s.exit = &exit
	clients := s.clients
	s.clients = nil
	s.mu.Unlock()
	for c := range clients {
		close(c.detached)
	}
	s.st.notify()
	close(s.ended)
}

// do runs f on the session's goroutine. f must not wait.
func (s *Session) do(ctx context.Context, f func(*state) error) error {
	err := s.exec.Do(ctx, func() error { return f(s.st) })
	var p *executor.PanicError
	switch {
	case errors.As(err, &p):
		s.panicked(p)
		return fault.Wrap(fault.Internal, err, "session %q", s.Name())
	case errors.Is(err, executor.ErrClosed):
		return fault.New(fault.Gone, "session %q has been removed", s.Name())
	case errors.Is(err, context.DeadlineExceeded) && fault.KindOf(err) == fault.Internal:
		return fault.Wrap(fault.Timeout, err, "session %q is busy", s.Name())
	}
	return err
}

// doRunning is do for what needs the program.
func (s *Session) doRunning(ctx context.Context, f func(*state) error) error {
	return s.do(ctx, func(st *state) error {
		if st.exit != nil {
			return s.goneError(*st.exit)
		}
		return f(st)
	})
}

// goneError says that the program has ended.
func (s *Session) goneError(e pty.Exit) error {
	if e.Signal != "" {
		return fault.New(fault.Gone, "the program of session %q was ended by %s; its last screen can still be read", s.Name(), e.Signal)
	}
	return fault.New(fault.Gone, "the program of session %q has exited with status %d; its last screen can still be read", s.Name(), e.Code)
}

// subscribe returns a channel, of capacity 1, that has a token whenever something
// may have changed. The function ends it.
func (s *Session) subscribe(ctx context.Context) (<-chan struct{}, func(), error) {
	c := make(chan struct{}, 1)
	err := s.do(ctx, func(st *state) error {
		st.waiters[c] = struct{}{}
		return nil
	})
	return c, func() { s.exec.Post(func() { delete(s.st.waiters, c) }) }, err
}

func (st *state) notify() {
	for c := range st.waiters {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// close ends the program and the session, and waits for both.
func (s *Session) close() error {
	s.turn.skip()
	err := s.process.Kill(killGrace)
	if err != nil {
		return err // its reader still waits for it
	}
	<-s.ended
	s.exec.Close()
	return nil
}

// Name is what the session is called now.
func (s *Session) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.name
}

// Ended returns a channel that is closed when the program has ended and all its
// output is on the screen.
func (s *Session) Ended() <-chan struct{} { return s.ended }

// An Info is what a list of sessions says of one.
type Info struct {
	Name    string
	PID     int
	Command string // the shell, or the command line
	Cols    int    // of the whole screen, panels included
	Rows    int
	Title   string
	Tags    []string // sorted
	Clients int
	Quiet   time.Duration // since something last happened
	Exit    *pty.Exit     // nil while the program runs
}

// Info describes the session. It never waits.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Info{
		Name: s.name, PID: s.pid, Command: s.command, Cols: s.cols, Rows: s.rows, Title: s.title,
		Tags: slices.Clone(s.tags), Clients: len(s.clients), Exit: s.exit,
		Quiet: time.Since(s.created) - time.Duration(s.active.Load()),
	}
}
