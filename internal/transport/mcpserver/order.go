package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
)

// An Order says which earlier calls a call waits for, and which later ones wait for it. Clients may
// send calls without waiting for answers, and the SDK runs them all at the same time: calls that
// depend on order have to declare it. Calls are ordered by their arrival, whatever the transport.
type Order struct {
	scope     scope
	argument  string // of InSession: names the session
	otherwise string // the session when the argument is left out
	waits     string // a boolean argument with which a call is unordered, or ""
}

type scope uint8

const (
	unordered scope = iota
	inSession
	shared
	alone
)

var (
	// Unordered calls wait for nothing and hold up nothing. It is the zero Order. Calls that wait
	// for a person must have it.
	Unordered = Order{}
	// Shared calls wait for earlier calls that run alone and for all earlier calls on the same
	// connection, so that they see what those have done. Only later calls that run alone wait for
	// them.
	Shared = Order{scope: shared}
	// Alone calls wait for all earlier calls that have an order, and later ones wait for them. It
	// is for the life cycle.
	Alone = Order{scope: alone}
)

// InSession returns the order of calls that are about one session: they wait for earlier calls of
// the same session and for those that run alone. The string argument names the session; it is
// otherwise when the argument is left out.
func InSession(argument, otherwise string) Order {
	return Order{scope: inSession, argument: argument, otherwise: otherwise}
}

// Unless returns o for a tool whose calls wait for a person when the boolean argument is true:
// those calls are unordered.
func (o Order) Unless(argument string) Order {
	o.waits = argument
	return o
}

// turns gives calls their turns. All methods may be called from any goroutine.
type turns struct {
	mu   sync.Mutex // guards the field below
	list []*turn    // in the order of arrival; all that may not be over
}

// A turn is the place of one call in the order.
type turn struct {
	scope   scope
	session string // of scope inSession
	on      *calls // the connection, or nil

	after []*turn         // the turns to wait for
	over  context.Context // ends with the turn, but not before those that it waits for
	close func()          // ends over
}

// take gives a turn that has a scope its place after all others.
func (q *turns) take(t *turn) *turn {
	q.mu.Lock()
	defer q.mu.Unlock()
	t.over, t.close = context.WithCancel(context.Background())
	q.list = slices.DeleteFunc(q.list, func(t *turn) bool { return t.over.Err() != nil })
	for _, earlier := range slices.Backward(q.list) {
		inTurn := t.scope == inSession && earlier.scope == inSession && t.session == earlier.session
		if inTurn || t.scope == alone || earlier.scope == alone || t.scope == shared && t.on != nil && t.on == earlier.on {
			t.after = append(t.after, earlier)
		}
		if inTurn || earlier.scope == alone {
			break // it waits for those before it
		}
	}
	q.list = append(q.list, t)
	return t
}

// wait returns when it is the call's turn, or when ctx ends, with its cause.
func (t *turn) wait(ctx context.Context) error {
	for _, before := range t.after {
		select {
		case <-before.over.Done():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// end says that the call is over. If it was abandoned before its turn, later calls still wait for
// those before it.
func (t *turn) end() {
	for _, before := range t.after {
		if before.over.Err() == nil {
			context.AfterFunc(before.over, t.end)
			return
		}
	}
	t.after = nil
	t.close()
}

// claim reports whether a call's handler may run, which then must end the turn.
func (c *call) claim() bool { return c.claimed.CompareAndSwap(false, true) }

// abandon ends the turn of a call that has been answered, or never will be, unless a handler was
// called.
func (c *call) abandon() {
	if c.claim() && c.turn != nil {
		c.turn.end()
	}
}

// turnOf returns the turn of a call, which it gets when it arrives.
func (s *Server) turnOf(method string, params json.RawMessage) *turn {
	var p struct {
		URI       string          `json:"uri"`
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	_ = json.Unmarshal(params, &p) // who answers the call says what is wrong
	switch method {
	case "resources/read":
		return s.turnOfRead(p.URI)
	case "tools/call":
		return s.turnOfTool(p.Name, p.Arguments)
	}
	return &turn{}
}

func (s *Server) turnOfRead(uri string) *turn {
	if s.reads == nil {
		return &turn{}
	}
	order := s.reads(uri)
	return &turn{scope: order.scope, session: order.otherwise}
}

func (s *Server) turnOfTool(name string, arguments json.RawMessage) *turn {
	t := s.tools[name]
	if t.order.scope != inSession {
		return &turn{scope: t.order.scope}
	}
	if t.order.waits != "" && argument[bool](t.input(), arguments, t.order.waits) {
		return &turn{}
	}
	return &turn{scope: inSession, session: cmp.Or(argument[string](t.input(), arguments, t.order.argument), t.order.otherwise)}
}
