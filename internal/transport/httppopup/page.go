package httppopup

import (
	"context"
	"math"
	"net/http"
	"slices"
	"time"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/popup/wire"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/wake"
)

const (
	maxReceived   = 5 << 20 // bytes in a page's message
	helloWithin   = 10 * time.Second
	maxListed     = 20 // questions in a page's queue
	listedHistory = 30
)

// A Guest is a page that is connected.
type Guest struct {
	pages *Pages
	wake  chan struct{} // capacity 1; a token means that the state may have changed
	leave context.CancelFunc

	// Guarded by the mutex of the pages.
	focused   bool
	looked    time.Time            // when it last had the focus
	displayed map[string]time.Time // the questions that it displays, and since when
	listed    map[string]bool      // the questions that its present state has
	over      bool                 // the questions for which a view was brought are over
}

func newGuest(p *Pages) *Guest {
	return &Guest{pages: p, wake: make(chan struct{}, 1), displayed: map[string]time.Time{}, listed: map[string]bool{}}
}

// join connects a page, which gets the newest state by deliver, from one goroutine, whenever that
// has changed.
func (p *Pages) join(focused bool, deliver func(ctx context.Context, msg []byte)) *Guest {
	g := newGuest(p)
	var ctx context.Context
	ctx, g.leave = context.WithCancel(p.ctx)
	p.guests.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-g.wake:
				deliver(ctx, jsonrpc.MustMarshal(p.state(g)))
			}
		}
	})
	p.look(g, focused)
	p.mu.Lock()
	p.pages[g] = struct{}{}
	wake.Up(g.wake)
	p.signalLocked()
	p.mu.Unlock()
	p.opts.Broker.Recheck()
	p.opts.Changed()
	return g
}

// Leave disconnects the page. It may be called more than once.
func (g *Guest) Leave() {
	g.leave()
	p := g.pages
	p.mu.Lock()
	delete(p.pages, g)
	p.signalLocked()
	p.mu.Unlock()
	p.opts.Changed()
}

func (p *Pages) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !isFromQuestions(r) {
		http.Error(w, "Refused: only the server's own page with the questions can answer them.", http.StatusForbidden)
		return
	}
	err := ws.Serve(w, r, ws.Options{Limits: ws.Limits{Received: maxReceived}}, p.talk)
	if err != nil {
		p.opts.Log.Debug("WebSocket refused", "error", err) // it has been answered
	}
}

// talk serves one page until its connection ends.
func (p *Pages) talk(ctx context.Context, conn *ws.Conn) {
	late := time.AfterFunc(helloWithin, func() { conn.Close(ws.PolicyViolation, "no hello in time") })
	first, err := conn.Read(ctx)
	late.Stop()
	hello := wire.Decode(first.Data)
	if err != nil || hello.Type != "hello" {
		conn.Close(ws.PolicyViolation, "the first message must be a hello")
		return
	}
	g := p.join(hello.Focused, func(ctx context.Context, msg []byte) {
		_ = conn.Send(ctx, ws.Message{Data: msg}) // reading notices if it has failed
	})
	defer g.Leave()
	for {
		msg, err := conn.Read(ctx)
		if err != nil {
			return
		}
		m := wire.Decode(msg.Data)
		reply, ok := p.handle(g, m)
		if !ok {
			conn.Close(ws.PolicyViolation, "unknown message type "+string(jsonrpc.MustMarshal(m.Type)))
			return
		}
		if reply != nil {
			conn.Deliver(reply)
			wake.Up(g.wake)
		}
	}
}

// handle handles a message of a page that has said hello. The reply, which may be nil, is for the
// page; a message of an unknown type is not ok.
func (p *Pages) handle(c *Guest, m wire.Received) (reply []byte, ok bool) {
	switch m.Type {
	case "focus":
		p.look(c, m.Focused)
	case "shown":
		if !slices.ContainsFunc(p.opts.Broker.Pending(), func(a popup.Asked) bool { return a.ID == m.ID }) {
			return nil, true // it is over
		}
		p.mu.Lock()
		if c.displayed[m.ID].IsZero() {
			c.displayed[m.ID] = time.Now()
		}
		shows := p.active[m.ID] > 0
		p.signalLocked()
		p.mu.Unlock()
		if !shows { // the person has come back to a question that had gone elsewhere, or nowhere
			p.opts.Broker.Recheck()
		}
	case "hidden":
		p.mu.Lock()
		delete(c.displayed, m.ID)
		p.signalLocked()
		p.mu.Unlock()
	case "active":
		_, _ = p.opts.Broker.Answer(m.ID, question.Reply{Action: question.Active}, p.Name()) // it may be over
	case "answer":
		return jsonrpc.MustMarshal(p.answer(c, m)), true
	default:
		return nil, false
	}
	return nil, true
}

// look records whether a page has the focus.
func (p *Pages) look(c *Guest, focused bool) {
	p.mu.Lock()
	if c.focused || focused {
		c.looked = time.Now()
	}
	gained := focused && !c.focused
	c.focused = focused
	p.mu.Unlock()
	if gained {
		p.opts.Broker.Recheck()
	}
}

func (p *Pages) answer(c *Guest, m wire.Received) wire.Verdict {
	if p.chat {
		if wait, ok := p.mayAnswer(c, m.ID); !ok {
			return wire.Verdict{Type: "verdict", ID: m.ID, Error: "Please read the question first.", Again: int64(math.Ceil(wait.Seconds() * 1e3))}
		}
	}
	_, err := p.opts.Broker.Answer(m.ID, m.Reply(), p.Name())
	return wire.VerdictOn(m.ID, err)
}
