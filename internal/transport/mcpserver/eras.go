package mcpserver

import (
	"context"
	"io"
	"slices"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/jsonrpc"
)

// MCP has two eras: revisions in which a session starts with a handshake ("initialize"), and the
// stateless ones since 2026-07-28, whose requests name their version. Clients of both may use one
// connection, and a client may try the newer era and then shake hands all the same.

// StatelessSince is the first revision without a handshake. Its requests say what their client can.
const StatelessSince = jsonrpc.StatelessSince

// An era is one of the two sessions on a connection: the SDK's transport and its connection in one.
//
// There are two because the SDK refuses "initialize" in a session that has seen a stateless
// request. Neither session knows of the other.
type era struct {
	conn     *connection
	incoming chan sdkrpc.Message // from connection.accept
}

var _ mcp.Connection = (*era)(nil)

// handshakeVersions are the revisions with a handshake, the newest first.
var handshakeVersions = slices.DeleteFunc(mcp.SupportedProtocolVersions(), func(v string) bool { return v >= StatelessSince })

// connect starts the sessions of all eras. state is how they begin, or nil.
func (c *connection) connect(state *mcp.ServerSessionState) error {
	ctx := context.WithValue(c.ctx, connKey{}, c)
	for _, e := range c.eras {
		session, err := c.server.Connect(ctx, e, &mcp.ServerSessionOptions{State: state})
		if err != nil {
			return err
		}
		c.sessions = append(c.sessions, session)
	}
	return nil
}

// wait returns when the sessions have ended, with the first error: the client has disconnected.
func (c *connection) wait() (first error) {
	for _, session := range c.sessions {
		if err := session.Wait(); first == nil {
			first = err
		}
	}
	return first
}

// Connect implements [mcp.Transport].
func (e *era) Connect(context.Context) (mcp.Connection, error) { return e, nil }

// SupportsProtocolVersion implements [mcp.ProtocolVersionSupporter].
func (e *era) SupportsProtocolVersion(version string) bool {
	return !e.conn.handshakeOnly || version < StatelessSince
}

// SessionID names a session over HTTP; it is empty where the connection is the session.
func (e *era) SessionID() string { return e.conn.id }

// Close ends the connection, and with it the other session.
func (e *era) Close() error { return e.conn.close() }

// Read returns the next message for this session. At the end of the input, when all calls have been
// answered, it returns io.EOF.
func (e *era) Read(ctx context.Context) (sdkrpc.Message, error) {
	select {
	case msg := <-e.incoming:
		return msg, nil
	case <-e.conn.ended:
		return nil, e.conn.readErr
	case <-e.conn.ctx.Done():
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return nil, io.EOF
}

// Write sends one message: over HTTP, with the response to the call that it belongs to.
func (e *era) Write(ctx context.Context, msg sdkrpc.Message) error {
	of, _ := ctx.Value(arrivedKey{}).(*call)
	send := e.conn.write
	req, _ := msg.(*sdkrpc.Request)
	asks := req != nil && req.IsCall()
	if of != nil && of.reply != nil && !(asks && of.tied) { // without a session, no answer would come
		send = of.reply.message
	}
	if resp, ok := msg.(*sdkrpc.Response); ok {
		of = e.conn.calls.take(resp.ID)
		defer e.conn.calls.end(of)
		fixed := *resp
		if resp.Error != nil {
			fixed.Error = presentable(of.req, resp.Error)
			msg = &fixed
		}
		switch {
		case of.reply != nil:
			send = func(data []byte) error { return of.reply.answer(data, fixed.Error) }
		case of.cancelled:
			return nil // a cancelled call must not be answered
		}
	}
	data, err := encode(msg)
	if err != nil {
		e.conn.log.Error("a message was dropped", "error", err)
		return nil
	}
	if err = send(data); err == nil || !e.conn.overHTTP {
		return err
	}
	if asks { // it would wait for an answer
		select {
		case e.incoming <- &sdkrpc.Response{ID: req.ID, Error: errUndelivered}:
		case <-e.conn.ctx.Done():
		}
	}
	return nil
}
