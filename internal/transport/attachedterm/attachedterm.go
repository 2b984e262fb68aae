// Package attachedterm attaches persons' terminals to sessions: it answers a request to attach or
// to create, sends pictures, and types what the person types, over any connection that carries
// frames. It does not know the kind of connection, nor decides who may connect: the caller's grant
// does.
//
// A [Conn] carries the frames of socketwire, [Options] say whose it is and what that person may
// do, and a client is one attached terminal, a [term.Viewer] of its session:
//
//	Conn ── reader ──> typist ──> Viewer (keys, in order, within the grant)
//	Conn <── pictures ── Viewer (the newest picture, when the last one was drawn)
//
// One goroutine reads, one types, one sends. A picture is made only when the client can draw it,
// so a slow terminal skips pictures and delays nobody. A counter reports how many of the typed
// bytes were handled, so that the client knows what was lost with a connection.
package attachedterm

import (
	"context"
	"encoding/json"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
)

// PingTime is the time between pings.
const PingTime = 30 * time.Second

// A Conn is a client's connection. Any goroutine may call its methods except Read, which one calls
// at a time.
type Conn interface {
	// Read returns the next frame. An error of kind Internal means that the connection has ended;
	// others are for the client.
	Read() (socketwire.Frame, error)
	// Write writes a frame. After an error the connection is useless, and Read fails.
	Write(socketwire.Kind, []byte) error
	// Close ends the connection: Read fails, and so does a Write that waits.
	Close() error
}

// Options say which client to serve, and with which rights.
type Options struct {
	Terminals terminals.Terminals // required
	By        terminals.Grant     // the client's
	// Session names the session to attach to, and overrides the request; "" leaves that to the
	// request. A client that comes back gives the ID: the session may have another name by then.
	Session string
	// Untrusted: see [term.ViewerOptions].
	Untrusted bool
	// Prefix precedes the names and IDs of sessions in requests and answers.
	Prefix string
	// Join connects a page that displays a session of another host with what others ask here:
	// deliver gets messages for it. nil: it gets none.
	Join func(deliver func(msg []byte)) Guest
}

// Fail sends an error, unless it is nil.
func Fail(conn Conn, err error) {
	if err != nil {
		_ = conn.Write(socketwire.Failed, Failure(err))
	}
}

// Failure returns the content of the frame with an error.
func Failure(err error) []byte {
	return fault.Must(json.Marshal(struct {
		Code     string `json:"code"`
		Message  string `json:"message"`
		Protocol int    `json:"protocol"`
	}{errcode.Of(err), err.Error(), terminals.Protocol})) // texts and a number
}

// WriteJSON writes a frame whose content is JSON. An error is not for the client: the connection
// has failed.
func WriteJSON(conn Conn, k socketwire.Kind, v any) error {
	return conn.Write(k, fault.Must(json.Marshal(v))) // the program's own types can be encoded
}

// UnlessNetwork returns an error for the client to read, or nil if the connection has failed.
func UnlessNetwork(err error) error {
	if fault.KindOf(err) == fault.Internal {
		return nil
	}
	return err
}

// A client is an attached client. One goroutine reads, one carries out what was read, and one sends
// pictures.
type client struct {
	Conn
	Options
	local *terminals.Local

	drawn   chan bool // a token for each Drawn: whether a person can see the picture
	undrawn int       // how many PtyOutput the client has not drawn; owned by attach, then by draw
}

// A clientForm is what a client states about itself. A server that attaches it to a session of
// another host takes Asks out of the request, and sends the client the questions that it knows
// itself. To one that Follows, the server announces the size of pictures with Resize, before the
// first one and before each of another size.
type clientForm struct {
	term.ViewerOptions
	clients.Options
	// Paced says that the client sends Drawn for each PtyOutput, and wants the next picture only
	// then. So a slow terminal shows the newest picture, not those that wait on the way to it.
	Paced bool `json:"paced"`
	// Counts asks for Typed after each StdinInput.
	Counts bool `json:"counts"`
}

// maxPrefix is the length of a key's name, in bytes.
const maxPrefix = 20

// maxGreeting is the length of a greeting, in bytes.
const maxGreeting = 1000

