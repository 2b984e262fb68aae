package wsterm

import (
	"context"
	"net/http"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/transport/ws"
)

// requestTime is how long a client may take to send its first frame.
const requestTime = 5 * time.Second

// attach attaches a person's terminal in the frames of the Unix socket, one in each binary message:
// the type and the content. Pages cannot read why an upgrade was refused, so a failed request is
// answered with a frame.
func (h *handler) attach(w http.ResponseWriter, r *http.Request) {
	by := grantOf(r, term.SenderAttach)
	t, unknown := h.on(r)
	options := attachedterm.Options{Terminals: t, By: by, Session: r.PathValue("name")}
	h.serve(w, r, h.limits, func(ctx context.Context, conn *ws.Conn) {
		c := &frames{ctx, conn}
		// Not the code for a caller without the right, which does not come back: a page on a
		// busy machine may only be slow.
		late := time.AfterFunc(requestTime, func() { conn.Close(ws.TryAgainLater, "no request has come in time") })
		first, err := c.Read()
		late.Stop()
		if err == nil && first.Kind != socketwire.AttachSession {
			err = fault.New(fault.Invalid, "the first frame is of type %02x, and attaches to the session: create sessions with POST /sessions", byte(socketwire.AttachSession))
		}
		if err == nil {
			err = unknown
		}
		if err == nil {
			err = attachedterm.Serve(ctx, c, first, options)
		}
		attachedterm.Fail(c, attachedterm.UnlessNetwork(err))
	})
}

// frames carries frames in the messages of a WebSocket.
type frames struct {
	ctx  context.Context
	conn *ws.Conn
}

// Read implements [attachedterm.Conn].
func (c *frames) Read() (socketwire.Frame, error) {
	m, err := c.conn.Read(c.ctx)
	switch {
	case err != nil:
		return socketwire.Frame{}, err
	case !m.Binary || len(m.Data) == 0:
		return socketwire.Frame{}, fault.New(fault.Invalid, "a frame is a binary message: its first byte is the type")
	}
	return socketwire.Frame{Kind: socketwire.Kind(m.Data[0]), Content: m.Data[1:]}, nil
}

// Write implements [attachedterm.Conn].
func (c *frames) Write(k socketwire.Kind, content []byte) error {
	message := make([]byte, 0, 1+len(content))
	return c.conn.Send(c.ctx, ws.Message{Binary: true, Data: append(append(message, byte(k)), content...)})
}

// Close implements [attachedterm.Conn].
func (c *frames) Close() error {
	c.conn.Finish(ws.NormalClosure, "")
	return nil
}
