package attach

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"ui-mcp/internal/cli/attach/outer"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/socketwire"
)

// maxPending is how much input is kept while there is no connection, in bytes.
const maxPending = socketwire.MaxSize

// A core decides what a client does. It takes what the person types, what the server sends, and
// what happens to the connection and the terminal, and returns bytes for both. It does no I/O,
// starts no goroutine and reads no clock. It is not safe for concurrent use.
type core struct {
	showAgent bool // the last row is for what agents do
	altScreen bool // everything is drawn on the terminal's alternate screen
	input     outer.Input
	effects   outer.Effects
	session   identity

	connected bool
	leaving   bool   // the server has been told that the connection ends: it reads nothing after that
	wanted    size   // the terminal's, as last known
	sent      size   // as the server knows it
	pending   []byte // typed while there was no connection
	full      bool   // something did not fit into pending: nothing is added that came after it

	own own // what the client displays itself

	entered   bool // the terminal is prepared for drawing
	alternate bool // the terminal's alternate screen is active for the session's
	cursor    bool // the cursor is visible
	adopted   bool // the primary screen displays the session
}

// An identity is how a session is found again. The name may change, and may become another
// session's.
type identity struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// A size is a terminal's size, as frames have it.
type size struct {
	Rows int `json:"rows"`
	Cols int `json:"cols"`
}

// request returns the session to attach to, or "" to create one, and the first frame of a
// connection. first says that no connection to the session was made before.
func (c *core) request(o *Options, first bool) (session string, _ socketwire.Frame, _ error) {
	client := struct {
		term.ViewerOptions
		clients.Options
		Paced  bool   `json:"paced"`
		Escape string `json:"escape"` // servers of an earlier build refuse a client without it
	}{o.Viewer, o.Client, true, "waits"}
	client.Screens, client.Adopted, client.Forward, client.ShowAgent = !c.altScreen, c.adopted && !first, true, c.showAgent
	client.Exact = client.Exact && first // a server may not know yet that the last connection has broken
	if first && o.Greeting != nil {
		client.Greeting = o.Greeting()
	}
	c.sent = c.wanted
	if first && o.Create != nil {
		n := *o.Create
		n.Rows, n.Cols = &c.sent.Rows, &c.sent.Cols
		content, err := json.Marshal(struct {
			terminals.NewSession
			Client any `json:"client"`
		}{n, client})
		return "", socketwire.Frame{Kind: socketwire.CreateSession, Content: content}, err
	}
	if session = o.Session; !first {
		session = c.session.ID
	}
	request := map[string]any{
		"name": session, "rows": c.sent.Rows, "cols": c.sent.Cols, "scrollback": "none", "client": client,
	}
	switch {
	case !first:
	case o.Scrollback < 0:
		request["scrollback"] = "all"
	case o.Scrollback > 0:
		request["scrollback"] = map[string]int{"lines": o.Scrollback}
	}
	content, err := json.Marshal(request)
	return session, socketwire.Frame{Kind: socketwire.AttachSession, Content: content}, err
}

// connect begins a connection: the server has accepted the request. It returns the frames to send,
// and the bytes for the terminal: what the last connection has drawn is overwritten from scratch,
// or scrolls off if it was of another session.
func (c *core) connect(session identity) (frames []socketwire.Frame, terminal []byte) {
	terminal = c.uncover()
	if c.session.ID != "" && c.session.ID != session.ID {
		c.own.previous, c.adopted = c.session, false
	}
	c.session, c.connected, c.leaving, c.own.waits, c.own.ended = session, true, false, false, false
	if c.wanted != c.sent {
		frames = c.appendSize(frames)
	}
	frames = c.appendPending(frames)
	if c.alternate {
		terminal = render.Abandon(terminal, true, false)
		c.alternate = false
	}
	return frames, c.effects.Undo(terminal)
}

// appendPending appends the frame for what was typed while it could not be sent.
func (c *core) appendPending(frames []socketwire.Frame) []socketwire.Frame {
	if len(c.pending) > 0 {
		frames = append(frames, frame(socketwire.StdinInput, c.pending))
	}
	c.pending, c.full = nil, false
	return frames
}

// disconnect ends the connection.
func (c *core) disconnect() { c.connected = false }

// leave returns the frames that end the connection in an orderly way. What is typed from then on
// waits for the next connection.
func (c *core) leave() []socketwire.Frame {
	if !c.connected {
		return nil
	}
	c.leaving = true
	return []socketwire.Frame{frame(socketwire.Detach, nil)}
}

// A typing is what a client does about what was typed.
type typing struct {
	frames  []socketwire.Frame
	leave   bool // the person leaves
	suspend bool // the person suspends the client
	wish    wish // what the person wants of the server
}

