// Package ui runs live apps in sessions. A session is a Lua VM and the tree of what it displays,
// which any number of pages mirror. An [Engine] holds the sessions of one base directory, loads its
// view definitions, and reloads files that change.
//
// A [Session] queues transactions ([Tx]) for its goroutine: messages of pages, calls of an agent,
// timers, files that have changed. After each, one scan of the tree finds what now displays
// something else, and the difference leaves as one numbered batch for every page.
//
//	page, agent, timer → transaction → Lua → scan → batch → pages
//
// Neither Lua nor the tree is touched outside a transaction, and a transaction waits for nobody.
package ui

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
	"ui-mcp/internal/ui/problem"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// A Client is a page. Deliver must not block: it is called on the session's goroutine. msg is
// shared and must not be changed. It returns false when the client can take no more messages; the
// session then drops it. A Client is comparable.
type Client interface {
	Deliver(msg []byte) bool
}

// An Observer is a client that only looks: it is not one of the person's pages, and not counted.
// What it sends has no effect, except that it gets the snapshots and rows of windowed lists that it
// asks for.
type Observer interface {
	Client
	Observes()
}

// A Session is one live user interface. All of its state belongs to one goroutine. Other goroutines
// reach it through the methods of Session, and in no other way.
type Session struct {
	id   string
	log  *slog.Logger
	exec *executor.Executor
	st   *state // touched only by functions running on exec

	uploads *uploads
}

// state is what a session's goroutine owns.
type state struct {
	id         string
	epoch      string // identifies this run of the session to pages
	dir        string
	log        *slog.Logger
	vm         *lua.VM
	async      *async.Library // of vm
	tree       *variable.Tree
	views      *views
	pinned     pinned // the view definitions that are in force
	behind     bool   // an app was displayed by a view definition that is not in force yet
	seq        int64
	clients    map[Client]*client
	acks       []ack
	counts     *counts
	currentApp string // the app that was displayed last, or ""
	problems   problems
	later      *later
	keeps      *keeps
	arriving   []*variable.Upload
	acts       acts
	news       news
	changed    func(session string)      // Options.Changed
	displayNew func() bool               // Options.DisplayNew
	onDisplay  func(session, app string) // Options.Displayed
}

// A host is where the tree finds objects, and the screens of terminals.
type host struct {
	*lua.VM
	*async.Library
}

// pinned is the view definitions that a session uses. New ones take effect together with the code
// that was saved with them.
type pinned struct {
	*viewdef.Snapshot
	update int64 // the number of the update that has brought them; see views
}

// A client is what a session knows of a [Client].
type client struct {
	isNew bool // it waits for its snapshot

	// To find the page that the person has before them:
	last   uint64 // when it was used last, counted
	hidden bool   // the person does not see it, and the browser may have stopped it
	silent bool   // it did not answer an act in time, and has said nothing since
}

type ack struct {
	to Client
	wire.Ack
}

// newSession starts a session that displays nothing yet.
func newSession(id string, opts Options, views *views, counts *counts) *Session {
	log := opts.Log.With("session", id)
	exec := executor.New(func(p *executor.PanicError) {
		log.Error("panic in a session", "value", p.Value, "stack", string(p.Stack))
	})
	st := &state{
		id: id, epoch: rand.Text(), dir: opts.Dir, log: log, views: views,
		clients: map[Client]*client{}, counts: counts, pinned: pinned{Snapshot: new(viewdef.Snapshot)},
		acts:     acts{timeout: cmp.Or(opts.ActTimeout, actTimeout), waiting: map[int64]*acting{}},
		problems: problems{announce: opts.Announce}, changed: opts.Changed, displayNew: opts.DisplayNew, onDisplay: opts.Displayed,
	}
	if st.changed == nil {
		st.changed = func(string) {}
	}
	if st.onDisplay == nil {
		st.onDisplay = func(string, string) {}
	}
	st.later = newLater(exec, st)
	st.keeps = &keeps{exec: exec, st: st, owners: opts.owners}
	st.vm = lua.New(lua.Options{
		Dir: opts.Dir, Timeout: opts.LuaTimeout, MemoryLimit: opts.LuaMemory, Log: log,
		Exec: opts.Exec, Trial: opts.trial, Failed: st.callbackFailed,
		Diag: func(level int, msg string) { log.Debug("diag", "level", level, "message", msg) },
	})
	st.async = async.Open(st.vm, async.Options{After: st.later.after, Background: st.later.background, Effects: opts.Effects})
	st.tree = variable.New(host{st.vm, st.async}, &st.pinned)
	return &Session{id: id, log: log, exec: exec, st: st, uploads: opts.uploads}
}

// ID is the session's name.
func (s *Session) ID() string { return s.id }

// Do runs f on the session's goroutine. When f returns, all changes go to every page as one batch,
// also after an error or a panic: nothing is rolled back. f may run Lua for as long as the
// session's timeout allows, and ctx. If ctx ends before f has begun, f never runs; later, the Lua
// that f runs is stopped, and Do waits for f.
func (s *Session) Do(ctx context.Context, f func(*Tx) error) error {
	return s.transact(ctx, f, func(bool) { s.st.announce() })
}

