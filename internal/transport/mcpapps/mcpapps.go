// Package mcpapps shows apps and questions in the conversation with an agent: the view, which is
// one document for everything, and the server's end of each view. Views are further pages of the
// sessions that browsers show.
package mcpapps

import (
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/internal/transport/relay"
	"ui-mcp/internal/ui"
)

// RelayTool is the name of the tool that views call.
const RelayTool = "ui_relay"

// questionTool is the tool whose views display questions, and no app.
const questionTool = "popup"

// DefaultSession is the session that views show until another has been displayed.
const DefaultSession = "1"

// A Session is what a view shows. [ui.Session] implements it.
type Session interface {
	// Attach adds a page, which gets a snapshot first.
	Attach(ctx context.Context, c ui.Client) error
	// Detach removes a page. The page need not be attached.
	Detach(c ui.Client)
	// Receive handles a message of the page.
	Receive(ctx context.Context, c ui.Client, msg []byte) error
}

// A Guest is a view that is connected with questions.
type Guest interface {
	// Receive handles a message of the view. The reply, which may be nil, is for the view.
	Receive(msg []byte) (reply []byte, err error)
	// Leave disconnects the view. It must not wait for deliver.
	Leave()
}

// Options configure [New]. All but Questions, Look and Log are required.
type Options struct {
	// Session finds a session; it fails with fault.NotFound, or fault.Precondition while no app
	// runs.
	Session func(id string) (Session, error)
	// PageURL returns the URL of a session's page for the person's browser, or fails while there is
	// none.
	PageURL func(session string) (string, error)
	// Client is the built browser client, with chat.js at its root.
	Client fs.FS
	// Look returns the style of pages, and the classes of their root element; nil means none.
	Look func() (css, classes string)
	// Questions connects a view with the questions that it is to ask, whose messages go to deliver;
	// nil means that there are none.
	Questions func(deliver func(msg []byte)) Guest
	// Tokens admit views.
	Tokens *relay.Tokens
	// Version is that of the program.
	Version string
	// Log gets what hosts and views do; nil discards it.
	Log *slog.Logger
}

// Views are the views in conversations. Use [New].
type Views struct {
	opts     Options
	hub      *relay.Hub
	document document

	mu    sync.Mutex // guards the fields below
	last  string     // the session that was displayed last
	views map[*view]struct{}
}

// New returns a server's views. The caller must Close them.
func New(o Options) (*Views, error) {
	if o.Session == nil || o.PageURL == nil || o.Client == nil || o.Tokens == nil {
		panic("mcpapps: Session, PageURL, Client and Tokens are required")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d, err := newDocument(o.Client)
	if err != nil {
		return nil, err
	}
	v := &Views{opts: o, document: d, last: DefaultSession, views: map[*view]struct{}{}}
	v.hub = relay.NewHub(relay.Options{Open: v.open, Tokens: o.Tokens, Log: o.Log})
	return v, nil
}

// Close ends all views.
func (v *Views) Close() { v.hub.Close() }

// Count returns the number of views that are connected.
func (v *Views) Count() int { return v.hub.Views() }

// Register adds the view and the tool that it calls to s, which needs [mcpview.Tune].
func (v *Views) Register(s *mcpserver.Server) {
	mcpview.AddView(s, mcpview.View{
		URI: mcpview.AppURI, Name: "app", Title: "Live app", Border: true,
		Description: "The view in which the conversation shows the app.",
		HTML: func(context.Context) (string, error) {
			v.opts.Log.Info("a host reads the view")
			return v.html()
		},
	})
	mcpview.AddRelay(s, RelayTool, v.hub, v.opts.Log)
}

// html returns the document for one view.
func (v *Views) html() (string, error) {
	look := look{}
	if v.opts.Look != nil {
		look.css, look.classes = v.opts.Look()
	}
	url, err := v.opts.PageURL(v.session())
	if err != nil {
		url = "" // no app runs yet
	}
	return v.document.html(config{
		Token: v.opts.Tokens.New(), Tool: RelayTool, Resource: mcpview.AppURI, Version: v.opts.Version, URL: url,
	}, look)
}

// Displayed makes new views show a session, and those that show nothing.
func (v *Views) Displayed(session string) {
	v.mu.Lock()
	v.last = session
	v.mu.Unlock()
	v.Refresh()
}

// Refresh looks again for the sessions of views that have none. Call it when an app may have
// started.
func (v *Views) Refresh() {
	for _, one := range v.all() {
		if !one.asks && !one.isAttached() {
			one.show(context.Background())
		}
	}
}

// Disconnect takes the sessions away from all views. Call it when they are about to end.
func (v *Views) Disconnect() {
	for _, one := range v.all() {
		one.disconnect(codeGoingAway)
	}
}

func (v *Views) all() []*view {
	v.mu.Lock()
	defer v.mu.Unlock()
	list := make([]*view, 0, len(v.views))
	for one := range v.views {
		list = append(list, one)
	}
	return list
}

func (v *Views) session() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.last
}

// open implements [relay.Options].
func (v *Views) open(ctx context.Context, r *relay.View, raw json.RawMessage) (relay.Handler, error) {
	var h hello
	if err := json.Unmarshal(raw, &h); err != nil {
		return nil, fault.New(fault.Invalid, "the hello of a view is malformed")
	}
	one := &view{views: v, relay: r, session: v.session(), asks: h.Tool == questionTool}
	if id := h.Input.session(); id != "" {
		one.session = id
	}
	v.opts.Log.Info("a view says hello", "tool", h.Tool, "session", one.session, "host", string(h.Host))
	v.mu.Lock()
	v.views[one] = struct{}{}
	v.mu.Unlock()
	// Without the name of its tool a view may belong to a question.
	if v.opts.Questions != nil && (one.asks || h.Tool == "") {
		one.guest = v.opts.Questions(func(msg []byte) { r.Send(questions, msg) })
	}
	one.show(ctx)
	return one, nil
}

// hello is what a view says about itself.
type hello struct {
	Tool  string          `json:"tool"` // whose call it belongs to; "" if unknown
	Input input           `json:"input"`
	Host  json.RawMessage `json:"host"`
}

// input has the arguments of the tool that the view belongs to, as far as they matter.
type input struct {
	SessionID any `json:"sessionId"`
}

// session returns the ID of the session that a call names, or "". Models write numbers, too.
func (i input) session() string {
	switch id := i.SessionID.(type) {
	case string:
		return id
	case float64:
		return strings.TrimSpace(string(must(json.Marshal(id))))
	}
	return ""
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err) // the program's own values can be encoded
	}
	return data
}

// encode encodes a message to a view.
func encode(v any) []byte { return must(jsonrpc.Marshal(v)) }
