package mcpapps

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/relay"
	"ui-mcp/internal/transport/socketwire"
)

// Tools whose views display terminals.
const (
	createTool = "wsh_create_session"
	runTool    = "wsh_run_command"
)

// TerminalOptions are what views need to display terminals. Terminals is required.
type TerminalOptions struct {
	Terminals terminals.Terminals
	// PageURL returns the URL of a terminal session's page for the person's browser, or "" while no
	// page is served; nil means that no page ever is.
	PageURL func(session string) string
	// ReadOnly drops what is typed in views.
	ReadOnly bool
}

// terminalOptions returns how views display terminals, or nil.
func (v *Views) terminalOptions() *TerminalOptions {
	if v.opts.Terminals == nil {
		return nil
	}
	return v.opts.Terminals()
}

func (o *TerminalOptions) pageURL(session string) string {
	if o.PageURL == nil {
		return ""
	}
	return o.PageURL(session)
}

// Creating records that a tool is creating a terminal session, whose view may say hello before the
// session exists. The caller must call created once, with the name of the session, or "" if
// creating it has failed.
func (v *Views) Creating() (created func(session string)) {
	v.count(newTerminal, 1)
	return func(session string) {
		calls, _ := v.count(newTerminal, -1)
		if session != "" {
			v.Used(session)
		}
		for _, one := range v.all() {
			one.created(session, calls == 0)
		}
	}
}

// Used records that a tool uses a terminal session. New views display it unless their call names
// another.
func (v *Views) Used(session string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.last, v.terminal = subject{terminalSubject, session}, session
}

// URL returns the URL of a terminal session's page, or "" while no page is served.
func (v *Views) URL(session string) string {
	if o := v.terminalOptions(); o != nil {
		return o.pageURL(session)
	}
	return ""
}

// queued is how many frames of a view may wait to be handled. Further ones hold up all messages of
// the view.
const queued = 64

// A connection attaches a view's terminal to a session. Its frames are messages on a channel of the
// view.
type connection struct {
	view    *relay.View
	channel string
	frames  chan socketwire.Frame // from the view
	ctx     context.Context       // ends with the connection
	cancel  context.CancelFunc
}

type frameMessage struct {
	Kind    socketwire.Kind `json:"k"`
	Content []byte          `json:"d,omitempty"` // base64
}

// Read implements [attachedterm.Conn].
func (c *connection) Read() (socketwire.Frame, error) {
	select {
	case f := <-c.frames:
		return f, nil
	case <-c.ctx.Done():
		return socketwire.Frame{}, errClosed
	}
}

// Write implements [attachedterm.Conn].
func (c *connection) Write(k socketwire.Kind, content []byte) error {
	if !c.view.Send(c.channel, jsonrpc.MustMarshal(frameMessage{k, content})) {
		return errClosed
	}
	return nil
}

// Close implements [attachedterm.Conn].
func (c *connection) Close() error {
	c.cancel()
	return nil
}

var errClosed = fault.New(fault.Internal, "the connection has ended")

// receive handles a message of the view.
func (c *connection) receive(ctx context.Context, msg []byte) error {
	var m frameMessage
	if err := json.Unmarshal(msg, &m); err != nil {
		return fault.New(fault.Invalid, "a frame of the view is malformed")
	}
	select {
	case c.frames <- socketwire.Frame{Kind: m.Kind, Content: m.Content}:
	case <-c.ctx.Done():
	case <-ctx.Done():
	}
	return nil
}

// end ends the connection at once. The receiver may be nil.
func (c *connection) end() {
	if c != nil {
		c.cancel()
	}
}

// attach connects the view's terminal to its session, and ends an earlier connection. typing says
// that the person has allowed typing in the view.
func (v *view) attach(channel string, typing bool) error {
	if len(channel) > maxChannel || channel == control || channel == questions {
		return fault.New(fault.Invalid, "a view names a channel %.40q", channel)
	}
	o := v.views.terminalOptions()
	if o == nil {
		return fault.New(fault.Invalid, "there are no terminals here")
	}
	c := &connection{view: v.relay, channel: channel, frames: make(chan socketwire.Frame, queued)}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	v.mu.Lock()
	before, session := v.conn, cmp.Or(v.terminal, v.shows.session)
	attaches := !v.closed && v.shows.what == terminalSubject && session != ""
	if attaches {
		v.conn = c
		v.views.running.Go(func() { v.serve(c, session, typing && !o.ReadOnly) })
	}
	v.mu.Unlock()
	before.end()
	if !attaches {
		c.end()
		v.send(toView{Type: "closed", Channel: channel, Code: codeGoingAway})
	}
	return nil
}

