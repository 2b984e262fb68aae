package popuprpc

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"ui-mcp/internal/transport/jsonrpc"
)

// MaxBatch is how many messages one array may hold.
const MaxBatch = 100

// A Message is what came in at once: one request, or an array of them.
type Message struct {
	Requests []jsonrpc.Message
	IsBatch  bool
}

// Parse reads a message. A request that is malformed keeps its error, with which Answer answers it.
func Parse(data []byte) Message {
	all, batch, err := jsonrpc.Parse(data)
	if err == nil && batch && (len(all) == 0 || len(all) > MaxBatch) {
		err = jsonrpc.Errorf(jsonrpc.CodeInvalidRequest, "Invalid Request: a batch has 1 to %d messages, not %d", MaxBatch, len(all))
	}
	if err != nil {
		return Message{Requests: []jsonrpc.Message{{Invalid: err}}}
	}
	return Message{all, batch}
}

// HandlesAny reports whether a message has a request for one of these methods.
func (m *Methods) HandlesAny(msg Message) bool {
	return slices.ContainsFunc(msg.Requests, func(r jsonrpc.Message) bool { return Asks(r.Method) || r.Method == HealthCheck })
}

// Answer runs the requests of a message, a batch's at the same time, and returns the message that
// answers it, without a newline, or nil when nothing is to be answered. code is the code of the
// error, or 0 without an error or for a batch. A question that is sent as a notification is not
// asked, since its answer could reach nobody.
func (m *Methods) Answer(ctx context.Context, msg Message, opts Options) (answer []byte, code int64) {
	if !msg.IsBatch {
		r := m.run(ctx, &msg.Requests[0], opts)
		if r == nil {
			return nil, 0
		}
		if r.Error != nil {
			code = r.Error.Code
		}
		return r.Encode(), code
	}
	all := make([]*jsonrpc.Response, len(msg.Requests))
	var running sync.WaitGroup
	for i := range msg.Requests {
		running.Go(func() { all[i] = m.run(ctx, &msg.Requests[i], opts) })
	}
	running.Wait()
	answers := make([]json.RawMessage, 0, len(all))
	for _, r := range all {
		if r != nil {
			answers = append(answers, r.Encode())
		}
	}
	if len(answers) == 0 {
		return nil, 0
	}
	return jsonrpc.MustMarshal(answers), 0 // each of them is JSON
}

// run answers one request. It returns nil where there is nothing to answer.
func (m *Methods) run(ctx context.Context, r *jsonrpc.Message, opts Options) *jsonrpc.Response {
	switch {
	case r.Invalid != nil:
		return jsonrpc.Failure(r.ID, r.Invalid)
	case r.IsResponse || r.IsNotification():
		return nil
	}
	result, err := m.Call(ctx, r.Method, r.Params, opts)
	if err == nil {
		return jsonrpc.Result(r.ID, result)
	}
	e, _ := errors.AsType[*jsonrpc.Error](err) // as Call promises
	return jsonrpc.Failure(r.ID, e)
}

// Queued returns the acknowledgement of a request that is answered later.
func Queued(r *jsonrpc.Message) []byte {
	return jsonrpc.Result(r.ID, map[string]string{"status": "queued"}).Encode()
}
