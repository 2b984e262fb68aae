package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A refusal is the answer to what is no message that we can take.
type refusal struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   refusalError    `json:"error"`
}

type refusalError struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
}

// refuse makes a refusal. id is the request's own where it is known and legal,
// so that its sender stops waiting; else nil.
func refuse(id json.RawMessage, code int64, format string, args ...any) *refusal {
	if id == nil {
		id = json.RawMessage("null")
	}
	return &refusal{JSONRPC: "2.0", ID: id, Error: refusalError{code, fmt.Sprintf(format, args...)}}
}

// decode reads data as a JSON-RPC message. When it is none, exactly one of
// the other results says what to do: send the refusal, or note why it is
// ignored. A response is never refused, or two peers might refuse each other's
// refusals for ever.
func decode(data []byte) (msg jsonrpc.Message, no *refusal, ignored string) {
	if !utf8.Valid(data) {
		return nil, refuse(nil, jsonrpc.CodeParseError, "Parse error: the message is not valid UTF-8"), ""
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, refuse(nil, jsonrpc.CodeParseError, "Parse error: %v (a message is one JSON object; on standard input it is one line)", err), ""
	}
	switch kind := kindOf(data); kind {
	case "object":
	case "array":
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: batches are not supported; send each message by itself"), ""
	default:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "Invalid Request: a message is an object, not %s", article(kind)), ""
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, refuse(nil, jsonrpc.CodeParseError, "Parse error: %v", err), ""
	}

	_, isResult := fields["result"]
	_, isError := fields["error"]
	_, isRequest := fields["method"]
	id, problem := checkID(fields)
	if problem == "" {
		problem = checkEnvelope(fields)
	}
	if problem == "" {
		var err error
		if msg, err = jsonrpc.DecodeMessage(data); err == nil {
			return msg, nil, ""
		}
		problem = err.Error()
	}
	if !isRequest && (isResult || isError) {
		return nil, nil, problem
	}
	return nil, refuse(id, jsonrpc.CodeInvalidRequest, "Invalid Request: %s", problem), ""
}

// checkEnvelope says what is wrong with the members of a message, other than
// its id.
func checkEnvelope(fields map[string]json.RawMessage) string {
	if !bytes.Equal(fields["jsonrpc"], []byte(`"2.0"`)) {
		return `"jsonrpc" must be "2.0"`
	}
	method, ok := fields["method"]
	if !ok {
		_, isResult := fields["result"]
		_, isError := fields["error"]
		if isResult || isError {
			return ""
		}
		return `"method" is missing`
	}
	if kindOf(method) != "string" {
		return `"method" must be a string`
	}
	if p, ok := fields["params"]; ok && kindOf(p) != "object" && kindOf(p) != "null" {
		return `"params" must be an object`
	}
	return ""
}

// checkID returns the id of a message, or nil when it has none that could be
// given back unchanged, and what is wrong with it.
func checkID(fields map[string]json.RawMessage) (id json.RawMessage, problem string) {
	id, ok := fields["id"]
	if !ok {
		return nil, ""
	}
	switch kindOf(id) {
	case "string":
		return id, ""
	case "number":
		// The SDK keeps a number as a float64 and answers with an int64.
		const exact = 1 << 53
		f, err := strconv.ParseFloat(string(id), 64)
		if err != nil || f != math.Trunc(f) || math.Abs(f) >= exact {
			return nil, `"id" must be an integer below 2^53, or a string`
		}
		return id, ""
	}
	return nil, `"id" must be a string or an integer`
}
