package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ui-mcp/internal/transport/jsonrpc"
)

// refuse returns the answer to a message that cannot be taken. id is that of the message, where it
// is known and legal, so that the sender stops waiting; else nil.
func refuse(id json.RawMessage, code int, format string, args ...any) *jsonrpc.Response {
	r := jsonrpc.Failure(id, jsonrpc.Errorf(code, format, args...))
	return &r
}

// decode reads data as one message. When that fails, one of the other results says what to do: send
// the refusal, or log why the message is ignored. Responses are never refused.
func decode(data []byte) (msg sdkrpc.Message, refusal *jsonrpc.Response, ignored string) {
	all, batch, err := jsonrpc.Parse(data)
	switch {
	case err != nil && utf8.Valid(data):
		return nil, refuse(nil, err.Code, "%s (a message is one JSON object; on standard input it is one line)", err.Message), ""
	case err != nil:
		return nil, refuse(nil, err.Code, "%s", err.Message), ""
	case batch:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: batches are not supported; send each message by itself"), ""
	}
	m := &all[0]
	id, problem := echoable(m.ID), m.Invalid
	switch {
	case id == nil && m.ID != nil:
		problem = jsonrpc.Errorf(jsonrpc.CodeInvalidRequest, `Invalid Request: "id" must be a string or an integer`)
		if jsonrpc.TypeOf(m.ID) == "number" {
			problem.Message = `Invalid Request: "id" must be an integer below 2^53, or a string`
		}
	case problem != nil:
	case m.Params != nil && jsonrpc.TypeOf(m.Params) != "object" && jsonrpc.TypeOf(m.Params) != "null":
		problem = jsonrpc.Errorf(jsonrpc.CodeInvalidRequest, `Invalid Request: "params" must be an object`)
	default:
		msg, err := sdkrpc.DecodeMessage(m.Raw)
		if err == nil {
			return msg, nil, ""
		}
		problem = jsonrpc.Errorf(jsonrpc.CodeInvalidRequest, "Invalid Request: %v", err)
	}
	if m.IsResponse {
		return nil, nil, problem.Message
	}
	return nil, refuse(id, problem.Code, "%s", problem.Message), ""
}

// echoable returns an id, or nil when the SDK could not give it back unchanged: it keeps a number
// as a float64 and answers with an int64.
func echoable(id json.RawMessage) json.RawMessage {
	switch jsonrpc.TypeOf(id) {
	case "string":
		return id
	case "number":
		const exact = 1 << 53
		f, err := strconv.ParseFloat(string(id), 64)
		if err == nil && f == math.Trunc(f) && math.Abs(f) < exact {
			return id
		}
	}
	return nil
}

// encode returns a message as bytes. A response that cannot be encoded becomes an internal error:
// otherwise the client would wait for ever, and the SDK would take the connection for broken.
func encode(msg sdkrpc.Message) ([]byte, error) {
	data, err := sdkrpc.EncodeMessage(msg)
	resp, ok := msg.(*sdkrpc.Response)
	if err == nil || !ok {
		return data, err
	}
	failure := jsonrpc.Errorf(jsonrpc.CodeInternal, "internal error: the answer cannot be encoded: this is a bug in the server")
	return jsonrpc.Failure(encodeID(resp.ID), failure).Encode(), nil
}

// ourError returns an error as an error object of ours.
func ourError(err error) *jsonrpc.Error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e
	}
	we := wireForm(err)
	return &jsonrpc.Error{Code: int(we.Code), Message: we.Message, Data: we.Data}
}

func errPanicked(method string) error {
	return fmt.Errorf("internal error in %s: this is a bug in the server; its log has the details", method)
}
