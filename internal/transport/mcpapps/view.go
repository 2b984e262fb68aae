package mcpapps

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/relay"
)

// control is the channel of messages about the view itself. docs/protocol.md has them.
const control = "view"

// questions is the channel of messages about questions. docs/protocol.md has them.
const questions = "question"

// Codes of channels that end, as of WebSockets.
const (
	codeGoingAway = 1001
	codeNoSession = 4404
)

type subject struct {
	what    subjectKind
	session string // of the app, or of terminals
}

// newTerminal is a terminal that is being created.
var newTerminal = subject{what: terminalSubject}

type subjectKind uint8

const (
	appSubject subjectKind = iota
	terminalSubject
	questionSubject // questions only
)

type view struct {
	views  *Views
	relay  *relay.View
	number int64              // of its hello
	tool   string             // whose call it belongs to, or ""
	app    string             // that the call names, if the hello said so
	guest  attachedterm.Guest // nil if there are no questions

	// presenting is held while the view is told what to display, so that the last message is about
	// the present subject. It is taken before mu.
	presenting sync.Mutex

	requests atomic.Int64 // sent to the host so far
	waiting  sync.Map     // for the host's answers: a chan string, by the number of the request

	mu       sync.Mutex // guards the fields below; never held while another package is called
	closed   bool
	shows    subject
	terminal string // the ID of the terminal that the view displays, or ""; it outlasts the name
	wants    string // the name of the terminal that is being created, if the tool was given one
	channels int    // how many channels to sessions of apps were opened so far
	page     *page  // nil while there is no session of an app
	host     app.ChatState
	conn     *connection // nil while no terminal is connected
}

// A page makes a view a client of a session.
type page struct {
	view    *relay.View
	channel string
	id      string // of the session
	session Session
}

// Deliver implements [ui.Client].
func (p *page) Deliver(msg []byte) bool { return p.view.Send(p.channel, msg) }

// Where implements [ui.Placed].
func (p *page) Where() string { return "in the page in the conversation" }

// toView is any message on the control channel to a view.
type toView struct {
	Type    string `json:"type"`
	What    string `json:"what,omitempty"`
	Session string `json:"session,omitempty"`
	// Terminal is the ID of a terminal session, whose name is Session.
	Terminal string `json:"terminal,omitempty"`
	Channel  string `json:"channel,omitempty"`
	URL      string `json:"url,omitempty"`
	Text     string `json:"text,omitempty"`
	Code     int    `json:"code,omitempty"`
	Name     string `json:"name,omitempty"`
	SVG      string `json:"svg,omitempty"`
	ID       int64  `json:"id,omitempty"`
	Value    any    `json:"value,omitempty"`
	// ReadOnly says that nothing can be typed.
	ReadOnly bool `json:"readOnly,omitempty"`
}

// fromView is any message on the control channel from a view.
type fromView struct {
	Type      string          `json:"type"`
	Input     input           `json:"input"`
	Created   word            `json:"created"` // the terminal session in the tool's result
	Name      string          `json:"name"`
	Channel   string          `json:"channel"`
	Typing    bool            `json:"typing"`
	ID        int64           `json:"id"`
	Text      string          `json:"text"`
	Host      json.RawMessage `json:"host"`
	Operation string          `json:"operation"`
	Arguments json.RawMessage `json:"arguments"`
}

func (v *view) send(m toView) bool { return v.relay.Send(control, jsonrpc.MustMarshal(m)) }

// show connects the view to its session, or makes it say why that is not possible.
func (v *view) show(ctx context.Context) {
	v.presenting.Lock()
	defer v.presenting.Unlock()
	shows := v.subject()
	id := shows.session
	switch shows.what {
	case terminalSubject:
		v.disconnect(nil, codeGoingAway)
		v.showTerminal(ctx, id)
		return
	case questionSubject:
		v.send(toView{Type: "show", What: "question", URL: v.views.pageURL(id)})
		return
	}
	v.disconnectTerminal()
	if calls, _ := v.views.count(shows, 0); calls > 0 && v.tool == displayTool && v.waits() {
		v.send(toView{Type: "show", What: "nothing", Session: id})
		return
	}
	session, err := v.views.opts.Session(ctx, id)
	if err != nil {
		v.disconnect(nil, codeNoSession)
		v.send(toView{Type: "show", What: "nothing", Text: nothing(err)})
		return
	}
	v.mu.Lock()
	v.channels++
	p := &page{view: v.relay, channel: "page:" + strconv.Itoa(v.channels), id: id, session: session}
	before, closed := v.page, v.closed
	if !closed {
		v.page = p
	}
	v.mu.Unlock()
	before.detach()
	if closed {
		return
	}
	v.send(toView{Type: "show", What: "app", Session: id, Channel: p.channel, URL: v.views.pageURL(id)})
	if err := session.Attach(ctx, p); err != nil {
		v.drop(p, err)
		return
	}
	v.mu.Lock()
	late := v.page != p // it was closed or replaced meanwhile
	v.mu.Unlock()
	if late {
		p.detach()
	}
	v.views.noteProgress()
	v.views.changed(id)
}

