package wsterm

import (
	"context"
	"net"
	"net/http"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/transport/attachedterm"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/transport/ws"
)

// requestTime is how long a client may take to send its first frame.
const requestTime = 5 * time.Second

// attach attaches a person's terminal, in frames: each is a binary message. The query's in, or else
// the first one, says how; that may create the session over the Unix socket, or for another host,
// unless the path names one. Pages cannot read why an upgrade was refused, so a failed request is
// answered with a frame.
func (h *handler) attach(w http.ResponseWriter, r *http.Request) {
	by := grantOf(r, core.SenderAttach)
	t, unknown := h.on(r)
	query := r.URL.Query()
	options := attachedterm.Options{Terminals: t, By: by, Session: r.PathValue("name"), Prefix: query.Get("prefix"), Untrusted: query.Has("untrusted"), Join: h.guest}
	h.serve(w, r, h.limits, func(ctx context.Context, conn *ws.Conn) {
		c := &frames{ctx, conn}
		// Not the code for a caller without the right, which does not come back: a page on a
		// busy machine may only be slow.
		late := time.AfterFunc(requestTime, func() { conn.Close(ws.TryAgainLater, "no request has come in time") })
		first, err := socketwire.Frame{Kind: socketwire.AttachSession, Content: []byte(query.Get("in"))}, error(nil)
		if !query.Has("in") {
			first, err = c.Read()
		}
		late.Stop()
		if err == nil && first.Kind != socketwire.AttachSession && (options.Session != "" || !isLocal(r) && !isHost(r)) {
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

// isLocal reports whether a request arrived over a Unix socket, which only its owner can open. What
// a person creates there is not held back for a permission; any program could say so at a port.
func isLocal(r *http.Request) bool {
	_, ok := r.Context().Value(http.LocalAddrContextKey).(*net.UnixAddr)
	return ok
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
	case !m.Binary:
		m.Data = nil
	}
	return socketwire.Parse(m.Data)
}

// Write implements [attachedterm.Conn].
func (c *frames) Write(k socketwire.Kind, content []byte) error {
	return c.conn.Send(c.ctx, ws.Message{Binary: true, Data: socketwire.Frame{Kind: k, Content: content}.Message()})
}

// Close implements [attachedterm.Conn].
func (c *frames) Close() error {
	c.conn.Finish(ws.NormalClosure, "")
	return nil
}
