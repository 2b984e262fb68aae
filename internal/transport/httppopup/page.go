package httppopup

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/ws"
)

const (
	maxReceived   = 1 << 20 // bytes in a page's message
	helloWithin   = 10 * time.Second
	maxListed     = 20 // questions in a page's queue
	listedHistory = 30
)

// A page is one connection.
type page struct {
	conn *ws.Conn

	// Guarded by the mutex of the pages.
	focused   bool
	looked    time.Time       // when it last had the focus
	displayed map[string]bool // the questions that it displays
}

// received is any message of a page; docs/popup.md has them.
type received struct {
	Type    string          `json:"type"`
	Focused bool            `json:"focused"`
	ID      string          `json:"id"`
	Action  question.Action `json:"action"`
	Values  []string        `json:"values"`
	Text    string          `json:"text"`
}

func (p *Pages) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !isFromQuestions(r) {
		http.Error(w, "Refused: only the server's own page with the questions can answer them.", http.StatusForbidden)
		return
	}
	known := map[string]bool{} // the questions that the page has been sent
	err := ws.Serve(w, r, ws.Options{
		Limits: ws.Limits{Received: maxReceived},
		Pull:   func() [][]byte { return [][]byte{encode(p.state(known))} },
	}, p.talk)
	if err != nil {
		p.opts.Log.Debug("WebSocket refused", "error", err) // it has been answered
	}
}

// talk serves one page until its connection ends.
func (p *Pages) talk(ctx context.Context, conn *ws.Conn) {
	hello, ok := p.readHello(ctx, conn)
	if !ok {
		conn.Close(ws.PolicyViolation, "the first message must be a hello")
		return
	}
	c := &page{conn: conn, displayed: map[string]bool{}}
	p.look(c, hello.Focused)
	p.add(c)
	defer p.remove(c)
	for {
		msg, err := conn.Read(ctx)
		if err != nil {
			return
		}
		switch m := decode(msg); m.Type {
		case "focus":
			p.look(c, m.Focused)
		case "shown":
			p.mu.Lock()
			c.displayed[m.ID] = true
			p.signalLocked()
			p.mu.Unlock()
		case "hidden":
			p.mu.Lock()
			delete(c.displayed, m.ID)
			p.signalLocked()
			p.mu.Unlock()
		case "answer":
			conn.Deliver(encode(p.answer(m)))
			conn.Wake()
		default:
			conn.Close(ws.PolicyViolation, "unknown message type "+string(encode(m.Type)))
			return
		}
	}
}

// readHello reads the first message.
func (p *Pages) readHello(ctx context.Context, conn *ws.Conn) (received, bool) {
	late := time.AfterFunc(helloWithin, func() { conn.Close(ws.PolicyViolation, "no hello in time") })
	defer late.Stop()
	msg, err := conn.Read(ctx)
	if err != nil {
		return received{}, false
	}
	m := decode(msg)
	return m, m.Type == "hello"
}

// decode returns a page's message. A malformed one has no type.
func decode(msg ws.Message) received {
	var m received
	if json.Unmarshal(msg.Data, &m) != nil {
		return received{}
	}
	return m
}

// look records whether a page has the focus.
func (p *Pages) look(c *page, focused bool) {
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

// A verdict tells a page whether its answer was accepted.
type verdict struct {
	Type  string `json:"type"` // "verdict"
	ID    string `json:"id"`
	OK    bool   `json:"ok"`
	Over  bool   `json:"over,omitempty"` // the question is over, however it ended
	Error string `json:"error,omitempty"`
}

func (p *Pages) answer(m received) verdict {
	_, err := p.opts.Broker.Answer(m.ID, question.Reply{Action: m.Action, Values: m.Values, Text: m.Text}, p.Name())
	if err != nil {
		return verdict{Type: "verdict", ID: m.ID, Over: fault.KindOf(err) != fault.Invalid, Error: err.Error()}
	}
	return verdict{Type: "verdict", ID: m.ID, OK: true, Over: true}
}

// encode encodes a message to a page.
func encode(v any) []byte {
	data, err := jsonrpc.Marshal(v)
	if err != nil {
		panic(err) // the program's own types can be encoded
	}
	return data
}
