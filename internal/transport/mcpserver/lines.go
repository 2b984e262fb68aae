package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"ui-mcp/internal/transport/httpio"
)

// ServeLines serves both protocol eras on a connection, one message a line, until the client
// disconnects or h is closed. Calls have the values of ctx. They are cancelled when the client
// disconnects, and when h is closed; then they are still answered, calls that arrive later are
// ignored, and farewell is the last line, so that the client can tell a call that did not run from
// one whose answer was lost.
//
// The error says why the connection ended; it is nil when h was closed and all answers were sent.
// The connection remains the caller's to close.
func (h *HTTP) ServeLines(ctx context.Context, conn net.Conn, farewell []byte) error {
	if !h.requests.Enter() {
		return errClosed
	}
	defer h.requests.Leave()
	c := newConnection(ctx, h.sessions.server, h.log, h.answers.Context(), func(message []byte) error {
		_ = conn.SetWriteDeadline(time.Now().Add(httpio.WriteTimeout))
		_, err := conn.Write(append(message, '\n'))
		return err
	})
	if err := c.connect(); err != nil {
		return errors.Join(err, c.close())
	}
	read := make(chan error, 1)
	go func() {
		err := c.readLines(conn, DefaultMaxLine)
		c.end(io.EOF) // the client has disconnected, unless ServeLines has made an end of reading
		read <- err
	}()
	answered := c.await()
	_ = conn.SetReadDeadline(time.Now()) // ends readLines
	_ = c.close()
	_ = c.wait()
	if err := <-read; !answered {
		return err
	}
	return c.write(farewell)
}
