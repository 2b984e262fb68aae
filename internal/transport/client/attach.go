// Package client uses a server of terminals in another process, over any connection.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/url"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/socketwire"
	"ui-mcp/internal/transport/ws"
)

const (
	// maxTyped is the length of the input in one frame, in bytes. Servers take messages of 1 MiB.
	maxTyped = 256 << 10
	// maxRefusal is how much of a refused upgrade's answer is read, in bytes.
	maxRefusal = 64 << 10
)

// An Attached is a person's terminal, attached to a session over a WebSocket. One goroutine may
// read and one may write.
type Attached struct {
	conn *ws.Dialed
	http *http.Transport
}

// Attach asks the server at the other end of a connection to attach a terminal to a session, or,
// where that is "", to create one: the first frame that is written says how, and the first one that
// is read is the answer. If the server refuses earlier, the error has the kind and the detail that
// it has there. conn belongs to the result, and is closed if there is an error.
func Attach(ctx context.Context, conn net.Conn, session string) (*Attached, error) {
	a := &Attached{http: &http.Transport{DisableCompression: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		c := conn
		if conn = nil; c == nil {
			return nil, net.ErrClosed // there is one request
		}
		return c, nil
	}}}
	path := "/ws/attach"
	if session != "" {
		path = "/sessions/" + url.PathEscape(session) + path
	}
	dialed, res, err := ws.Dial(ctx, "ws://localhost"+path, &http.Client{Transport: a.http}, 1+socketwire.MaxSize)
	if err == nil {
		a.conn = dialed
		return a, nil
	}
	defer a.http.CloseIdleConnections()
	if conn != nil {
		_ = conn.Close() // nothing was sent
	}
	if ctx.Err() != nil {
		err = ctx.Err() // the library's error does not say so
	}
	if res == nil || res.Body == nil {
		return nil, fault.Wrap(fault.Gone, err, "the server does not answer")
	}
	defer res.Body.Close()
	var refused struct {
		Error struct{ Code, Message string }
	}
	content, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal)) // what there is may say why
	if json.Unmarshal(bytes.TrimSpace(content), &refused) != nil || refused.Error.Message == "" {
		return nil, fault.New(fault.Precondition, "the server answers %s: \"wsh version\" compares its version with this one's", res.Status)
	}
	return nil, errcode.Parse(res.StatusCode, refused.Error.Code, refused.Error.Message)
}

// Read returns the next frame. A server that ends in order says so with a last frame.
func (a *Attached) Read(ctx context.Context) (socketwire.Frame, error) {
	m, err := a.conn.Read(ctx)
	if code, _ := ws.Reason(err); code == ws.GoingAway {
		return socketwire.Frame{Kind: socketwire.Detach, Content: []byte(`{"reason":"` + socketwire.Stopping + `"}`)}, nil
	}
	if err != nil {
		return socketwire.Frame{}, err
	}
	return socketwire.Parse(m.Data)
}

// Write writes a frame. Much input is divided.
func (a *Attached) Write(ctx context.Context, f socketwire.Frame) error {
	for f.Kind == socketwire.StdinInput && len(f.Content) > maxTyped {
		if err := a.conn.SendBytes(ctx, socketwire.Frame{Kind: f.Kind, Content: f.Content[:maxTyped]}.Message()); err != nil {
			return err
		}
		f.Content = f.Content[maxTyped:]
	}
	return a.conn.SendBytes(ctx, f.Message())
}

// Close ends the connection without waiting for the server: Read and Write fail.
func (a *Attached) Close() error {
	defer a.http.CloseIdleConnections()
	return a.conn.Close()
}
