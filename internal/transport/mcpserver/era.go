package mcpserver

import (
	"context"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An era is one of the two sessions on a link: the SDK's transport and
// connection in one.
//
// There are two because a client may try the stateless protocol and then shake
// hands all the same, and the SDK refuses "initialize" in a session that has
// seen a stateless request. Apart, neither session knows of the other.
type era struct {
	link     *link
	incoming chan jsonrpc.Message // from link.accept
}

// Connect implements [mcp.Transport].
func (e *era) Connect(context.Context) (mcp.Connection, error) { return e, nil }

// SupportsProtocolVersion implements [mcp.ProtocolVersionSupporter].
func (e *era) SupportsProtocolVersion(version string) bool {
	return !e.link.handshakeOnly || version < statelessSince
}

// SessionID is empty: the link is the session.
func (e *era) SessionID() string { return "" }

// Close ends the link, and with it the other session.
func (e *era) Close() error { return e.link.close() }

// Read returns the next message for this session. It returns io.EOF at the end
// of the input, when all calls have been answered.
func (e *era) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-e.incoming:
		return msg, nil
	case <-e.link.ended:
		return nil, e.link.readErr
	case <-e.link.stopped:
	case <-e.link.closed:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return nil, io.EOF
}

// Write sends one message.
func (e *era) Write(_ context.Context, msg jsonrpc.Message) error {
	if resp, ok := msg.(*jsonrpc.Response); ok {
		call := e.link.calls.take(resp.ID)
		defer e.link.calls.end(call)
		if call.cancelled {
			return nil // a cancelled call must not be answered
		}
		if resp.Error != nil {
			fixed := *resp
			fixed.Error = presentable(call.req, resp.Error)
			msg = &fixed
		}
	}
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	return e.link.write(data)
}
