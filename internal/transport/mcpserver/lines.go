package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"ui-mcp/internal/transport/httpio"
)

// Reserve has [HTTP.Close] wait for a connection that is about to be served with [HTTP.ServeLines],
// until release is called. It reports false once h is closed. A client that was let in without it
// could send calls to a server that has gone by then, and not learn that they did not run.
func (h *HTTP) Reserve() (release func(), ok bool) {
	return sync.OnceFunc(h.requests.Leave), h.requests.Enter()
}

// ServeLines serves both protocol eras on a connection, one message a line, until the client
// disconnects or h is closed. Calls have the values of ctx. They are cancelled when the client
// disconnects, and when h is closed; then they are still answered, calls that arrive later are
// ignored, and farewell is the last line, so that the client can tell a call that did not run from
// one whose answer was lost. The caller must have reserved the connection: see [HTTP.Reserve].
//
// A client that says that it sends nothing more gets the answers to the calls that it has made, for
// drain; those that wait for a person end.
//
// The error says why the connection ended; it is nil when h was closed and all answers were sent.
// The connection remains the caller's to close.
func (h *HTTP) ServeLines(ctx context.Context, conn net.Conn, farewell []byte, drain time.Duration) error {
	c := h.connection(ctx, 2, func(message []byte) error {
		_ = conn.SetWriteDeadline(time.Now().Add(httpio.WriteTimeout))
		_, err := conn.Write(append(message, '\n'))
		return err
	})
	c.plain = h.Plain
	if err := c.connect(nil); err != nil {
		return errors.Join(err, c.close())
	}
	read := make(chan error, 1)
	go func() {
		err := c.readLines(conn, DefaultMaxLine)
		if !errors.Is(err, errLate) { // else the client is there, and gets its answers and the farewell
			if errors.Is(err, io.EOF) && drain > 0 {
				c.finish(drain)
			}
			c.end(io.EOF) // the client has disconnected, unless ServeLines has made an end of reading
		}
		read <- err
	}()
	answered := c.await()
	_ = conn.SetReadDeadline(time.Now()) // ends readLines
	_ = c.close()
	_ = c.wait()
	c.calls.plain.Wait()
	if err := <-read; !answered {
		return err
	}
	return c.write(farewell)
}
