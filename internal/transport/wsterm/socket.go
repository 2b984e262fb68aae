package wsterm

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/ws"
)

// maxWaits is how many methods of one socket may wait at a time.
const maxWaits = 64

// endPatience is how long a client may take to read the last events of a session.
const endPatience = 5 * time.Second

// A socket is a connection whose messages are JSON. Requests are handled one at a time, in order,
// except those that wait, which are answered when the wait ends, and those for other servers: see
// [lane].
type socket struct {
	ctx       context.Context // ends with the connection
	cancel    context.CancelFunc
	terminals terminals.Terminals
	by        terminals.Grant
	conn      *ws.Conn
	counted   terminals.Count // as which its sessions count it
	own       func() string   // the ID of the session, "" once it is gone; nil on a socket for all
	work      sync.WaitGroup  // goroutines, for which close waits

	turn    turn            // held while a request is handled, unless it is in a lane; guards lanes
	lanes   map[string]lane // by names of servers
	waiting sync.WaitGroup  // methods that wait; on the socket of a session, Add only with turn held

	mu    sync.Mutex // guards the fields below
	waits map[*wait]struct{}
	subs  []*subscription
}

// A turn is a lock that can be waited for with a deadline. Its capacity is 1; it has a token while
// it is held.
type turn chan struct{}

func (t turn) lock()   { t <- struct{}{} }
func (t turn) unlock() { <-t }

// answerTime is how long a server that stops waits for the answer to the present request.
const answerTime = time.Second

// settle waits until the present request is answered.
func (t turn) settle() {
	select {
	case t <- struct{}{}:
		<-t
	case <-time.After(answerTime):
	}
}

// A wait is a method that waits.
type wait struct {
	session string
	idle    bool // for silence: another one takes its place
	cancel  context.CancelCauseFunc
}

var errSuperseded = errors.New("another call waits for silence in this session now")

func newSocket(ctx context.Context, t terminals.Terminals, by terminals.Grant, conn *ws.Conn, turn turn) *socket {
	ctx, cancel := context.WithCancel(ctx)
	return &socket{ctx: ctx, cancel: cancel, terminals: t, by: by, conn: conn, turn: turn, waits: map[*wait]struct{}{}, lanes: map[string]lane{}}
}

// close ends everything that the socket runs, and waits for it.
func (s *socket) close() {
	s.cancel()
	s.work.Wait()
}

// read handles requests until the connection ends.
func (s *socket) read() {
	for {
		m, err := s.conn.Read(s.ctx)
		if err != nil {
			return
		}
		if !m.Binary {
			s.turn.lock()
			s.handle(m.Data)
			s.turn.unlock()
		}
	}
}

// A request is a call of a method. The rest says what it means.
type request struct {
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Session *string         `json:"session"`
	Server  string          `json:"server"`
	Params  json.RawMessage `json:"params"`

	method    *terminals.Call // nil: the end of a subscription
	at        place
	operation *terminals.Operation
	in, out   any
	wrong     error // why it has no input
}

// handle carries out a request. The caller holds turn.
func (s *socket) handle(data []byte) {
	r, err := s.understand(data)
	if err == nil {
		if name := s.laneOf(r); name != "" {
			err = s.enqueue(name, func() { s.carryOut(r) })
		} else {
			s.carryOut(r)
		}
	}
	if err != nil {
		s.reply(r, nil, err)
	}
}

// understand reads a request. If there is an error, the result has what is known of it.
func (s *socket) understand(data []byte) (r request, err error) {
	if err := json.Unmarshal(data, &r); err != nil {
		wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
		switch {
		case !ok:
			return request{}, fault.New(fault.Invalid, "this is not JSON: %v", err)
		case wrong.Field != "":
			return r, fault.New(fault.Invalid, "%s must be a string", wrong.Field)
		}
		return r, fault.New(fault.Invalid, "a request is an object with method, and maybe id, session, server and params")
	}
	if r.Method == "" {
		return r, fault.New(fault.Invalid, "method is missing")
	}
	r.method = methodOf(r.Method)
	if m := r.method; m == nil && r.Method != "unsubscribe" || m != nil && !m.OfSession() && s.own != nil {
		return r, fault.With(errcode.UnknownMethod, fault.New(fault.Invalid, "there is no method %.60q", r.Method))
	}
	params := map[string]json.RawMessage{}
	if len(r.Params) > 0 {
		if params, err = terminals.Members(r.Params); err != nil {
			return r, fault.New(fault.Invalid, "params must be an object")
		}
	}
	if r.at, err = s.place(r, params); err == nil {
		r.at.session, err = s.target(r, params)
	}
	if err == nil && r.method != nil {
		r.operation, r.in, r.out, r.wrong = decode(r.method, r.at.session, params)
	}
	return r, err
}

// carryOut does what a request asks for. The caller holds turn, or calls it in a lane.
func (s *socket) carryOut(r request) {
	switch {
	case r.method == nil:
		s.unsubscribe(r.at.String())
		s.reply(r, terminals.None{}, nil)
	case r.wrong != nil:
		s.reply(r, nil, terminals.UnlessUnknown(s.ctx, r.at.terminals, s.by, r.at.session, r.wrong))
	case r.operation == &terminals.Watch.Operation:
		s.subscribe(r, *r.in.(*terminals.WatchQuery))
	case r.operation.Kind == terminals.Wait:
		s.wait(r)
	default:
		err := r.at.terminals.Do(s.ctx, s.by, r.operation, r.in, r.out)
		s.reply(r, r.out, err)
	}
}