func (c *client) viewer(f *clientForm) (o term.ViewerOptions, err error) {
	if f == nil {
		return o, fault.New(fault.Invalid, `"client" is missing: it says what the terminal can do, {} at least`)
	}
	o = f.ViewerOptions
	o.Client, o.Untrusted, o.Prefix = f.Options, c.Untrusted, safetext.Plain(c.Prefix)
	if safetext.Plain(f.Greeting) != f.Greeting || len(f.Greeting) > maxGreeting {
		return o, fault.New(fault.Invalid, "greeting is printable text of at most %d bytes", maxGreeting)
	}
	switch f.Kind {
	case "", clients.KindAttach, clients.KindWatch, clients.KindPage:
	default:
		return o, fault.New(fault.Invalid, `kind is "attach", "watch" or "page", not %.40q`, string(f.Kind))
	}
	switch f.SizeRule {
	case "", core.SizeLeader, core.SizeManual:
	default:
		return o, fault.New(fault.Invalid, `size is "leader" or "manual", not %.40q`, string(f.SizeRule))
	}
	return o, nil
}

// An opening is the content of a client's first frame. Its name, which may be an ID, counts only
// where the options have none.
type opening struct {
	terminals.NewSession                 // to create one
	Scrollback           json.RawMessage `json:"scrollback"` // see historyLines; of a new session, the lines that it keeps
	Ended                bool            // see [term.ViewerOptions]
	Client               *clientForm     `json:"client"`
}

// create creates a session and attaches the client. If the program ends before that, the client
// gets what it has left on the screen.
func (c *client) create(ctx context.Context, in opening) error {
	o, err := c.viewer(in.Client)
	if err != nil {
		return err
	}
	if in.Scrollback != nil {
		if err := json.Unmarshal(in.Scrollback, &in.NewSession.Scrollback); err != nil {
			return fault.Wrap(fault.Invalid, err, "scrollback")
		}
	}
	in.Rows, in.Cols = clamp(in.Rows), clamp(in.Cols)
	in.Name = c.Session
	taken := 0 // rows of the client's terminal that the session does not get
	if in.Rows != nil {
		taken = o.TakenRows(*in.Rows)
		*in.Rows -= taken
	}
	session, err := terminals.CreateSession.Do(ctx, c.local, c.By, in.NewSession)
	if err != nil {
		return err
	}
	o.Ended = true
	return c.serve(ctx, o, *in.Client, session.ID, size{session.Rows + taken, session.Cols}, 0,
		socketwire.CreateSessionResponse, answer{Server: session.Server, size: size{session.Rows, session.Cols}})
}

// clamp returns a number of rows or columns within the limits, since terminals may have any.
func clamp(n *int) *int {
	if n == nil {
		return nil
	}
	return new(min(max(*n, 1), vt.MaxSize))
}

// A size is the size of a client's terminal.
type size struct {
	Rows int `json:"rows"`
	Cols int `json:"cols"`
}

func (s size) clamped() size { return size{*clamp(&s.Rows), *clamp(&s.Cols)} }

// attach attaches the client to a session, which gets the size of the client's terminal.
func (c *client) attach(ctx context.Context, in opening) error {
	lines, err := historyLines(in.Scrollback)
	if err != nil {
		return err
	}
	o, err := c.viewer(in.Client)
	if err != nil {
		return err
	}
	o.Ended = in.Ended
	var terminal size
	if in.Rows != nil {
		terminal.Rows = *in.Rows
	}
	if in.Cols != nil {
		terminal.Cols = *in.Cols
	}
	if !o.Follows || terminal != (size{}) {
		terminal = terminal.clamped()
	}
	return c.serve(ctx, o, *in.Client, c.Session, terminal, lines, socketwire.AttachSessionResponse, answer{size: terminal})
}

// An answer says to what a client is attached.
type answer struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Server string `json:"server,omitempty"` // of a new session
	PID    int    `json:"pid"`
	size
	Client   string `json:"client,omitempty"` // unless the session is new
	Protocol int    `json:"protocol"`
}

// serve attaches the client, whose terminal has a size, to a session until it leaves. It gets an
// answer first, and then lines of the history.
func (c *client) serve(ctx context.Context, o term.ViewerOptions, form clientForm, session string, terminal size, lines int, kind socketwire.Kind, a answer) error {
	v, err := c.local.Attach(ctx, c.By, session, o)
	if err != nil {
		return err
	}
	defer v.Close()
	if err := c.resize(ctx, v, terminal); err != nil {
		return err
	}
	history, err := v.History(ctx, lines)
	if err != nil {
		return err
	}
	a.Name, a.ID, a.PID, a.Protocol = c.Prefix+v.Name(), c.Prefix+v.SessionID(), v.PID(), terminals.Protocol
	if kind == socketwire.AttachSessionResponse {
		a.Client = v.ClientName()
	}
	if WriteJSON(c, kind, a) == nil && c.output(history) == nil {
		c.stream(ctx, v, form)
	}
	return nil
}

