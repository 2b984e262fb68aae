package term

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/expect"
	"ui-mcp/internal/term/label"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/record"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/typeahead"
	typedline "ui-mcp/internal/term/typed"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/wake"
)

// A Session is a program on a terminal and the screen that it draws. Its methods may be called from
// anywhere. They return errors of kind Gone after the session was removed, and those that need the
// program also after it has ended.
//
// Each part of a session has one owner: the registry its label, the executor its state, and clients
// the list of who is attached.
type Session struct {
	log     *slog.Logger
	process Process
	o       Options

	exec    *executor.Executor
	st      *state      // touched only by functions running on exec
	unread  atomic.Bool // output has been read that is not on the screen yet
	held    atomic.Bool // whether the reader has a slot
	waits   *time.Timer // gives it back when no output has come for a moment
	used    int         // bytes that the reader has taken in its slot, and
	taken   uint64      // in slots before
	input   *typeahead.Queue
	clients *clients.Set
	kept    *record.Keeper // of the session's recording
	backlog *backlog       // of its output
	ended   chan struct{}  // closed when all output of the ended program has been parsed
	last    Attained       // the state at the end; valid once ended is closed
	// witnessed says that a person's terminal displayed the end; valid once ended is closed.
	witnessed bool
	owner     *Owner
	asking    chan struct{} // has a token while persons are asked who may type
	allowed   []core.Sender // to type always, without their addresses; used by those with the token

	// Readable from anywhere without waiting, as o.Label is. The values pointed to never change.
	status atomic.Pointer[status] // stored by functions running on exec only
}

// A status is the part of a session's state that can be read from anywhere.
type status struct {
	core.Public
	title string
	reach reach
}

// state is what functions on the executor own: posted ones, and the reader's, which parse output.
type state struct {
	term     *vt.Terminal
	core     *core.Session // what is known beside the screen; changed by [Session.apply] only
	facts    *facts
	timer    *time.Timer        // of the model; nil before it has asked for one
	callers  map[uint64]*caller // by the numbers of their waits
	waits    uint64             // how many have begun
	title    string             // of the terminal
	reach    reach
	update   uint64 // the last synchronized update
	waiters  map[chan struct{}]struct{}
	texts    *expect.Texts // that callers wait for
	looking  bool          // a timer is running for the next look for them
	recorder *record.Recorder
	archive  record.Archive
	moments  moments
	healed   []vt.Healed // by the chunk of output that is being parsed

	line      typedline.Line       // that is being typed, by programs and persons
	progress  vt.Progress          // of the command that runs, as its program has last reported it
	persons   map[*Viewer]struct{} // the viewers that may type
	questions []*asking            // for them; the first one is displayed
	numbered  int                  // how many questions have got an ID here
	model     *overlay.Model
	captured  captured
	composer  render.Composer
	watchers  map[*Watcher]struct{}
	inputAt   time.Time // when input was last sent
	alternate bool      // the model was last told that the program's alternate screen is displayed
	switching bool      // the program has switched screens; a timer is running
	switched  time.Time // when that was
}

// An Owner has what the sessions of a registry share, and learns what it must know of them.
type Owner struct {
	Log        *slog.Logger
	Version    string // of the terminals' name, for which programs can ask
	Clients    int    // how many may be attached to each session
	PagesAsk   bool   // pages get questions with an ID in another way, so viewers there display only others
	Archive    func(name string) (record.File, error)
	Archiving  *sync.WaitGroup // parts of archives that are being closed
	Recordings *record.Budget
	Slots      *Slots // for readers of floods

	// These are called from anywhere, and must not block.
	Changed  func(*Session) // its state or its recording has changed
	Ended    func(*Session) // see [Session.Ended]
	Attended func()         // a person who may type is attached
}

// Options describe a session.
type Options struct {
	core.Options // without PID, MaxLine and Shell
	Process      Process
	ID           string                       // [Session.ID]
	Label        *atomic.Pointer[label.Label] // stored by the owner only
	Command      string                       // what runs, for persons
	Dir          string                       // in which it was started
	How          shell.Start
	Scrollback   int
	Record       bool // the session keeps a recording from the first output on
	Follow       bool // a reader of all output is about to come: see [OutputOptions.Whole]
	AskToType    bool // persons are asked who may type
}