// A place is where a request is carried out.
type place struct {
	terminals terminals.Terminals
	server    string // that the request names, on which names are plain; "" leaves that to the session
	session   string // or ""
}

// String returns the name of the session among the sessions of all servers.
func (p place) String() string { return p.qualified(p.session) }

func (p place) qualified(session string) string {
	if p.server == "" {
		return session
	}
	return p.server + "/" + session
}

// place returns where a request is carried out, without the session. The server is in the request
// or its parameters; the socket of a session has one already.
func (s *socket) place(r request, params map[string]json.RawMessage) (place, error) {
	if s.own != nil {
		return place{terminals: s.terminals}, nil
	}
	name := r.Server
	if name == "" {
		var err error
		if name, err = terminals.TextParam(params, "server"); err != nil {
			return place{}, err
		}
	}
	t, err := onServer(s.terminals, name)
	return place{terminals: t, server: name}, err
}

// target returns the session of a request, from the socket, the request or its parameters.
func (s *socket) target(r request, params map[string]json.RawMessage) (string, error) {
	switch m := r.method; {
	case m != nil && !m.OfSession():
		return "", nil
	case s.own != nil:
		session := s.own()
		if session == "" && m != nil {
			return "", fault.New(fault.NotFound, "the session of this socket does not exist any more")
		}
		return session, nil
	case r.Session != nil:
		return *r.Session, nil
	}
	names := []string{"session"}
	if r.method != nil {
		for name, member := range r.method.Alias.Members {
			if member == "session" {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		if params[name] != nil {
			return terminals.TextParam(params, name)
		}
	}
	return "", fault.With(errcode.SessionRequired, fault.New(fault.Invalid, "%s needs a session: give its name as session", r.Method))
}

// wait carries out an operation that waits, on a goroutine of its own. A wait for silence takes the
// place of one for the same session.
func (s *socket) wait(r request) {
	ctx, cancel := context.WithCancelCause(s.ctx)
	w := &wait{r.at.String(), r.operation == &terminals.AwaitIdle.Operation, cancel}
	s.mu.Lock()
	if len(s.waits) >= maxWaits {
		s.mu.Unlock()
		cancel(nil)
		s.reply(r, nil, fault.New(fault.Exhausted, "%d methods of this socket wait already", maxWaits))
		return
	}
	for other := range s.waits {
		if w.idle && other.idle && other.session == w.session {
			other.cancel(errSuperseded)
		}
	}
	s.waits[w] = struct{}{}
	s.waiting.Add(1)
	s.mu.Unlock()
	s.work.Go(func() {
		defer s.waiting.Done()
		err := r.at.terminals.Do(ctx, s.by, r.operation, r.in, r.out)
		s.mu.Lock()
		delete(s.waits, w)
		s.mu.Unlock()
		late, superseded := r.method.Alias.Late, err != nil && errors.Is(context.Cause(ctx), errSuperseded)
		switch {
		case superseded && late != "":
			err = fault.With(errcode.QuiesceSuperseded, errSuperseded)
		case superseded:
			err = fault.With(errcode.IdleSuperseded, errSuperseded)
		case late != "" && fault.KindOf(err) == fault.Timeout:
			err = fault.With(fault.Detail(late), err)
		}
		cancel(nil)
		s.reply(r, r.out, err)
	})
}

func (s *socket) reply(r request, result any, err error) { s.send(appendReply(nil, r, result, err)) }

// send sends a message. If that fails, the connection has ended or is about to.
func (s *socket) send(message []byte) {
	_ = s.conn.Send(s.ctx, ws.Message{Data: message})
}

func appendReply(b []byte, r request, result any, err error) []byte {
	b = append(b, '{')
	if r.ID != nil {
		b = append(append(append(b, `"id":`...), r.ID...), ',')
	}
	if r.Method != "" {
		b = append(append(append(b, `"method":`...), httpio.AppendJSON(nil, r.Method)...), ',')
	}
	if err != nil {
		b = append(append(b, `"error":{"code":`...), httpio.AppendJSON(nil, errcode.Of(err))...)
		b = append(append(append(b, `,"message":`...), httpio.AppendJSON(nil, err.Error())...), '}')
		if run, ok := result.(*terminals.Run); !ok || run.Screen == nil {
			return append(b, '}')
		}
		b = append(b, ',') // what is known of a command that is not over
	}
	b = append(b, `"result":`...)
	return append(httpio.AppendJSON(b, result), '}')
}

// finish closes the connection when the client has the last events and answers.
func (s *socket) finish() {
	late := time.AfterFunc(endPatience, func() { s.conn.Close(ws.NormalClosure, sessionEnded) })
	defer late.Stop()
	s.mu.Lock()
	subs := slices.Clone(s.subs)
	s.mu.Unlock()
	for _, sub := range subs {
		<-sub.done
	}
	s.turn.lock() // after the reply to a request that has ended the session
	defer s.turn.unlock()
	s.waiting.Wait()
	s.conn.Finish(ws.NormalClosure, sessionEnded)
}

// follow sends changes of the sessions.
func (s *socket) follow(changes *terminals.Parts[terminals.Changes]) {
	for {
		c, err := changes.Next(s.ctx)
		if err != nil {
			return
		}
		if c.Missed > 0 {
			s.send(httpio.AppendJSON(nil, wire.Lagged{Type: "lifecycle_lagged", Skipped: c.Missed}))
		}
		for _, e := range c.Events {
			if e.Event == "session_destroyed" {
				s.awaitLast(e.Params.Name)
			}
			s.send(httpio.AppendJSON(nil, e))
		}
	}
}
