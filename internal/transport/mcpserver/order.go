package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	mu         sync.Mutex       // guards the fields below
	lastAlone  *turn            // nil before the first one
	inSession  map[string]*turn // the last turn of each session since lastAlone
	sinceAlone []*turn          // all turns since lastAlone that may not be over
	pruneAt    int              // length of sinceAlone at which it is pruned
	tickets    map[string]*call // calls that have arrived and were not claimed yet
	lastTicket uint64
}

// A turn is the place of one call in the order.
type turn struct {
	// after are the turns to wait for. Once over is closed nothing changes it: it is empty unless
	// the call was abandoned before its turn; then later calls wait for those turns as well.
	after []*turn
	over  chan struct{} // closed by end
}

func newTurns() *turns {
	return &turns{inSession: map[string]*turn{}, pruneAt: 64, tickets: map[string]*call{}}
}

// take returns the next turn for a call that has an order.
func (q *turns) take(scope scope, session string) *turn {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.takeLocked(scope, session)
}

func (q *turns) takeLocked(scope scope, session string) *turn {
	t := &turn{over: make(chan struct{})}
	if q.lastAlone != nil {
		t.after = append(t.after, q.lastAlone)
	}
	switch scope {
	case alone:
		t.after = append(t.after, q.sinceAlone...)
		q.lastAlone, q.sinceAlone = t, nil
		clear(q.inSession)
		return t
	case inSession:
		if last := q.inSession[session]; last != nil {
			t.after = append(t.after, last)
		}
		q.inSession[session] = t
	}
	if len(q.sinceAlone) >= q.pruneAt {
		q.pruneLocked()
	}
	q.sinceAlone = append(q.sinceAlone, t)
	return t
}

// pruneLocked forgets turns that no call needs to wait for. It runs when their number has doubled.
func (q *turns) pruneLocked() {
	q.sinceAlone = slices.DeleteFunc(q.sinceAlone, (*turn).isDone)
	q.pruneAt = max(64, 2*len(q.sinceAlone))
	maps.DeleteFunc(q.inSession, func(_ string, t *turn) bool { return t.isDone() })
	if q.lastAlone != nil && q.lastAlone.isDone() {
		q.lastAlone = nil
	}
}

// isDone reports whether a turn is over and so are all those before it.
func (t *turn) isDone() bool {
	select {
	case <-t.over:
		return len(t.after) == 0
	default:
		return false
	}
}

// wait returns when it is the call's turn, or when ctx ends, with its cause.
func (t *turn) wait(ctx context.Context) error {
	for len(t.after) > 0 {
		last := len(t.after) - 1
		before := t.after[last]
		select {
		case <-before.over:
			t.after = append(t.after[:last], before.after...)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	t.after = nil
	return nil
}

// end says that the call is over. It must be called once.
func (t *turn) end() { close(t.over) }

// arrive gives a call a ticket and, unless it is unordered, a turn. The ticket names the call to
// its handler. The transport must give it back with abandon when the call has been answered, or
// never will be: the handler may not have been called.
//
// before are the turns of earlier calls on the same connection that a shared call waits for.
func (q *turns) arrive(c *call, scope scope, session string, before []*turn) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lastTicket++
	c.ticket = strconv.FormatUint(q.lastTicket, 10)
	q.tickets[c.ticket] = c
	if scope != unordered {
		c.turn = q.takeLocked(scope, session)
		c.turn.after = append(c.turn.after, before...)
	}
}

// claim returns the call of a ticket, whose turn the caller must end, or nil if it was claimed or
// abandoned before.
func (q *turns) claim(ticket string) *call {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.tickets[ticket]
	delete(q.tickets, ticket)
	return c
}

// abandon ends the turn of a ticket that no handler has claimed.
func (q *turns) abandon(ticket string) {
	if c := q.claim(ticket); c != nil && c.turn != nil {
		c.turn.end()
	}
}

func (s *Server) orderOf(method string, params json.RawMessage) (scope, string) {
	switch method {
	case "resources/read":
		var read struct {
			URI string `json:"uri"`
		}
		if json.Unmarshal(params, &read) != nil {
			return unordered, ""
		}
		return s.orderOfRead(read.URI)
	case "tools/call":
		var call struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		if json.Unmarshal(params, &call) != nil {
			return unordered, ""
		}
		return s.orderOfTool(call.Name, call.Arguments)
	}
	return unordered, ""
}

func (s *Server) orderOfRead(uri string) (scope, string) {
	if s.reads == nil {
		return unordered, ""
	}
	order := s.reads(uri)
	return order.scope, order.otherwise
}

func (s *Server) orderOfTool(name string, arguments json.RawMessage) (scope, string) {
	t := s.tools[name]
	if t.order.scope != inSession {
		return t.order.scope, ""
	}
	if t.order.waits != "" && argument[bool](t.input(), arguments, t.order.waits) {
		return unordered, ""
	}
	return inSession, cmp.Or(argument[string](t.input(), arguments, t.order.argument), t.order.otherwise)
}

// inOrder has calls wait for their turns.
func inOrder(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if call, ok := ctx.Value(arrivedKey{}).(*call); ok && call.turn != nil {
			if err := call.turn.wait(ctx); err != nil {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}
