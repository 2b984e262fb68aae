package httpui

import (
	"context"
	"log/slog"
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/ws"
	"ui-mcp/internal/ui"
)

// codeNoSession is the close code that tells a page that its session does not exist.
const codeNoSession ws.Code = 4404

// compressFrom is the size in bytes from which a message is compressed. Below, compression would
// cost more than it saves, all the more since most pages are on this machine.
const compressFrom = 16 << 10

// maxReceived bounds a message of a page, in bytes. Pages send no longer ones (MAX_MESSAGE in
// web/src/data/outbox.ts).
const maxReceived = 32 << 20

// socket serves a page's WebSocket until either side closes it.
func (h *uiHandler) socket(w http.ResponseWriter, r *http.Request, id string) {
	log := h.log.With("session", id)
	o := ws.Options{Limits: ws.Limits{Received: maxReceived}, CompressFrom: compressFrom}
	err := ws.Serve(w, r, o, func(ctx context.Context, c *ws.Conn) {
		// A browser cannot see the status of a refused upgrade, but it can see a close code. So the
		// connection is made even when the session does not exist.
		only, observes := observed(r.Context())
		if observes && only != id {
			closeFor(c, fault.New(fault.NotFound, "there is no session %q", id), log)
			return
		}
		session, err := h.sessions(ctx, id)
		if err != nil {
			closeFor(c, err, log)
			return
		}
		page := ui.Client(c)
		if observes {
			page = observer{c}
		}
		defer session.Detach(page) // also after a failed attach, which may yet take effect
		talk(ctx, c, session, page, log)
	})
	if err != nil {
		log.Debug("WebSocket refused", "error", err) // it has been answered
	}
}

// An observer is the connection of a program that takes a picture.
type observer struct{ *ws.Conn }

// Observes implements [ui.Observer].
func (observer) Observes() {}

// talk passes on what a page sends until the connection ends.
func talk(ctx context.Context, c *ws.Conn, session Session, page ui.Client, log *slog.Logger) {
	if err := session.Attach(ctx, page); err != nil {
		closeFor(c, err, log)
	}
	for {
		m, err := c.Read(ctx)
		switch {
		case err != nil:
			return
		case m.Binary:
			c.Close(ws.UnsupportedData, "messages are JSON in text frames")
		default:
			if err := session.Receive(ctx, page, m.Data); err != nil {
				closeFor(c, err, log)
			}
		}
	}
}

// closeFor closes the connection of a page because of an error.
func closeFor(c *ws.Conn, err error, log *slog.Logger) {
	code := closeCode(err)
	if !c.IsClosing() && code != codeNoSession {
		log.Warn("closing the connection of a page", "error", err)
	}
	c.Close(code, err.Error())
}

func closeCode(err error) ws.Code {
	switch fault.KindOf(err) {
	case fault.NotFound:
		return codeNoSession
	case fault.Invalid:
		return ws.PolicyViolation
	case fault.Gone:
		return ws.GoingAway
	case fault.Precondition, fault.Exhausted, fault.Timeout, fault.Unreachable:
		return ws.TryAgainLater
	default:
		return ws.InternalError
	}
}