// Ask is [Session.Do] for the agent. When f succeeds it returns the problems that the agent has not
// seen yet, newest first, and marks them as reported. Otherwise, and with Do, new errors are
// announced.
//
// There are at most [problem.PerResult] of them; the next call returns further ones.
func (s *Session) Ask(ctx context.Context, f func(*Tx) error) ([]problem.Problem, error) {
	return ask(ctx, s, f, func() (list, unreported []problem.Problem) {
		list = s.st.problems.list.Take(problem.PerResult)
		return list, list
	})
}

// AskAll is Ask, but it returns all problems that there are. Only the first [problem.PerResult] are
// marked as reported; unreported are those among them that the agent had not got. The caller must
// pass them on, or give them to [Session.NotReported].
func (s *Session) AskAll(ctx context.Context, f func(*Tx) error) (all, unreported []problem.Problem, err error) {
	lists, err := ask(ctx, s, f, func() ([2][]problem.Problem, []problem.Problem) {
		all := s.st.problems.list.Results()
		unreported := s.st.problems.list.Report(all[:min(len(all), problem.PerResult)])
		return [2][]problem.Problem{all, unreported}, unreported
	})
	return lists[0], lists[1], err
}

// NotReported takes note that the agent did not get problems after all, and announces them.
func (s *Session) NotReported(list []problem.Problem) {
	s.exec.Post(func() { s.st.notReported(list) })
}

// ask is [Session.Do] that returns what take returns once f has succeeded. The problems that take
// has marked as reported are announced if the caller does not get them.
func ask[T any](ctx context.Context, s *Session, f func(*Tx) error, take func() (result T, unreported []problem.Problem)) (result T, err error) {
	var unreported []problem.Problem
	err = s.transact(ctx, f, func(ok bool) {
		if ok && ctx.Err() == nil { // else no page would get them
			result, unreported = take()
		} else {
			s.st.announce()
		}
	})
	switch {
	case err == nil && ctx.Err() == nil:
		return result, nil
	case err == nil:
		err = fault.Wrap(fault.Timeout, context.Cause(ctx), "it was done before the call was cancelled")
	}
	// The caller has left when they were taken, or updating the pages has failed.
	s.exec.Post(func() { s.st.notReported(unreported) })
	var none T
	return none, err
}

// read returns what f returns on the session's goroutine. It is not a transaction: it updates no
// page and does not count as a change (see Options.Changed). If f runs code of the app that changes
// something, the next transaction displays that.
func read[T any](ctx context.Context, s *Session, f func() T) (result T, err error) {
	err = s.exec.Do(ctx, func() error {
		disarm := s.st.vm.Arm()
		defer disarm()
		s.st.vm.Until(ctx)
		result = f()
		return nil
	})
	return result, s.outcome(err)
}

// transact runs f, finishes the transaction, and then, still on the session's goroutine, runs after
// with whether f succeeded.
func (s *Session) transact(ctx context.Context, f func(*Tx) error, after func(ok bool)) error {
	err := s.exec.Do(ctx, func() error {
		ok := false
		defer func() { after(ok) }() // also after a panic in finish
		defer s.st.finish()
		disarm := s.st.vm.Arm()
		defer disarm()
		s.st.vm.Until(ctx)
		tx := &Tx{st: s.st}
		defer func() { tx.st = nil }() // see Tx
		err := f(tx)
		ok = err == nil
		return err
	})
	return s.outcome(err)
}

// State is the displayed object as JSON. Watching the state of an idle session costs nothing.
func (s *Session) State(ctx context.Context) (json.RawMessage, error) {
	return read(ctx, s, func() json.RawMessage {
		return s.st.vm.JSON(s.st.displayed(), MaxResult)
	})
}

// outcome gives the executor's errors their kinds.
func (s *Session) outcome(err error) error {
	var p *executor.PanicError
	switch {
	case errors.As(err, &p):
		s.log.Error("panic in a session", "value", p.Value, "stack", string(p.Stack))
		return fault.Wrap(fault.Internal, err, "session %s", s.id)
	case errors.Is(err, executor.ErrClosed):
		return fault.New(fault.Gone, "session %s has ended", s.id)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.Wrap(fault.Timeout, err, "session %s is busy", s.id)
	case errors.Is(err, context.Canceled):
		return fault.Wrap(fault.Timeout, err, "nothing was done: the call was cancelled before it began")
	}
	return err
}

// interrupt stops the Lua code that is running, and any that is about to run, for good.
func (s *Session) interrupt() { s.st.vm.Interrupt() }

// close ends the session and waits for its goroutine.
func (s *Session) close() {
	s.st.later.close()
	s.exec.Close()
	s.st.later.wait()
	s.st.keeps.close()
	for c := range s.st.clients {
		s.st.leave(c)
	}
	s.st.countErrors(0)
	s.st.vm.Close()
}