// New returns the session of a process that has just started, and starts to read its output. The
// owner must Discard it, after its End.
func New(owner *Owner, o Options) (*Session, error) {
	now, p := time.Now(), o.Process
	o.PID, o.MaxLine, o.Shell = p.PID(), pty.MaxLine, o.How.Name
	s := &Session{
		log: owner.Log.With("pid", o.PID), process: p, o: o, owner: owner,
		backlog: newBacklog(o.Follow), ended: make(chan struct{}), asking: make(chan struct{}, 1),
	}
	s.waits = time.AfterFunc(turnPatience, s.leave)
	s.clients = clients.New(owner.Clients, s.Name, s.clientChanged)
	st := &state{
		core: core.New(o.Options, now), callers: map[uint64]*caller{},
		waiters: map[chan struct{}]struct{}{}, texts: expect.New(), persons: map[*Viewer]struct{}{}, watchers: map[*Watcher]struct{}{},
	}
	st.facts = &facts{Process: p, session: s, state: st}
	model, err := overlay.New(o.Cols, o.Rows)
	if err != nil {
		return nil, err
	}
	term, err := vt.New(vt.Options{
		Cols: o.Cols, Rows: o.Rows, Scrollback: o.Scrollback, Name: "wsh(" + cmp.Or(owner.Version, "dev") + ")", Epoch: firstEpoch(),
		Effect: func(e vt.Effect) { s.effect(st, e) },
	})
	if err != nil {
		return nil, err
	}
	term.SetMarkKey(o.How.MarkKey)
	st.term, st.model = term, model
	st.archive = record.Archive{Create: owner.Archive, Name: s.Name, Closing: owner.Archiving, Log: s.log}
	s.st = st
	s.exec = executor.New(s.panicked)
	s.kept = record.NewKeeper(s.Name, owner.Recordings, s.log, func() { s.exec.Post(func() { owner.Changed(s) }) })
	if o.Record {
		_, err := s.kept.Start(context.Background(), func(w io.Writer) (_ *record.Recorder, err error) {
			st.recorder, err = record.New(w, s.recordingHeader(st, now))
			return st.recorder, err
		})
		if err != nil {
			s.exec.Close()
			return nil, err
		}
	}
	s.publishStatus(st)
	s.input = typeahead.New(p)
	s.keepArchive(st, now)
	s.post(core.Follow{})
	go s.read()
	return s, nil
}

// read reads output from the process until its end. It parses each chunk itself, with
// [executor.Executor.Run]: the system prepares the next chunk meanwhile, so that a flood is read
// without waiting and without switching goroutines. Requests run between two chunks.
func (s *Session) read() {
	buf := make([]byte, readSize)
	for {
		s.backlog.awaitRoom()
		n, err := s.process.Read(buf)
		if n > 0 {
			s.take(buf[:n])
		}
		if err != nil {
			break
		}
	}
	s.leave()
	exit := s.process.Exit()
	s.input.Close()
	if err := s.process.Close(); err != nil {
		s.log.Warn("close a terminal", "error", err)
	}
	s.input.Wait()
	s.exec.Post(func() { s.finish(exit) })
	<-s.ended
	s.o.How.Discard()
	s.owner.Ended(s)
}

// take parses a chunk of output. Floods take turns: a reader keeps its slot while there is output,
// up to a limit, so that the programs of all others block in write and leave the processors to the
// rest. A key's echo needs no slot.
func (s *Session) take(b []byte) {
	s.unread.Store(true)
	s.waits.Stop()
	flood := len(b) >= floodChunk
	if flood && !s.held.Load() {
		s.taken, s.used = s.owner.Slots.take(s.taken+uint64(s.used)), 0
		s.held.Store(true)
	}
	err := s.exec.Run(func() { s.parse(s.st, b) })
	s.used += len(b)
	if !flood || s.used >= turnBytes || s.backlog.isFull() {
		s.leave()
	} else {
		s.waits.Reset(turnPatience)
	}
	if p, ok := errors.AsType[*executor.PanicError](err); ok {
		s.panicked(p)
	}
}

func (s *Session) panicked(p *executor.PanicError) {
	s.log.Error("panic in a terminal session", "value", p.Value, "stack", string(p.Stack))
}

// parse updates the screen with a chunk of output. A panic is activity, too: who waits sees what
// has reached the screen.
func (s *Session) parse(st *state, b []byte) {
	defer func() {
		s.unread.Store(false)          // before others look who wait for silence
		_ = s.apply(st, core.Output{}) // it never fails
	}()
	now := time.Now()
	s.keepArchive(st, now)
	s.write(st, b)
	b = st.withHealing(b)
	st.record(func(r *record.Recorder) { r.Output(now, b) })
	s.backlog.put(b)
	s.follow(st)
	if update, held := st.term.Synchronized(); held && update != st.update {
		st.update = update
		s.after(syncPatience, func(st *state) { s.release(st, update) })
	}
}

// withHealing returns a chunk of output with what the terminal has carried out by itself, for
// others that display it. A mark that began in an earlier chunk is the first to end in this one.
func (st *state) withHealing(b []byte) []byte {
	for _, h := range st.healed {
		i := bytes.Index(b, h.Mark) + len(h.Mark)
		if i < len(h.Mark) {
			i = bytes.IndexByte(b, '\a') + 1
		}
		b = slices.Insert(slices.Clip(b), i, h.Undo...)
	}
	st.healed = nil
	return b
}

// release displays the picture of a program that has held it back for too long, by one update.
func (s *Session) release(st *state, update uint64) {
	if now, held := st.term.Synchronized(); held && now == update {
		st.term.EndSynchronized()
		st.texts.Look(st.term, time.Now())
		s.follow(st)
		st.notify()
	}
}

