package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// PlainMethods are methods of plain JSON-RPC, by name, that share a stream with MCP. They need no handshake and know no
// sessions. A method's context ends when its caller cancels the call or goes away, which the end of the input is. Results
// are sent as they are; an error is a [jsonrpc.Error], or gets a code by its [fault.Kind].
type PlainMethods map[string]func(ctx context.Context, params json.RawMessage) (any, error)

// acceptPlain begins a call of a plain method, unless its id is in use.
func (l *link) acceptPlain(req *jsonrpc.Request) *refusal {
	ctx, cancel := context.WithCancel(context.Background())
	if !l.calls.begin(req, nil, cancel) {
		cancel()
		return refuseInUse(req)
	}
	l.callPlain(ctx, cancel, req)
	return nil
}

// callPlain runs a method on a goroutine of its own, which the link's owner waits for.
func (l *link) callPlain(ctx context.Context, cancel context.CancelFunc, req *jsonrpc.Request) {
	l.plainCalls.Go(func() {
		watched := make(chan struct{})
		go func() {
			defer close(watched)
			select {
			case <-l.gone:
			case <-l.stopped:
			case <-l.closed:
			case <-ctx.Done():
			}
			cancel()
		}()
		defer func() { cancel(); <-watched }()
		resp := &jsonrpc.Response{ID: req.ID}
		result, err := l.runPlain(ctx, req)
		if err == nil {
			resp.Result, err = encodePlain(result)
		}
		if err != nil {
			resp.Error = wireForm(err)
		}
		if err := l.respond(resp); err != nil {
			l.log.Debug("an answer was not delivered", "method", req.Method, "error", err)
		}
	})
}

// runPlain makes an error of a panic, which would end the process on this goroutine.
func (l *link) runPlain(ctx context.Context, req *jsonrpc.Request) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			l.log.ErrorContext(ctx, "panic in a method", "method", req.Method, "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("internal error in %s: this is a bug in the server; its log has the details", req.Method)
		}
	}()
	return l.plain[req.Method](ctx, req.Params)
}

// encodePlain keeps <b> what it is: a model may read it.
func encodePlain(result any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(result)
	return bytes.TrimSpace(b.Bytes()), err
}
