package popuprpc

import (
	"context"
	"errors"

	"ui-mcp/internal/transport/jsonrpc"
)

// Handles reports whether a request is for one of these methods.
func Handles(m *jsonrpc.Message) bool { return Asks(m.Method) || m.Method == HealthCheck }

// Answer runs a request, and returns the message that answers it, without a newline, or nil when
// nothing is to be answered. code is the code of the error, or 0. A question that is sent as a
// notification is not asked, since its answer could reach nobody.
func (m *Methods) Answer(ctx context.Context, r *jsonrpc.Message, opts Options) (answer []byte, code int64) {
	failed := r.Invalid
	if failed == nil {
		if r.IsResponse || r.IsNotification() {
			return nil, 0
		}
		result, err := m.Call(ctx, r.Method, r.Params, opts)
		if err == nil {
			return jsonrpc.Result(r.ID, result).Encode(), 0
		}
		failed, _ = errors.AsType[*jsonrpc.Error](err) // as Call promises
	}
	return jsonrpc.Failure(r.ID, failed).Encode(), failed.Code
}

// Queued returns the acknowledgement of a request that is answered later.
func Queued(r *jsonrpc.Message) []byte {
	return jsonrpc.Result(r.ID, map[string]string{"status": "queued"}).Encode()
}