// effect carries out what the terminal asks for. Effects that are not listed here are either part
// of the snapshots or not supported: programs may not read the clipboard.
func (s *Session) effect(st *state, e vt.Effect) {
	switch e := e.(type) {
	case vt.Reply:
		_ = s.input.Put(e.Data) // replies that a program does not read are dropped
	case vt.Title:
		st.title = e.Text
	case vt.Bell, vt.Notification, vt.Progress:
		st.report(WatchEffects, Event{Effect: e})
		st.forward(e)
	case vt.Clipboard:
		if !e.Query {
			st.report(WatchEffects, Event{Effect: e})
			st.forward(e)
		}
	case vt.Healed:
		st.healed = append(st.healed, e)
	case vt.Prompt:
		_ = s.apply(st, core.Mark{Mark: e.Mark}) // it never fails
	}
}

// finish records the end of the program, after all its output.
func (s *Session) finish(exit tty.Exit) {
	st := s.st
	st.term.EndSynchronized()
	st.texts.Look(st.term, time.Now())
	s.settleAlone(st)
	if st.timer != nil {
		st.timer.Stop()
	}
	_ = s.apply(st, core.End{Exit: exit}) // it never fails
	if st.recorder != nil {
		st.recorder.Stop()
		st.recorder = nil
	}
	st.archive.End()
	s.witnessed = s.clients.Close()
	st.notify()
	s.last = Attained{core.Attained{State: core.StateEnded}, st.snapshot(), st.core.Idle.Count}
	close(s.ended)
}

// publishStatus makes a changed status visible to [Session.Info].
func (s *Session) publishStatus(st *state) {
	s.status.Store(&status{st.core.Public, st.title, st.reach})
}

func (s *Session) goneError(e tty.Exit) error { return core.Gone(s.Name(), e) }

func (st *state) notify() {
	for c := range st.waiters {
		wake.Up(c)
	}
}

// leave gives the reader's slot back, if it has one. Any goroutine may call it.
func (s *Session) leave() {
	if s.held.CompareAndSwap(true, false) {
		s.owner.Slots.give()
	}
}

// End kills the program, which waits for no reader of its output any more, and everything that runs
// with it. It returns when the session has ended, or could not be killed.
func (s *Session) End() error {
	s.backlog.release()
	if err := s.process.Kill(killGrace); err != nil {
		return err
	}
	<-s.ended
	return nil
}

// Discard releases what a session that has ended still holds. It is Gone then for all callers.
func (s *Session) Discard() {
	s.exec.Close()
	s.kept.Close()
}

// Abandoned returns how long the session has been without a client, output and input.
func (s *Session) Abandoned() time.Duration {
	alone, ok := s.clients.AloneSince()
	if !ok {
		return 0
	}
	quiet := time.Since(s.status.Load().Idle.At)
	if alone.IsZero() {
		return quiet // no client ever was attached
	}
	return min(quiet, time.Since(alone))
}

// Name returns the session's present name.
func (s *Session) Name() string { return s.o.Label.Load().Name }

// ID identifies the session as long as it exists. Unlike the name, it never changes, and no other
// session will have it. Its registry takes both.
func (s *Session) ID() string { return s.o.ID }

// Ended returns a channel that is closed when all output of the ended program is on the screen.
func (s *Session) Ended() <-chan struct{} { return s.ended }

// Witnessed reports whether a person's terminal displayed the end. It is valid after that.
func (s *Session) Witnessed() bool { return s.witnessed }

// Reaches reports whether a person here is asked questions of a broker: what others ask (see
// [question.Asked.IsOthers]), or what this program asks. It does not wait.
func (s *Session) Reaches(others bool) bool {
	to := s.status.Load().reach
	return others && to.others || !others && to.own
}

// Renamed lets the bars of terminals display the new name.
func (s *Session) Renamed() { s.exec.Post(func() { s.st.notify() }) }

// Info describes a session.
type Info struct {
	Name    string
	ID      string // [Session.ID]
	PID     int
	Command string // the shell, or the command line
	Dir     string // in which it was created
	Title   string
	core.Public
	Tags      []string       // sorted
	Clients   []clients.Info // in the order in which they were attached
	Leader    string         // name of the client whose terminal decides the size, or ""
	Quiet     time.Duration  // since something last happened
	Recording *record.Kept   // the recording that the session keeps, or nil
}

// Info describes the session. It never waits.
func (s *Session) Info() Info {
	label, status := s.o.Label.Load(), s.status.Load()
	info := Info{
		Name: label.Name, ID: s.o.ID, PID: s.o.PID, Command: s.o.Command, Dir: s.o.Dir, Title: status.title, Public: status.Public,
		Tags: slices.Clone(label.Tags), Clients: s.clients.List(status.Leader), Quiet: time.Since(status.Idle.At), Recording: s.kept.Describe(),
	}
	for _, c := range info.Clients {
		if c.Leads {
			info.Leader = c.Name
		}
	}
	return info
}