// nothing returns a sentence on why the view has nothing to display.
func nothing(err error) string {
	if fault.KindOf(err) == fault.NotFound {
		return "There is no such session any more."
	}
	return "No app is running. The agent can start one."
}

func (p *page) detach() {
	if p != nil {
		p.session.Detach(p)
	}
}

// drop ends the connection of a page because of err.
func (v *view) drop(p *page, err error) {
	code := codeGoingAway
	if fault.KindOf(err) == fault.NotFound {
		code = codeNoSession
	}
	if v.disconnect(p, code) {
		v.views.opts.Log.Info("a view has lost its session", "error", err)
	}
}

// disconnect disconnects the view from its session of apps, unless its page is another than the
// given one. It reports whether there was a page; nil means any.
func (v *view) disconnect(only *page, code int) bool {
	v.mu.Lock()
	p := v.page
	if p == nil || only != nil && only != p {
		v.mu.Unlock()
		return false
	}
	v.page = nil
	v.mu.Unlock()
	p.detach()
	v.views.changed(p.id)
	v.send(toView{Type: "closed", Channel: p.channel, Code: code})
	return true
}

// waits reports whether the view is to display an app and has no session.
func (v *view) waits() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.shows.what == appSubject && v.page == nil
}

// isOf reports whether the view can belong to a call that has begun to display an app in a session
// after the first hellos, and displays nothing.
func (v *view) isOf(session, app string, first int64) bool {
	return v.tool == displayTool && v.number > first && (v.app == "" || v.app == app) && v.waits() && v.subject().session == session
}

func (v *view) subject() subject {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.shows
}

// hear records that a message of the view has arrived.
func (v *view) hear() {
	vs := v.views
	vs.mu.Lock()
	at := slices.Index(vs.views, v)
	other := at >= 0 && at < len(vs.views)-1 // was heard from last
	if other {
		vs.views = append(slices.Delete(vs.views, at, at+1), v)
	}
	vs.mu.Unlock()
	if shows := v.subject(); other && shows.what == appSubject {
		vs.changed(shows.session)
	}
}

// Receive implements [relay.Handler].
func (v *view) Receive(ctx context.Context, channel string, msg []byte) error {
	v.hear()
	switch {
	case channel == control:
		return v.receive(ctx, msg)
	case channel == questions && v.guest != nil:
		reply, err := v.guest.Receive(msg)
		if reply != nil {
			v.relay.Send(questions, reply)
		}
		return err
	}
	v.mu.Lock()
	p, c := v.page, v.conn
	v.mu.Unlock()
	if c != nil && c.channel == channel {
		return c.receive(ctx, msg)
	}
	if p == nil || p.channel != channel {
		return nil // of a connection that has ended
	}
	err := p.session.Receive(ctx, p, msg)
	if fault.KindOf(err) == fault.Invalid {
		return err
	}
	if err != nil {
		v.drop(p, err)
	}
	return nil
}

func (v *view) receive(ctx context.Context, msg []byte) error {
	var m fromView
	if err := json.Unmarshal(msg, &m); err != nil {
		return fault.New(fault.Invalid, "a message of the view is malformed")
	}
	switch m.Type {
	case "open":
		v.show(ctx)
	case "call":
		if v.learn(m.Input, m.Created) {
			v.show(ctx)
		}
	case "host":
		v.setHost(hostOf(m.Host))
	case "answered":
		v.answered(m.ID, m.Text)
	case "attach":
		return v.attach(m.Channel, m.Typing)
	case "read":
		v.read(ctx, m.ID, m.Operation, m.Arguments)
	case "icon":
		v.send(toView{Type: "icon", Name: m.Name, SVG: icon(v.views.opts.Client, m.Name)})
	default:
		return fault.New(fault.Invalid, "a view sends an unknown message, %q", m.Type)
	}
	return nil
}

// learn stores what the view reports about the call that it belongs to, and returns whether the
// view must display something else now. created is the terminal session in the call's result, or
// "".
func (v *view) learn(in input, created word) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	now := v.shows
	switch {
	case now.what == questionSubject:
	case v.tool == createTool && created == "":
	case created != "" || in.Session != "":
		if v.views.terminalOptions() != nil {
			now = subject{terminalSubject, string(cmp.Or(created, in.Session))}
		}
	case in.SessionID != "":
		now = subject{appSubject, string(in.SessionID)}
	}
	if now == v.shows {
		return false
	}
	v.shows, v.terminal = now, ""
	return true
}

// Close implements [relay.Handler].
func (v *view) Close() {
	v.views.mu.Lock()
	v.views.views = slices.DeleteFunc(v.views.views, func(other *view) bool { return other == v })
	v.views.mu.Unlock()
	v.mu.Lock()
	p, c := v.page, v.conn
	v.page, v.conn, v.closed = nil, nil, true
	v.mu.Unlock()
	p.detach()
	c.end()
	if p != nil {
		v.views.changed(p.id)
	}
	if v.guest != nil {
		v.guest.Leave()
	}
}
