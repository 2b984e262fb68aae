// Package ui is a live app: sessions, each a Lua VM and the tree of what it
// shows, kept in step with any number of pages. An [Engine] has the sessions of one base
// directory, loads its view definitions and reloads what changes.
package ui

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"

	"ui-mcp/internal/executor"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/variable"
	"ui-mcp/internal/ui/viewdef"
	"ui-mcp/internal/ui/wire"
)

// A Client is a page. Deliver must not block: it is called on the session's
// goroutine. msg is shared and must not be changed. It reports false when the client
// can take no more; the session then forgets it.
type Client interface {
	Deliver(msg []byte) bool
}

// A Session is one live user interface. All of its state belongs to one
// goroutine; the only way to reach it is a method of Session, from any other goroutine.
type Session struct {
	id   string
	log  *slog.Logger
	exec *executor.Executor
	st   *state // touched only by functions running on exec
}

// state is what a session's goroutine owns.
type state struct {
	id      string
	dir     string
	log     *slog.Logger
	vm      *lua.VM
	tree    *variable.Tree
	views   *views
	seq     int64
	clients map[Client]bool // true: the client waits for its snapshot
	pages   *atomic.Int64   // the engine's count of clients
	acks    []ack
}

type ack struct {
	to   Client
	ref  int64
	text string
}

// newSession starts a session that shows nothing yet.
func newSession(id string, opts Options, views *views, pages *atomic.Int64) *Session {
	log := opts.Log.With("session", id)
	vm := lua.New(lua.Options{Dir: opts.Dir, Timeout: opts.LuaTimeout, Log: log})
	s := &Session{
		id: id, log: log,
		exec: executor.New(func(p *executor.PanicError) {
			log.Error("panic in a session", "value", p.Value, "stack", string(p.Stack))
		}),
		st: &state{
			id: id, dir: opts.Dir, log: log, vm: vm, views: views,
			tree:    variable.New(vm, views.store),
			clients: map[Client]bool{}, pages: pages,
		},
	}
	return s
}

// ID is the session's name.
func (s *Session) ID() string { return s.id }

// Do runs f on the session's goroutine. When f returns, whatever changed goes
// out to every page as one batch, also after an error or a panic: what changed, changed.
// f may run Lua for as long as the session's timeout.
func (s *Session) Do(ctx context.Context, f func(*Tx) error) error {
	err := s.exec.Do(ctx, func() error {
		defer s.st.flush()
		disarm := s.st.vm.Arm()
		defer disarm()
		tx := &Tx{st: s.st}
		defer func() { tx.st = nil }() // using tx after f has returned is a bug: fail loudly
		return f(tx)
	})
	return s.outcome(err)
}

// outcome gives errors of the executor their kinds.
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
	}
	return err
}

// close ends the session and waits for its goroutine.
func (s *Session) close() {
	s.exec.Close()
	s.st.pages.Add(-int64(len(s.st.clients)))
	s.st.vm.Close()
}

// Attach adds a client; the first thing delivered to it is a snapshot.
func (s *Session) Attach(ctx context.Context, c Client) error {
	return s.Do(ctx, func(tx *Tx) error {
		if _, known := tx.st.clients[c]; !known {
			tx.st.pages.Add(1)
		}
		tx.st.clients[c] = true
		return nil
	})
}

// Detach removes a client. It is safe to call for one that is gone.
func (s *Session) Detach(c Client) {
	s.exec.Post(func() { s.st.drop(c) })
}

// Receive handles one message of a client's page (docs/protocol.md). An error means
// that the message was no valid message, or that the session has ended; what goes wrong while the
// message is carried out is told to the page.
func (s *Session) Receive(ctx context.Context, c Client, msg []byte) error {
	m, err := wire.DecodeClient(msg)
	if err != nil {
		return fault.Wrap(fault.Invalid, err, "message")
	}
	err = s.Do(ctx, func(tx *Tx) error {
		if m.Resync {
			if _, known := tx.st.clients[c]; known {
				tx.st.clients[c] = true
			}
			return nil
		}
		a := ack{to: c, ref: m.Ref}
		defer func() { tx.st.acks = append(tx.st.acks, a) }()
		for _, e := range m.Events {
			if err := tx.st.tree.Event(e.Instance, e.Slot, e.Value); err != nil {
				tx.st.scriptFailed(err)
				if a.text == "" {
					a.text = err.Error()
				}
			}
		}
		return nil
	})
	if fault.KindOf(err) == fault.Internal && !errors.Is(err, context.Canceled) {
		return nil // a panic: it is logged, and the session goes on
	}
	return err
}

// drop forgets a client.
func (st *state) drop(c Client) {
	if _, known := st.clients[c]; known {
		delete(st.clients, c)
		st.pages.Add(-1)
	}
}

// Problems says what does not work in what the session shows, one text each, with file and line.
func (s *Session) Problems(ctx context.Context) (list []string, err error) {
	err = s.exec.Do(ctx, func() error {
		for _, p := range s.st.views.problems() {
			list = append(list, p.Error())
		}
		for _, p := range s.st.tree.Problems() {
			list = append(list, problemText(p))
		}
		return nil
	})
	return list, s.outcome(err)
}

// problemText is a problem of the tree for whoever can mend it.
func problemText(p *variable.Problem) string {
	msg := p.Msg
	if p.Err != nil {
		msg = lua.Message(p.Err)
	}
	return viewdef.Problem{File: p.File, Line: p.Line, Msg: p.Source + ": " + msg}.Error()
}

// flush finds what has changed and tells every page.
func (st *state) flush() {
	disarm := st.vm.Arm()
	st.vm.Reading(true)
	ops := st.tree.Scan()
	st.vm.Reading(false)
	disarm()
	st.report()
	defs := st.tree.NewDefs()
	if ops.Len() > 0 || len(defs) > 0 {
		st.seq++
		st.broadcast(defs, ops)
	}
	var snapshot []byte
	for c, isNew := range st.clients {
		if !isNew {
			continue
		}
		if snapshot == nil {
			snapshot = wire.AppendSnapshot(nil, st.id, st.seq, st.tree.Defs(), st.tree.Snapshot())
		}
		st.clients[c] = false
		st.deliver(c, snapshot)
	}
	for _, a := range st.acks {
		if _, ok := st.clients[a.to]; ok {
			st.deliver(a.to, wire.AppendAck(nil, a.ref, a.text))
		}
	}
	clear(st.acks)
	st.acks = st.acks[:0]
}

func (st *state) broadcast(defs []wire.Def, ops *wire.Ops) {
	var msg []byte
	for c, isNew := range st.clients {
		if isNew {
			continue
		}
		if msg == nil {
			msg = wire.AppendBatch(nil, st.seq, defs, ops)
		}
		st.deliver(c, msg)
	}
}

func (st *state) deliver(c Client, msg []byte) {
	if !c.Deliver(msg) {
		st.drop(c)
	}
}

// report logs problems that came up while the tree was read.
func (st *state) report() {
	for _, p := range st.tree.TakeFresh() {
		st.vm.ErrorLog(problemText(p))
		st.log.Warn("a binding fails", "file", p.File, "line", p.Line, "binding", p.Source, "error", p.Msg)
	}
}

// scriptFailed records an error of the app's own code that nobody waits for.
func (st *state) scriptFailed(err error) {
	text := lua.Message(err)
	var se *lua.ScriptError
	if errors.As(err, &se) && se.Trace != "" {
		text += "\n" + se.Trace
	}
	st.vm.ErrorLog(text)
	st.log.Warn("the app's code failed", "error", err)
}
