package mcpserver

import (
	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ui-mcp/internal/transport/jsonrpc"
)

// decode reads data as one message. When that fails, one of the other results says what to do: send
// the refusal, or log why the message is ignored. Responses are never refused.
func decode(data []byte) (msg sdkrpc.Message, refusal *jsonrpc.Response, ignored string) {
	m, refusal, ignored := jsonrpc.ParseOne(data)
	if m == nil {
		return nil, refusal, ignored
	}
	msg, err := sdkrpc.DecodeMessage(m.Raw)
	switch {
	case err == nil:
		return msg, nil, ""
	case m.IsResponse:
		return nil, nil, err.Error()
	}
	return nil, jsonrpc.Refuse(m.ID, jsonrpc.CodeInvalidRequest, "Invalid Request: %v", err), ""
}

// encode returns a message as bytes, which are valid UTF-8. A response that cannot be encoded
// becomes an internal error: otherwise the client would wait for ever, and the SDK would take the
// connection for broken.
func encode(msg sdkrpc.Message) ([]byte, error) {
	data, err := sdkrpc.EncodeMessage(msg)
	resp, ok := msg.(*sdkrpc.Response)
	if err == nil || !ok {
		return jsonrpc.ToValidUTF8(data), err
	}
	failure := jsonrpc.Errorf(jsonrpc.CodeInternal, "internal error: the answer cannot be encoded: this is a bug in the server")
	return jsonrpc.Failure(encodeID(resp.ID), failure).Encode(), nil
}
