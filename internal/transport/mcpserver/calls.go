package mcpserver

import (
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// calls are the requests on one link that have not been answered.
// All methods may be called from any goroutine.
type calls struct {
	mu      sync.Mutex // guards the fields below
	open    map[jsonrpc.ID]call
	awaited int             // begun and not ended, without those that wait for ever
	waiting []chan struct{} // closed when awaited becomes 0
}

// A call is what is known about one request.
type call struct {
	req       *jsonrpc.Request
	session   *era   // nil when no session has it
	stop      func() // called when it is cancelled, or nil
	cancelled bool
	awaited   bool
}

func newCalls() *calls { return &calls{open: map[jsonrpc.ID]call{}} }

// begin notes a request to a session, or to none, and what stops it where the session does not; it reports false when
// its id is in use.
func (c *calls) begin(req *jsonrpc.Request, session *era, stop func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, used := c.open[req.ID]; used {
		return false
	}
	// A subscription is answered when it ends, so it is nothing to wait for.
	awaited := req.Method != "subscriptions/listen"
	c.open[req.ID] = call{req: req, session: session, stop: stop, awaited: awaited}
	if awaited {
		c.awaited++
	}
	return true
}

// cancel notes that the client no longer wants the answer to the call that the
// parameters of a notifications/cancelled name, and stops it. It returns the session that has
// the call, or nil, and whether there is such a call.
func (c *calls) cancel(params json.RawMessage) (session *era, known bool) {
	var p struct {
		RequestID any `json:"requestId"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, false
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	if err != nil {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	call, ok := c.open[id]
	if !ok {
		return nil, false
	}
	call.cancelled = true
	c.open[id] = call
	if call.stop != nil {
		call.stop()
	}
	return call.session, true
}

// take frees the id, which the client may use again as soon as it has the
// answer, and returns the call; the zero call if there is none. The caller
// passes it to end when the answer has been written.
func (c *calls) take(id jsonrpc.ID) call {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.open[id]
	delete(c.open, id)
	return call
}

// end notes that a call that take returned has been answered.
func (c *calls) end(call call) {
	if !call.awaited {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited--
	if c.awaited == 0 {
		for _, w := range c.waiting {
			close(w)
		}
		c.waiting = nil
	}
}

// idle returns a channel that is closed when no call awaits its answer.
func (c *calls) idle() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	done := make(chan struct{})
	if c.awaited == 0 {
		close(done)
	} else {
		c.waiting = append(c.waiting, done)
	}
	return done
}
