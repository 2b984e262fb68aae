// Package mcpapps displays apps, terminals and questions in the conversation with an agent: the
// view, which is one document for everything, and the server's end of each view. Views are further
// pages of the sessions that browsers display.
//
// [Views] has the views of a server. A host loads the document, and its script calls the tool
// ui_relay again and again, since it has no network; package relay makes a pair of queues of that.
// Each view says hello with the call that it belongs to, and gets a subject, an app or a terminal:
//
//	host ── document ── ui_relay ── relay.Hub ── view ── page        ── ui.Session
//	                                                  ── connection  ── attachedterm
//	                                                  ── Guest       ── questions
//
// The token of a view, made with a [secret.Key], lets it call ui_relay for its own view and
// nothing else. What hosts report ([app.ChatState]) is only used to display: a host may lie.
package mcpapps

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/secret"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/mcpview"
	"ui-mcp/internal/transport/relay"
	"ui-mcp/internal/ui"
)

// RelayTool is the name of the tool that views call.
const RelayTool = "ui_relay"

// displayTool is the tool whose views display an app when its call has succeeded.
const displayTool = "ui_display"

// questionTool is the tool whose views display questions, and no app.
const questionTool = "popup"

// DefaultSession is the session that views display until a tool has displayed another.
const DefaultSession = "1"

// A Session is a session of apps, which a view displays. [ui.Session] implements it.
type Session interface {
	// Attach adds a page, which gets a snapshot first.
	Attach(ctx context.Context, c ui.Client) error
	// Detach removes a page. The page need not be attached.
	Detach(c ui.Client)
	// Receive handles a message of the page.
	Receive(ctx context.Context, c ui.Client, msg []byte) error
}

// Options configure [New]. Session, PageURL, Client and Key are required.
type Options struct {
	// Session finds a session; it fails with fault.NotFound, or fault.Precondition while no app
	// runs.
	Session func(ctx context.Context, id string) (Session, error)
	// PageURL returns the URL of a session's page for the person's browser. It fails while no page
	// is served.
	PageURL func(session string) (string, error)
	// Client is the built browser client, with chat.js at its root.
	Client fs.FS
	// Look returns the style of pages, and the classes of their root element; nil means none.
	Look func() (css, classes string)
	// Questions connects a view with the questions that it displays; their messages go to deliver.
	// own says that a tool call with a question may have created the view; other views display the
	// questions of apps and programs. Nil means that views display no questions.
	Questions func(own bool, deliver func(msg []byte)) attachedterm.Guest
	// Terminals makes views display terminals, too, from when on it does not return nil; it may be
	// nil.
	Terminals func() *TerminalOptions
	// Changed is called when the views of a session of apps, or what [Views.State] returns for it,
	// have changed; it may be nil. It must not block.
	Changed func(session string)
	// Key makes and checks the tokens of views.
	Key secret.Key
	// Version is the version of the program.
	Version string
	// Log gets what hosts and views do; nil discards it.
	Log *slog.Logger
}

// Views are the views in conversations. Use [New].
type Views struct {
	opts     Options
	hub      *relay.Hub
	document func() (document, error) // packing its scripts takes some time, once

	running sync.WaitGroup // connections of terminals

	mu       sync.Mutex // guards the fields below
	last     subject    // what was displayed last
	app      string     // the session of an app that was displayed last
	terminal string     // the terminal that a tool has used last, or ""

	calls    map[subject]int // under way, by what they are to display
	views    []*view         // in the order in which they were heard from last
	hellos   int64           // so far
	read     bool            // a client has read the view
	inVain   bool            // a wait for a view was
	progress chan struct{}   // closed and replaced when a view has got its session, or was read
}

