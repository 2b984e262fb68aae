// Package jsonrpc reads and writes messages of JSON-RPC 2.0, strictly: every input yields messages
// or an error object that answers it. [ParseOne] adds the rules of MCP, which are stricter. It has
// no connection and no methods; the transports add theirs.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"ui-mcp/internal/fault"
)

// Version is the "jsonrpc" member of every message.
const Version = "2.0"

// The standard's error codes.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// An Error is an error object.
type Error struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

// Errorf returns an error object with a formatted message.
func Errorf(code int64, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// A Message is a request, a notification or a response that was read.
type Message struct {
	ID     json.RawMessage // as it was sent; nil without an id, or without one that can be echoed
	Method string
	Params json.RawMessage // as they were sent; nil without parameters
	Raw    json.RawMessage // the whole message

	// IsResponse says that it has no method but a result or an error. A response must not be
	// answered even when it is invalid, or two peers might refuse each other's refusals for ever.
	IsResponse bool
	// Invalid answers a message that breaks the standard; nil means that it does not.
	Invalid *Error
}

// IsNotification reports whether a valid message must not be answered.
func (m *Message) IsNotification() bool { return m.Invalid == nil && !m.IsResponse && m.ID == nil }

// Parse reads one message. There are no batches, as in MCP.
func Parse(data []byte) Message {
	data = bytes.TrimSpace(data)
	m := Message{Raw: data}
	var fields map[string]json.RawMessage
	var other json.RawMessage
	kind, into := TypeOf(data), any(&other)
	if kind == "object" {
		into = &fields
	}
	err := json.Unmarshal(data, into) // it checks all of it
	switch {
	case !utf8.Valid(data):
		m.Invalid = Errorf(CodeParse, "Parse error: the message is not valid UTF-8")
	case err != nil:
		m.Invalid = Errorf(CodeParse, "Parse error: %v", err)
	case kind == "object":
		return parseObject(data, fields)
	case kind == "array":
		m.Invalid = Errorf(CodeInvalidRequest, "Invalid Request: batches are not supported; send each message by itself")
	default:
		m.Invalid = Errorf(CodeInvalidRequest, "Invalid Request: a message is an object, not %s", Article(kind))
	}
	return m
}

// parseObject reads a message whose members are given.
func parseObject(raw json.RawMessage, fields map[string]json.RawMessage) Message {
	m := Message{Raw: raw}
	method, hasMethod := fields["method"]
	_, hasResult := fields["result"]
	_, hasError := fields["error"]
	m.IsResponse = !hasMethod && (hasResult || hasError)
	m.Params = fields["params"]
	invalid := func(text string) Message {
		m.Invalid = Errorf(CodeInvalidRequest, "Invalid Request: %s", text)
		return m
	}
	if id, given := fields["id"]; given {
		switch TypeOf(id) {
		case "string", "number", "null":
			m.ID = id
		default:
			return invalid(`"id" must be a string or an integer`)
		}
	}
	switch {
	case !bytes.Equal(fields["jsonrpc"], []byte(`"`+Version+`"`)):
		return invalid(`"jsonrpc" must be "2.0"`)
	case m.IsResponse:
		return m
	case !hasMethod:
		return invalid(`"method" is missing`)
	case TypeOf(method) != "string" || json.Unmarshal(method, &m.Method) != nil:
		return invalid(`"method" must be a string`)
	case m.Method == "":
		return invalid(`"method" must not be empty`)
	}
	return m
}

// A Request is a call to be sent.
type Request struct {
	ID     any
	Method string
	Params any
}

// MarshalJSON implements [json.Marshaler].
func (r Request) MarshalJSON() ([]byte, error) {
	return Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      any    `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{Version, r.ID, r.Method, r.Params})
}

// A Response is an answer. Exactly one of Result and Error is set.
type Response struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Result returns the answer to a call that succeeded. A value that cannot be encoded becomes an
// internal error.
func Result(id json.RawMessage, v any) *Response {
	result, err := Marshal(v)
	if err != nil {
		return Failure(id, Errorf(CodeInternal, "the result cannot be encoded: %v", err))
	}
	return &Response{ID: id, Result: result}
}

// Failure returns the answer to a call that failed. id is nil when the call's id is not known.
func Failure(id json.RawMessage, err *Error) *Response { return &Response{ID: id, Error: err} }

// Refuse returns the answer to a message that cannot be taken. id is the message's id, where it
// is known and legal, so that the sender stops waiting; else nil.
func Refuse(id json.RawMessage, code int64, format string, args ...any) *Response {
	return Failure(id, Errorf(code, format, args...))
}

// MarshalJSON implements [json.Marshaler].
func (r Response) MarshalJSON() ([]byte, error) {
	id := r.ID
	if id == nil {
		id = json.RawMessage("null")
	}
	return Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   *Error          `json:"error,omitempty"`
	}{Version, id, r.Result, r.Error})
}

// Encode returns the response as bytes, which are valid UTF-8 without line breaks. It never fails:
// an error's data that is not JSON is left out.
func (r Response) Encode() []byte {
	data, err := Marshal(r)
	if err != nil && r.Error != nil {
		data, err = Marshal(Failure(r.ID, &Error{Code: r.Error.Code, Message: r.Error.Message}))
	}
	if err != nil {
		data, err = Marshal(Failure(nil, Errorf(CodeInternal, "the answer cannot be encoded: %v", err)))
	}
	if err != nil {
		panic(err) // texts can be encoded
	}
	return data
}

// MustMarshal is [Marshal] for the program's own types, which can be encoded.
func MustMarshal(v any) []byte { return fault.Must(Marshal(v)) }

// Marshal encodes a value on one line, leaves characters such as < as they are, since models and
// people read them, and replaces bytes that are not UTF-8.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return ToValidUTF8(bytes.TrimSpace(b.Bytes())), nil
}

// ToValidUTF8 replaces bytes that are not UTF-8. In JSON only strings can hold them, so that JSON
// stays valid.
func ToValidUTF8(data []byte) []byte {
	if utf8.Valid(data) {
		return data
	}
	return bytes.ToValidUTF8(data, []byte("\uFFFD"))
}

// TypeOf is the JSON type of a valid value, by its first byte.
func TypeOf(raw json.RawMessage) string {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	if len(raw) == 0 {
		return "null"
	}
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// Article puts the indefinite article before the name of a JSON type.
func Article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "object", "array", "integer":
		return "an " + kind
	}
	return "a " + kind
}
