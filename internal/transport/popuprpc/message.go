package popuprpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"unicode/utf8"
)

// MaxBatch is how many messages one array may hold.
const MaxBatch = 100

// A Request is one message that was read.
type Request struct {
	ID     json.RawMessage // as it came; nil for a notification
	Method string
	Params json.RawMessage
	wrong  *Error // what keeps it from being run, or nil
}

// IsNotification reports whether nobody waits for an answer.
func (r *Request) IsNotification() bool { return r.wrong == nil && r.ID == nil }

// A Message is what came in at once: a request, or an array of them.
type Message struct {
	Requests []*Request
	IsBatch  bool
}

// A response is an answer. It has exactly one of Result and Error.
type response struct {
	JSONRPC string          `json:"jsonrpc"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
	ID      json.RawMessage `json:"id"`
}

// Parse reads a message. What is wrong with it, or with one request of an array, comes out as its answer.
func Parse(data []byte) Message {
	if !utf8.Valid(data) {
		return failed(newError(CodeParse, "Parse error: the message is not valid UTF-8"))
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return failed(newError(CodeParse, "Parse error: %v", err))
	}
	if raw = bytes.TrimSpace(raw); raw[0] != '[' {
		return Message{Requests: []*Request{parseRequest(raw)}}
	}
	var all []json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return failed(newError(CodeParse, "Parse error: %v", err))
	}
	if len(all) == 0 || len(all) > MaxBatch {
		return failed(newError(CodeInvalidRequest, "Invalid Request: a batch has 1 to %d messages, not %d", MaxBatch, len(all)))
	}
	m := Message{IsBatch: true}
	for _, one := range all {
		m.Requests = append(m.Requests, parseRequest(bytes.TrimSpace(one)))
	}
	return m
}

func failed(e *Error) Message { return Message{Requests: []*Request{{wrong: e}}} }

func parseRequest(raw json.RawMessage) *Request {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return &Request{wrong: newError(CodeInvalidRequest, "Invalid Request: a message is a JSON object")}
	}
	r := &Request{Params: fields["params"]}
	if id, given := fields["id"]; given {
		if !isID(id) {
			r.wrong = newError(CodeInvalidRequest, `Invalid Request: "id" must be a string or a number`)
			return r
		}
		r.ID = bytes.TrimSpace(id)
	}
	if err := json.Unmarshal(fields["method"], &r.Method); err != nil || r.Method == "" {
		r.wrong = newError(CodeInvalidRequest, `Invalid Request: "method" must be a string`)
	}
	if !bytes.Equal(bytes.TrimSpace(fields["jsonrpc"]), []byte(`"2.0"`)) {
		r.wrong = newError(CodeInvalidRequest, `Invalid Request: "jsonrpc" must be "2.0"`)
	}
	return r
}

// isID reports whether a value can be an id: a string, a number or, as JSON-RPC has it, null.
func isID(raw json.RawMessage) bool {
	switch raw = bytes.TrimSpace(raw); raw[0] {
	case '{', '[', 't', 'f':
		return false
	}
	return true
}

// ForMe reports whether m is for these methods to answer: it has a request of theirs.
func (m *Methods) ForMe(msg Message) bool {
	for _, r := range msg.Requests {
		if m.Handles(r.Method) {
			return true
		}
	}
	return false
}

// Answer runs what a message asks for and returns the message that answers it, without a newline, or nil when nothing is to
// be answered. code is that of the error, or 0 when there is none or it was a batch. The requests of a batch run at the same
// time. Questions by notification are not asked: the answer could reach nobody.
func (m *Methods) Answer(ctx context.Context, msg Message, opts Options) (answer []byte, code int) {
	if !msg.IsBatch {
		r := m.run(ctx, msg.Requests[0], opts)
		if r == nil {
			return nil, 0
		}
		if r.Error != nil {
			code = r.Error.Code
		}
		return encode(r), code
	}
	all := make([]*response, len(msg.Requests))
	var running sync.WaitGroup
	for i, r := range msg.Requests {
		running.Go(func() { all[i] = m.run(ctx, r, opts) })
	}
	running.Wait()
	answers := make([]*response, 0, len(all))
	for _, r := range all {
		if r != nil {
			answers = append(answers, r)
		}
	}
	if len(answers) == 0 {
		return nil, 0
	}
	return encode(answers), 0
}

// run answers one request, and nothing for a notification.
func (m *Methods) run(ctx context.Context, r *Request, opts Options) *response {
	if r.IsNotification() {
		return nil
	}
	res := &response{JSONRPC: "2.0", ID: r.ID, Error: r.wrong}
	if r.ID == nil {
		res.ID = json.RawMessage("null")
	}
	if r.wrong != nil {
		return res
	}
	result, err := m.Call(ctx, r.Method, r.Params, opts)
	if err == nil {
		res.Result = result
		return res
	}
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = newError(CodeInternal, "%v", err)
	}
	res.Error = e
	return res
}

// Queued is the acknowledgement of a request whose answer comes later.
func Queued(r *Request) []byte {
	return encode(&response{JSONRPC: "2.0", Result: map[string]string{"status": "queued"}, ID: r.ID})
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // responses are made of what has a JSON form
	}
	return bytes.TrimSpace(b.Bytes())
}
