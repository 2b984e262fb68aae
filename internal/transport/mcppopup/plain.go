package mcppopup

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/popuprpc"
)

// Plain are the methods of plain JSON-RPC, for streams that carry MCP, too.
func Plain(m *popuprpc.Methods) mcpserver.PlainMethods {
	methods := mcpserver.PlainMethods{}
	for _, name := range []string{popuprpc.TriggerPopup, popuprpc.HealthCheck} {
		methods[name] = func(ctx context.Context, params json.RawMessage) (any, error) {
			result, err := m.Call(ctx, name, params, popuprpc.Options{})
			if e, ok := errors.AsType[*popuprpc.Error](err); ok {
				return nil, &jsonrpc.Error{Code: int64(e.Code), Message: e.Message, Data: e.Data}
			}
			return result, err
		}
	}
	return methods
}
