package httppopup

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup/question"
)

// statusNoToken is the close code for a page that does not know the token: it asks for the token again, as after a restart.
const statusNoToken websocket.StatusCode = 4401

const (
	maxReceived  = 1 << 20 // bytes in a page's message
	helloWithin  = 10 * time.Second
	sendWithin   = 30 * time.Second
	pingEvery    = 20 * time.Second
	maxShown     = 20 // questions that a page is told of
	shownHistory = 30
)

// A page is one connection.
type page struct {
	wake chan struct{} // capacity 1; a token means that there is something to tell

	// Guarded by the mutex of the pages.
	focused bool
	looked  time.Time // when it last had the focus
	shown   map[string]bool

	mu      sync.Mutex // guards the field below
	replies [][]byte
}

func (c *page) wakeUp() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *page) reply(v any) {
	c.mu.Lock()
	c.replies = append(c.replies, encode(v))
	c.mu.Unlock()
	c.wakeUp()
}

func (c *page) takeReplies() [][]byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	replies := c.replies
	c.replies = nil
	return replies
}

// received is any message of a page; docs/popup.md has them.
type received struct {
	Type    string          `json:"type"`
	Token   string          `json:"token"`
	Focused bool            `json:"focused"`
	ID      string          `json:"id"`
	Action  question.Action `json:"action"`
	Values  []string        `json:"values"`
	Text    string          `json:"text"`
}

func (p *Pages) serveSocket(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil) // which refuses pages of other origins, too
	if err != nil {
		p.opts.Log.Debug("WebSocket refused", "error", err)
		return
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxReceived)
	hello, ok := p.readHello(r.Context(), conn)
	if !ok {
		_ = conn.Close(statusNoToken, "the first message must be a hello with the token of /popup-token")
		return
	}
	c := &page{wake: make(chan struct{}, 1), shown: map[string]bool{}}
	p.look(c, hello.Focused)
	p.add(c)
	defer p.remove(c)

	ctx, cancel := context.WithCancel(r.Context())
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer cancel()
		p.write(ctx, conn, c)
	}()
	p.readAll(ctx, conn, c)
	cancel()
	<-written
}

// readHello reads the first message, which must have the token.
func (p *Pages) readHello(ctx context.Context, conn *websocket.Conn) (received, bool) {
	ctx, cancel := context.WithTimeout(ctx, helloWithin)
	defer cancel()
	m, err := read(ctx, conn)
	return m, err == nil && m.Type == "hello" && subtle.ConstantTimeCompare([]byte(m.Token), []byte(p.token)) == 1
}

func read(ctx context.Context, conn *websocket.Conn) (received, error) {
	var m received
	_, data, err := conn.Read(ctx)
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(data, &m)
}

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

// readAll takes what the page says until it has gone.
func (p *Pages) readAll(ctx context.Context, conn *websocket.Conn, c *page) {
	for {
		m, err := read(ctx, conn)
		if err != nil {
			return
		}
		switch m.Type {
		case "focus":
			p.look(c, m.Focused)
		case "shown":
			p.mu.Lock()
			c.shown[m.ID] = true
			p.tellLocked()
			p.mu.Unlock()
		case "answer":
			c.reply(p.answer(m))
		default:
			_ = conn.Close(websocket.StatusPolicyViolation, "there is no message of type "+strconv.Quote(m.Type))
			return
		}
	}
}

// A verdict tells a page what became of its answer.
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

// write tells the page what there is whenever that has changed.
func (p *Pages) write(ctx context.Context, conn *websocket.Conn, c *page) {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	known := map[string]bool{}
	for {
		select {
		case <-ctx.Done():
			_ = conn.Close(websocket.StatusGoingAway, "the server is stopping")
			return
		case <-ping.C:
			if limited(ctx, conn.Ping) != nil {
				return
			}
		case <-c.wake:
			messages := append(c.takeReplies(), encode(p.state(known)))
			for _, m := range messages {
				err := limited(ctx, func(ctx context.Context) error { return conn.Write(ctx, websocket.MessageText, m) })
				if err != nil {
					return
				}
			}
		}
	}
}

func limited(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, sendWithin)
	defer cancel()
	return f(ctx)
}
