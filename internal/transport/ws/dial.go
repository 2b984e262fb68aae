package ws

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/coder/websocket"
)

// A Dialed is a connection that this process has opened. One goroutine may read and one may send.
type Dialed struct {
	Header http.Header // of the answer
	conn   *websocket.Conn
}

// Dial opens a connection. received is the longest message that Read returns, in bytes. An answer
// other than an upgrade is returned, too, with its body; the caller must close that.
func Dial(ctx context.Context, url string, t http.RoundTripper, received int64) (*Dialed, *http.Response, error) {
	conn, res, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPClient: &http.Client{
		Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}})
	if err != nil {
		return nil, res, err
	}
	conn.SetReadLimit(received)
	return &Dialed{res.Header, conn}, nil, nil
}

// Read returns the next message, or [io.EOF] when the peer has closed the connection in order, and
// only then. Cancelling ctx ends the connection.
func (d *Dialed) Read(ctx context.Context) (Message, error) {
	kind, data, err := d.conn.Read(ctx)
	if closed, ok := errors.AsType[websocket.CloseError](err); ok && closed.Code == NormalClosure {
		return Message{}, io.EOF
	}
	if errors.Is(err, io.EOF) { // the library's error for a connection that was cut, too
		return Message{}, io.ErrUnexpectedEOF
	}
	return Message{Binary: kind == websocket.MessageBinary, Data: data}, err
}

// Reason returns the code and the reason with which the peer has closed a connection, given the
// error of Read, and the code -1 for other errors.
func Reason(err error) (Code, string) {
	if closed, ok := errors.AsType[websocket.CloseError](err); ok {
		return closed.Code, closed.Reason
	}
	return -1, ""
}

// SendBytes sends a binary message.
func (d *Dialed) SendBytes(ctx context.Context, b []byte) error {
	return d.conn.Write(ctx, websocket.MessageBinary, b)
}

func (d *Dialed) Send(ctx context.Context, text []byte) error {
	return d.conn.Write(ctx, websocket.MessageText, text)
}

// Close ends the connection without waiting for the peer.
func (d *Dialed) Close() error { return d.conn.CloseNow() }