// historyLines returns how many lines of history a client wants: "none", "all" or {"lines": N}. The
// newest are sent.
func historyLines(wish json.RawMessage) (int, error) {
	if len(wish) == 0 {
		return 0, nil
	}
	var word string
	var some struct{ Lines uint32 }
	switch {
	case json.Unmarshal(wish, &word) == nil && word == "all":
		return 1 << 30, nil
	case word == "none" || string(wish) == "null":
		return 0, nil
	case word == "" && json.Unmarshal(wish, &some) == nil:
		return int(some.Lines), nil
	}
	return 0, fault.New(fault.Invalid, `scrollback is "none", "all" or {"lines": N}, not %.40s`, wish)
}

// resize sets the size of the client's terminal, and that of the session by its rule. Without a
// size, the client never decides that of the session.
func (c *client) resize(ctx context.Context, v *terminals.Viewer, s size) error {
	if s == (size{}) {
		return nil
	}
	s = s.clamped()
	return v.Resize(ctx, s.Cols, s.Rows)
}

// ping sends pings, so that a client notices when the server is gone.
func (c *client) ping(ctx context.Context) {
	ticker := time.NewTicker(PingTime)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			if c.Write(socketwire.Ping, nil) != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// read handles what an attached client sends, until it leaves.
func (c *client) read(ctx context.Context, v *terminals.Viewer, form clientForm) {
	t := newTypist(ctx, v, func(err error) { Fail(c, err) })
	var counts *counter
	if form.Counts {
		counts = newCounter(v, func(bytes int) { _ = WriteJSON(c, socketwire.Typed, map[string]int{"bytes": bytes}) }) // reading notices if it has failed
		defer counts.close()
	}
	defer t.finish()
	asks := newTypist(ctx, v, nil) // an answer may wait for who asks: keys do not wait for that
	defer asks.finish()
	typed := 0 // bytes of all StdinInput so far
	for {
		f, err := c.Read()
		if err != nil {
			Fail(c, UnlessNetwork(err))
			return
		}
		switch f.Kind {
		case socketwire.Detach:
			return
		case socketwire.StdinInput:
			t.input(ctx, f.Content)
			if typed += len(f.Content); counts != nil {
				all := typed
				t.then(ctx, 0, func() { counts.count(all) })
			}
		case socketwire.Ping:
			_ = c.Write(socketwire.Pong, nil) // likewise
		case socketwire.Pong:
		case socketwire.Drawn:
			var in struct{ Hidden bool }
			if err := f.Decode(&in); err != nil {
				Fail(c, err)
				continue
			}
			select {
			case c.drawn <- !in.Hidden:
			default: // more than were sent
			}
		default:
			in := t
			if f.Kind == socketwire.Question {
				in = asks
			}
			in.then(ctx, len(f.Content), func() {
				// The last picture reports that the program has ended.
				if err := c.request(ctx, v, f); ctx.Err() == nil && fault.KindOf(err) != fault.Gone {
					Fail(c, err)
				}
			})
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// request carries out a request of an attached client in its order among input.
func (c *client) request(ctx context.Context, v *terminals.Viewer, f socketwire.Frame) error {
	if err := v.Check(); err != nil {
		return err
	}
	switch f.Kind {
	case socketwire.LookBack:
		return v.LookBack(ctx, f.Content)
	case socketwire.Prefix:
		return v.Prefix(ctx, safetext.Clip(safetext.Plain(string(f.Content)), maxPrefix))
	case socketwire.Lead:
		return v.Lead(ctx)
	case socketwire.ToggleAgent:
		return v.ToggleAgent(ctx)
	case socketwire.Question:
		return c.aboutQuestion(ctx, v, f.Content)
	case socketwire.Resize:
		var s size
		if err := f.Decode(&s); err != nil {
			return err
		}
		return c.resize(ctx, v, s)
	}
	return fault.New(fault.Invalid, "frames of type %02x are not served to attached clients", byte(f.Kind))
}
