package httppopup

import (
	"sync"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/wire"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/wake"
)

// tooFast is less than a person needs to read and react.
const tooFast = 400 * time.Millisecond

// NewChat returns the views in conversations as a channel for questions: pages that connect by
// [Pages.Join] and learn only of the questions that they are to display. Each question brings a
// view of its own, so a view whose questions are over displays no others. The caller must Close it.
func NewChat(b Broker) *Pages {
	if b == nil {
		panic("httppopup: Broker is required")
	}
	return newPages(PagesOptions{Broker: b}, popup.Chat)
}

// NewOpenChat returns the views in conversations that are open for another purpose, such as
// displaying an app, as a channel for the questions of apps and programs. Those of agents, whose
// tool calls bring a view, are not displayed there. The caller must Close it.
func NewOpenChat(b Broker) *Pages {
	p := NewChat(b)
	p.open = true
	return p
}

// NewPanes returns pages that display terminals of other hosts, as a channel beside those of this
// one. They connect by [Pages.Join]. The caller must Close it.
func NewPanes(b Broker) *Pages {
	p := newPages(PagesOptions{Broker: b}, popup.Terminal)
	p.open = true
	return p
}

// A Guest is a page that is connected by other means than a WebSocket.
type Guest struct {
	pages *Pages
	page  *page
	wake  chan struct{} // capacity 1; a token means that the state may have changed
	left  chan struct{} // closed by Leave
	leave sync.Once
}

// Join connects a page. It gets its messages by deliver, which must not block, until Leave; one
// call may still be running when Leave returns.
func (p *Pages) Join(deliver func(msg []byte)) *Guest {
	g := &Guest{pages: p, wake: make(chan struct{}, 1), left: make(chan struct{})}
	g.page = newPage()
	g.page.conn = g
	p.guests.Go(func() {
		for {
			select {
			case <-g.left:
				return
			case <-p.closed:
				return
			case <-g.wake:
				deliver(jsonrpc.MustMarshal(p.state(g.page)))
			}
		}
	})
	p.joined.Add(1)
	p.add(g.page)
	return g
}

// Joined returns how many pages have joined so far.
func (p *Pages) Joined() int64 { return p.joined.Load() }

// Wake sends the page the present state.
func (g *Guest) Wake() {
	wake.Up(g.wake)
}

// Receive handles a message of the page. The reply, which may be nil, is for the page.
func (g *Guest) Receive(msg []byte) (reply []byte, err error) {
	reply, ok := g.pages.handle(g.page, wire.Decode(msg))
	if !ok {
		return nil, fault.New(fault.Invalid, "unknown message about questions")
	}
	return reply, nil
}

// Leave disconnects the page. It may be called more than once.
func (g *Guest) Leave() {
	g.leave.Do(func() {
		close(g.left)
		g.pages.remove(g.page)
	})
}

var _ popup.Channel = (*Pages)(nil)
