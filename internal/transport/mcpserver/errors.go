package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	rpc "ui-mcp/internal/transport/jsonrpc"
)

// operational reports whether errors of kind k are news for the model to
// reason about (a tool result with isError), as opposed to a request that was
// wrong in itself.
func operational(k fault.Kind) bool {
	switch k {
	case fault.Precondition, fault.Script, fault.Timeout, fault.Gone, fault.Exhausted:
		return true
	}
	return false
}

// wireError maps an error to JSON-RPC.
func wireError(err error) *jsonrpc.Error {
	code := int64(jsonrpc.CodeInternalError)
	switch fault.KindOf(err) {
	case fault.Invalid, fault.NotFound, fault.Exists:
		code = jsonrpc.CodeInvalidParams
	}
	return &jsonrpc.Error{Code: code, Message: err.Error()}
}

// wireForm is err, which has a code, as JSON-RPC has it.
func wireForm(err error) *jsonrpc.Error {
	if we, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return we
	}
	if e, ok := errors.AsType[*rpc.Error](err); ok {
		return &jsonrpc.Error{Code: int64(e.Code), Message: e.Message, Data: e.Data}
	}
	return wireError(err)
}

// hasCode reports whether err will reach the client with an error code. The
// SDK sends any other error with code 0, which JSON-RPC does not allow.
func hasCode(err error) bool {
	we, ok := errors.AsType[*jsonrpc.Error](err)
	return ok && we.Code != 0
}

// contain keeps what goes wrong in a method from harming anything but its own
// answer: a panic becomes an internal error, whose stack is in the log, and
// every error gets a code.
func contain(log *slog.Logger) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
			defer func() {
				if p := recover(); p != nil {
					log.ErrorContext(ctx, "panic in an MCP method", "method", method, "panic", p, "stack", string(debug.Stack()))
					res, err = nil, &jsonrpc.Error{
						Code:    jsonrpc.CodeInternalError,
						Message: fmt.Sprintf("internal error in %s: this is a bug in the server; its log has the details", method),
					}
				}
			}()
			res, err = next(ctx, method, req)
			if err == nil || hasCode(err) {
				return res, err
			}
			if method == "initialize" {
				// The one way left for the SDK's own handler to fail.
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
			}
			we := wireError(err)
			if we.Code == jsonrpc.CodeInternalError && ctx.Err() == nil {
				log.ErrorContext(ctx, "MCP method failed", "method", method, "err", err)
			}
			return nil, we
		}
	}
}
