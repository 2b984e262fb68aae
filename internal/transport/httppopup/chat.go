package httppopup

import (
	"context"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/core"
	"ui-mcp/internal/popup/wire"
)

// tooFast is less than a person needs to read and react.
const tooFast = 400 * time.Millisecond

// NewChat returns the views in conversations as a channel for questions: pages that connect by
// [Pages.Join] and learn only of the questions that they are to display. Each question brings a
// view of its own, so a view whose questions are over displays no others. The caller must Close it.
func NewChat(b *popup.Broker) *Pages {
	return newPages(PagesOptions{Broker: b}, core.Chat, false)
}

// NewOpenChat returns the views in conversations that are open for another purpose, such as
// displaying an app, as a channel for the questions of apps and programs. Those of agents, whose
// tool calls bring a view, are not displayed there. The caller must Close it.
func NewOpenChat(b *popup.Broker) *Pages {
	return newPages(PagesOptions{Broker: b}, core.Chat, true)
}

// NewPanes returns pages that display terminals of other hosts, as a channel beside those of this
// one. They connect by [Pages.Join]. The caller must Close it.
func NewPanes(b *popup.Broker) *Pages {
	return newPages(PagesOptions{Broker: b}, core.Terminal, true)
}

// Join connects a page by other means than a WebSocket. It gets its messages by deliver, which must
// not block, until Leave; one call may still be running when Leave returns.
func (p *Pages) Join(deliver func(msg []byte)) *Guest {
	p.joined.Add(1)
	return p.join(false, func(_ context.Context, msg []byte) { deliver(msg) })
}

// Joined returns how many pages have joined so far.
func (p *Pages) Joined() int64 { return p.joined.Load() }

// Receive handles a message of the page. The reply, which may be nil, is for the page.
func (g *Guest) Receive(msg []byte) (reply []byte, err error) {
	reply, ok := g.pages.handle(g, wire.Decode(msg))
	if !ok {
		return nil, fault.New(fault.Invalid, "unknown message about questions")
	}
	return reply, nil
}

var _ popup.Channel = (*Pages)(nil)