// New returns a server's views. The caller must Close them.
func New(o Options) *Views {
	if o.Session == nil || o.PageURL == nil || o.Client == nil || o.Key == "" {
		panic("mcpapps: Session, PageURL, Client and Key are required")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	v := &Views{opts: o, app: DefaultSession, last: subject{appSubject, DefaultSession}, calls: map[subject]int{}, progress: make(chan struct{})}
	v.document = sync.OnceValues(func() (document, error) { return newDocument(o.Client) })
	v.hub = relay.NewHub(relay.Options{Open: v.open, Key: o.Key, Log: o.Log})
	return v
}

// Close ends all views.
func (v *Views) Close() {
	v.hub.Close()
	v.running.Wait()
}

// Count returns the number of views that are connected.
func (v *Views) Count() int { return v.hub.Views() }

// Register adds the view and the tool that it calls to s, which needs [mcpview.Tune].
func (v *Views) Register(s *mcpserver.Server) {
	mcpview.AddView(s, mcpview.View{
		URI: mcpview.AppURI, Name: "app", Title: "Live app", Border: true,
		Description: "The view in which the conversation shows the app.",
		HTML: func(context.Context) (string, error) {
			v.opts.Log.Info("a host reads the view")
			v.noteRead()
			return v.html()
		},
	})
	mcpview.AddRelay(s, RelayTool, v.hub, v.opts.Log)
}

func (v *Views) html() (string, error) {
	look := look{}
	if v.opts.Look != nil {
		look.css, look.classes = v.opts.Look()
	}
	v.mu.Lock()
	session := v.app
	v.mu.Unlock()
	d, err := v.document()
	if err != nil {
		return "", err
	}
	return d.html(config{
		Token: relay.NewToken(v.opts.Key), Tool: RelayTool, Resource: mcpview.AppURI, Version: v.opts.Version, URL: v.pageURL(session),
	}, look)
}

// pageURL is the URL of the page of a session of apps, or "" while none runs.
func (v *Views) pageURL(session string) string {
	url, err := v.opts.PageURL(session)
	if err != nil {
		return ""
	}
	return url
}

// Displaying records that a tool is displaying an app in a session. Until the caller calls done,
// new views of such a tool display nothing, not even what the session has displayed before. done
// takes the error if displaying has failed; views of the failed call say so. Otherwise new views,
// and those that display nothing, display the session from then on.
func (v *Views) Displaying(session, app string) (done func(err error)) {
	it := subject{appSubject, session}
	_, before := v.count(it, 1)
	return func(err error) {
		v.count(it, -1)
		if err == nil {
			v.mu.Lock()
			v.last, v.app = it, session
			v.mu.Unlock()
		}
		for _, one := range v.all() {
			switch {
			case err != nil && one.isOf(session, app, before):
				one.send(toView{Type: "show", What: "nothing", Session: session, Text: err.Error()})
			case one.waits():
				one.show(context.Background())
			}
		}
	}
}

// count adds to the calls under way that are to display a subject. It returns how many there are
// then, and how many views have said hello.
func (v *Views) count(s subject, more int) (calls int, hellos int64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.calls[s] += more; v.calls[s] == 0 {
		delete(v.calls, s)
	}
	return v.calls[s], v.hellos
}

// Refresh looks again for the sessions of views that have none. Call it when an app may have
// started.
func (v *Views) Refresh() {
	for _, one := range v.all() {
		if one.waits() {
			one.show(context.Background())
		}
	}
}

// Disconnect takes the sessions away from all views. Call it when they are about to end.
func (v *Views) Disconnect() {
	for _, one := range v.all() {
		one.disconnect(nil, codeGoingAway)
	}
}

func (v *Views) all() []*view {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.views)
}

// subject returns what a view displays. If that is a terminal that is being created under a name,
// wants is the name.
func (v *Views) subject(h hello) (s subject, wants string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch {
	case h.Tool == questionTool:
		return subject{questionSubject, v.app}, ""
	case v.terminalOptions() == nil:
	case h.Terminal != "":
		return subject{terminalSubject, h.Terminal}, ""
	case h.Tool == createTool && v.calls[newTerminal] > 0:
		return newTerminal, string(h.Input.Name)
	case h.Tool == createTool:
		return subject{terminalSubject, cmp.Or(string(cmp.Or(h.Created, h.Input.Name)), v.terminal)}, ""
	case h.Tool == runTool:
		return subject{terminalSubject, cmp.Or(string(h.Input.Session), v.terminal)}, ""
	case h.Tool == "" && cmp.Or(h.Created, h.Input.Session) != "":
		return subject{terminalSubject, string(cmp.Or(h.Created, h.Input.Session))}, ""
	}
	switch {
	case h.Input.SessionID != "":
		return subject{appSubject, string(h.Input.SessionID)}, ""
	case h.Tool == "":
		return v.last, ""
	}
	return subject{appSubject, v.app}, ""
}

// open implements [relay.Options].
func (v *Views) open(ctx context.Context, r *relay.View, raw json.RawMessage) (relay.Handler, error) {
	var h hello
	if err := json.Unmarshal(raw, &h); err != nil {
		return nil, fault.New(fault.Invalid, "the hello of a view is malformed")
	}
	one := &view{views: v, relay: r, tool: h.Tool, app: string(h.Input.Name), host: hostOf(h.Host)}
	one.shows, one.wants = v.subject(h)
	v.opts.Log.Info("a view says hello", "tool", safetext.Clip(h.Tool, maxLogged), "session", safetext.Clip(one.shows.session, maxLogged), "host", safetext.Clip(string(h.Host), maxLogged))
	v.mu.Lock()
	v.views = append(v.views, one)
	v.hellos++
	one.number = v.hellos
	v.mu.Unlock()
	if v.opts.Questions != nil {
		// Without the name of its tool a view may belong to a question.
		own := h.Tool == questionTool || h.Tool == ""
		one.guest = v.opts.Questions(own, func(msg []byte) { r.Send(questions, msg) })
	}
	one.show(ctx)
	return one, nil
}

// hello is the message with which a view introduces itself.
type hello struct {
	Tool  string `json:"tool"` // whose call it belongs to; "" if unknown
	Input input  `json:"input"`
	// Created is the terminal session in the call's result, if the view has that already.
	Created word `json:"created"`
	// Terminal is the ID of the terminal session that the view has displayed in an earlier
	// connection, or "".
	Terminal string          `json:"terminal"`
	Host     json.RawMessage `json:"host"`
}

// input has the arguments of the tool that the view belongs to, as far as they matter.
type input struct {
	SessionID word `json:"sessionId"` // of an app
	Session   word `json:"session"`   // of terminals
	Name      word `json:"name"`      // of a terminal to create, or of an app
}

// A word is a text; anything else, as in a call that was refused, is "".
type word string

// UnmarshalJSON implements [json.Unmarshaler].
func (w *word) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(w)) != nil {
		*w = ""
	}
	return nil
}

// maxLogged bounds how much of a text from a view is logged, in bytes.
const maxLogged = 500
