package mcpserver

import (
	"context"
	"io"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/jsonrpc"
)

// MCP has two eras: revisions in which a session starts with a handshake ("initialize"), and the
// stateless ones since 2026-07-28, whose requests name their version. Clients of both may use one
// connection, and a client may try the newer era and then shake hands all the same.

// Indexes of connection.eras.
const (
	handshake = iota
	stateless
)

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

// connect starts the sessions of both eras.
func (c *connection) connect() error {
	ctx := context.WithValue(c.ctx, connKey{}, c)
	for _, e := range c.eras {
		session, err := c.server.Connect(ctx, e, nil)
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

// SessionID is empty: the connection is the session.
func (e *era) SessionID() string { return "" }

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

// Write sends one message.
func (e *era) Write(_ context.Context, msg sdkrpc.Message) error {
	if resp, ok := msg.(*sdkrpc.Response); ok {
		call := e.conn.calls.take(resp.ID)
		defer e.conn.calls.end(call)
		if call.cancelled {
			return nil // a cancelled call must not be answered
		}
		if resp.Error != nil {
			fixed := *resp
			fixed.Error = presentable(call.req, resp.Error)
			msg = &fixed
		}
	}
	data, err := encode(msg)
	if err != nil {
		e.conn.log.Error("a message was dropped", "error", err)
		return nil
	}
	return e.conn.write(data)
}