// disconnectTerminal ends the connection of the view's terminal, if there is one.
func (v *view) disconnectTerminal() {
	v.mu.Lock()
	c := v.conn
	v.conn = nil
	v.mu.Unlock()
	c.end()
}

// maxChannel is the most bytes of a channel that a view names.
const maxChannel = 40

// serve runs a connection until either side leaves. Typed text arrives in calls of a tool, so it is
// untrusted: nothing proves that a person has typed it.
func (v *view) serve(c *connection, session string, typing bool) {
	defer c.end()
	v.views.opts.Log.Info("a view displays a terminal", "session", safetext.Clip(session, maxLogged), "typing", typing)
	by := terminals.Grant{Rights: terminals.Read, From: core.Sender{Kind: core.SenderAttach, Name: "chat"}}
	if typing {
		by.Rights |= terminals.Type
	}
	first, err := c.Read()
	if err == nil && first.Kind != socketwire.AttachSession {
		err = fault.New(fault.Invalid, "the first frame of a view attaches to its session")
	}
	if err == nil {
		err = attachedterm.Serve(c.ctx, c, first, attachedterm.Options{Terminals: v.views.terminalOptions().Terminals, By: by, Session: session, Untrusted: true})
	}
	attachedterm.Fail(c, attachedterm.UnlessNetwork(err))
	v.send(toView{Type: "closed", Channel: c.channel, Code: codeGoingAway})
}

// created is called when a tool has created a terminal session, or "" if that has failed. none says
// that no session is being created any more.
func (v *view) created(session string, none bool) {
	if v.subject() != newTerminal {
		return // without waiting for an app that is being attached
	}
	v.presenting.Lock()
	defer v.presenting.Unlock()
	v.mu.Lock()
	waits := v.shows == newTerminal
	mine := waits && session != "" && (v.wants == "" || v.wants == session)
	if mine {
		v.shows.session = session
	}
	v.mu.Unlock()
	switch {
	case mine:
		v.showTerminal(context.Background(), session)
	case waits && none:
		v.send(toView{Type: "show", What: "nothing", Text: "No session was created."})
	}
}

func (v *view) showTerminal(ctx context.Context, session string) {
	o := v.views.terminalOptions()
	if session == "" {
		v.send(toView{Type: "show", What: "nothing", Text: "The session is being created."})
		return
	}
	// The name may change while the view displays the session, and the view may connect again then.
	name, id := session, ""
	if s, err := terminals.GetSession.Do(ctx, o.Terminals, terminals.Grant{Rights: terminals.Read}, terminals.Target{Session: session}); err == nil {
		name, id = s.Name, s.ID
	}
	v.mu.Lock()
	v.terminal = id
	v.mu.Unlock()
	v.send(toView{Type: "show", What: "terminal", Session: name, Terminal: id, URL: o.pageURL(name), ReadOnly: o.ReadOnly})
}

// readings are the operations with which views look back.
var readings = []*terminals.Operation{
	&terminals.GetScrollback.Operation, &terminals.SearchScrollback.Operation,
	&terminals.ListCommands.Operation, &terminals.GetCommandOutput.Operation,
}

// read answers a request of a view that looks back.
func (v *view) read(ctx context.Context, id int64, operation string, raw json.RawMessage) {
	value, err := v.look(ctx, operation, raw)
	answer := toView{Type: "answer", ID: id, Value: value}
	if err != nil {
		answer.Text = err.Error()
	}
	v.send(answer)
}

// look carries out an operation that reads.
func (v *view) look(ctx context.Context, operation string, raw json.RawMessage) (any, error) {
	c := terminals.Named(operation)
	o := v.views.terminalOptions()
	if c == nil || !slices.Contains(readings, c.Operation) || o == nil {
		return nil, fault.New(fault.NotFound, "views do not call %.40q", operation)
	}
	members, err := terminals.Members(raw)
	if err != nil {
		return nil, err
	}
	op, in, out, err := c.Decode(members)
	if err == nil {
		err = o.Terminals.Do(ctx, terminals.Grant{Rights: terminals.Read}, op, in, out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}