// key returns what to do about what was typed.
func (c *core) key(b []byte, now time.Time) (t typing) {
	b = c.input.Arrive(b, now)
	for len(b) > 0 && !t.leave {
		own, waited := c.own.takesKeys(), c.input.Waits()
		p, rest := c.input.Next(b, own)
		if !own && waited && !c.input.Waits() {
			t.tell(c, socketwire.Prefix, nil)
		}
		t.leave = p.Leave
		switch {
		case p.Command == outer.Suspend:
			t.suspend = true
		case own:
			c.ownPart(&t, p, b[:len(b)-len(rest)])
		case p.Command == outer.Pass:
			t.frames = c.send(t.frames, p.Bytes)
		case p.Command == outer.LookBack:
			t.tell(c, socketwire.LookBack, p.Bytes)
		case p.Command == outer.Agent:
			c.showAgent = !c.showAgent
			t.tell(c, socketwire.ToggleAgent, nil)
		case p.Command == outer.Prefix:
			t.tell(c, socketwire.Prefix, []byte(c.input.Detach.String()))
		default:
			c.begin(p.Command, &t.wish)
		}
		b = rest
	}
	return t
}

// tell adds a frame, if there is a connection.
func (t *typing) tell(c *core, k socketwire.Kind, content []byte) {
	if c.connected {
		t.frames = append(t.frames, frame(k, content))
	}
}

// release returns what to do about what was held back, when nothing has followed for as long as
// [outer.Input.Holds] says.
func (c *core) release() (t typing) {
	waited := c.input.Waits()
	if p := c.input.Release(); !c.own.takesKeys() {
		if waited && !c.input.Waits() {
			t.tell(c, socketwire.Prefix, nil)
		}
		t.frames = c.send(t.frames, p.Bytes)
	} else if p.Key != nil {
		c.press(*p.Key, &t.wish)
	}
	return t
}

// send adds input to frames. It is kept while there is no connection.
func (c *core) send(frames []socketwire.Frame, b []byte) []socketwire.Frame {
	last := len(frames) - 1
	switch {
	case len(b) == 0:
	case c.connected && !c.leaving && !c.own.waits && last >= 0 && frames[last].Kind == socketwire.StdinInput:
		frames[last].Content = append(frames[last].Content, b...)
	case c.connected && !c.leaving && !c.own.waits:
		return append(frames, frame(socketwire.StdinInput, b))
	case c.full || len(c.pending)+len(b) > maxPending:
		c.full = true
	default:
		c.pending = append(c.pending, b...)
	}
	return frames
}

// resize returns the frames for the terminal's present size.
func (c *core) resize(s size) []socketwire.Frame {
	if c.wanted = s; s == c.sent {
		return nil
	}
	return c.resized(s)
}

// resized is resize for a terminal that has been resized since. It may have its previous size again
// and have lost what did not fit in between, so the server draws it from scratch.
func (c *core) resized(s size) []socketwire.Frame {
	c.wanted = s
	if !c.connected {
		return nil
	}
	return c.appendSize(nil)
}

func (c *core) appendSize(frames []socketwire.Frame) []socketwire.Frame {
	c.sent = c.wanted
	content := fault.Must(json.Marshal(c.sent)) // two numbers can be encoded
	return append(frames, frame(socketwire.Resize, content))
}

// enter returns the bytes that prepare the terminal.
func (c *core) enter() []byte {
	c.entered, c.alternate, c.adopted = true, false, false
	return outer.Prepare(nil, c.altScreen)
}

// draw begins to draw what the server sent, and returns the bytes to write; there are none while
// the terminal is not prepared. The caller calls drawn when they are written.
func (c *core) draw(b []byte) []byte {
	if !c.entered || c.own.hold(b) {
		return nil
	}
	c.effects.Draws(b)
	return b
}

// drawn records that bytes that draw returned are written, and returns the frames that say so.
func (c *core) drawn(b []byte) []socketwire.Frame {
	c.follow(b)
	if !c.connected {
		return nil
	}
	return []socketwire.Frame{frame(socketwire.Drawn, nil)}
}

// note returns the bytes that display a text in the last row, on top of the session. There are none
// while the terminal displays something else.
func (c *core) note(text string) []byte {
	if !c.entered || c.own.model != nil || c.own.covers {
		return nil
	}
	return fmt.Appendf(nil, "\x1b7\x1b[%d;1H\x1b[0;7m%.*s\x1b[K\x1b8", c.wanted.Rows, max(c.wanted.Cols-1, 0), text)
}

// exit returns the bytes that restore the terminal. clean says that the server has drawn its last
// picture, which restored all that pictures change.
func (c *core) exit(clean bool) []byte {
	if !c.entered {
		return nil
	}
	b := c.uncover()
	if !clean {
		b = render.Abandon(b, c.alternate, !c.altScreen && c.adopted)
	}
	b = c.effects.Restore(b, c.altScreen)
	c.entered, c.alternate, c.adopted = false, false, false
	return b
}

// An outcome is how a connection ended: with the server's farewell, because the terminal failed, or
// without a reason.
type outcome struct {
	end    *socketwire.End
	failed error
}

// farewell reads the server's Detach. Without a reason in it, the connection counts as broken.
func farewell(f socketwire.Frame) outcome {
	end := new(socketwire.End)
	if f.Decode(end) != nil || len(bytes.TrimSpace(f.Content)) == 0 {
		return outcome{}
	}
	return outcome{end: end}
}
