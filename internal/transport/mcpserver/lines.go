package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/jsonrpc"
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
	ctx, cancel := context.WithCancel(context.WithValue(ctx, serverKey{}, h.answers))
	defer cancel()
	c := newConnection(h.sessions.server, h.log, ctx.Done(), func(message []byte) error {
		_ = conn.SetWriteDeadline(time.Now().Add(httpio.WriteTimeout))
		_, err := conn.Write(append(message, '\n'))
		return err
	})
	if err := c.connect(ctx); err != nil {
		return errors.Join(err, c.close())
	}
	read := make(chan error, 1)
	closing := h.answers.Context()
	go func() { read <- c.readLines(closing, conn) }()
	var err error
	reading := true
	select {
	case err = <-read: // the client has disconnected
		reading = false
		c.end(io.EOF)
	case <-c.closed:
		err = net.ErrClosed
	case <-closing.Done():
		c.leave()
		select {
		case <-c.idle():
		case <-c.closed:
			err = net.ErrClosed
		}
	}
	_ = conn.SetReadDeadline(time.Now()) // ends readLines
	_ = c.close()
	_ = c.wait()
	if reading {
		<-read
	}
	if err == nil {
		err = c.write(farewell)
	}
	return err
}

// readLines accepts messages until the input ends, or the connection takes no more, as when the
// server is closing.
func (c *connection) readLines(closing context.Context, conn net.Conn) error {
	lines := jsonrpc.NewLineReader(conn, DefaultMaxLine)
	for {
		line, err := lines.Next()
		if closing.Err() != nil {
			c.leave() // calls that arrive from now on would only be cancelled
		}
		if err := c.acceptLine(line, err, DefaultMaxLine); err != nil {
			return err
		}
	}
}