// Refresh updates the pages after a change outside the session. It returns at once. After the
// session has ended it does nothing.
func (s *Session) Refresh() { s.st.later.refresh() }

// Attach adds a client; the first thing delivered to it is a snapshot.
func (s *Session) Attach(ctx context.Context, c Client) error {
	return s.Do(ctx, func(tx *Tx) error {
		tx.state().join(c)
		return nil
	})
}

// Detach removes a client. It does nothing for a client that is not attached.
func (s *Session) Detach(c Client) {
	s.exec.Post(func() {
		s.st.drop(c)
		s.st.sendProblems() // problems that only this page reported are gone
	})
}

// Receive handles one message of a client's page (docs/protocol.md). It returns an error if the
// message is invalid or the session has ended. Failures of what the message asks for are reported
// to the page instead.
func (s *Session) Receive(ctx context.Context, c Client, msg []byte) error {
	m, err := wire.DecodeClient(msg)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "message")
	}
	err = s.Do(ctx, func(tx *Tx) error {
		tx.state().vm.Until(context.Background()) // what the person does is done, also if their page leaves
		tx.state().receive(c, m)
		return nil
	})
	if fault.KindOf(err) == fault.Internal && !errors.Is(err, context.Canceled) {
		return nil // a panic, which has been logged; the session continues
	}
	return err
}

// receive carries out a message from a page.
func (st *state) receive(c Client, m wire.ClientMessage) {
	known := st.clients[c]
	if known == nil {
		known = &client{}
	}
	known.silent = false
	switch {
	case observes(c) && m.Range == nil && !m.Resync:
		if m.Ref > 0 { // it takes its events for carried out
			st.acks = append(st.acks, ack{to: c, Ack: wire.Ack{Ref: m.Ref}})
		}
	case m.Visible != nil:
		known.hidden = !*m.Visible
	case m.Failure != nil:
		if st.clients[c] != nil { // else nothing would ever clear it
			st.pageFailed(c, m.Failure)
		}
	case m.Acted != nil:
		st.acted(c, *m.Acted)
	case m.Range != nil:
		if st.clients[c] != nil {
			st.tree.Ask(c, m.Range.Instance, m.Range.Slot, m.Range.Start, m.Range.Count, m.Range.Keep)
		}
	case m.Resync:
		known.isNew = true
	default:
		a := ack{to: c, Ack: wire.Ack{Ref: m.Ref}}
		defer func() { st.acks = append(st.acks, a) }()
		var act *acting
		if m.Act != 0 {
			if act = st.acts.waiting[m.Act]; act == nil || act.page != c || act.late {
				return // it was given up: the page takes its events for carried out, and displays what there is
			}
			st.vm.Until(act.caller)
		}
		if len(m.Events) > 0 {
			st.pageUsed(known)
		}
		for i, e := range m.Events {
			text, stale := st.event(e, m.Seen)
			if act != nil {
				act.count(e, stale)
			}
			switch {
			case stale:
				a.Stale = append(a.Stale, i)
			case text != "":
				a.Failed = append(a.Failed, i)
				a.Error = cmp.Or(a.Error, text)
			}
		}
	}
}

func observes(c Client) bool { _, ok := c.(Observer); return ok }

// event carries out one action of the person. It returns what failed, or reports that the action
// was meant for an object that the binding no longer has.
func (st *state) event(e wire.Event, seen int64) (failed string, stale bool) {
	location, there := st.tree.Location(e.Instance, e.Slot)
	err := st.tree.Event(e.Instance, e.Slot, e.Value, seen)
	switch {
	case errors.Is(err, variable.ErrStale):
		return "", true
	case err != nil:
		p := st.actionFailed(err)
		return p.String(), false
	case there:
		st.actionWorks(location)
	}
	return "", false
}

// pages is how many of the clients are pages of the person.
func (st *state) pages() (n int) {
	for c := range st.clients {
		if !observes(c) {
			n++
		}
	}
	return n
}

// join adds a client, or has a known one get a snapshot.
func (st *state) join(c Client) {
	if st.clients[c] == nil {
		if !observes(c) {
			st.counts.pages.Add(1)
			if st.pages() == 0 {
				st.counts.sessions.Add(1)
			}
		}
		st.keeps.joined()
		st.clients[c] = &client{}
	}
	st.clients[c].isNew = true
	st.pageUsed(st.clients[c])
}

// leave takes a client out of the list, and reports whether it was there.
func (st *state) leave(c Client) bool {
	known := st.clients[c]
	delete(st.clients, c)
	if known == nil || observes(c) {
		return known != nil
	}
	st.abandonActs(c)
	st.counts.pages.Add(-1)
	if st.pages() == 0 {
		st.counts.sessions.Add(-1)
	}
	return true
}

func (st *state) drop(c Client) {
	if st.leave(c) {
		st.problems.list.Forget(c)
		st.tree.Forget(c)
	}
}
