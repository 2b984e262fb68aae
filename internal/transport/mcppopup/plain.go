package mcppopup

import (
	"context"
	"encoding/json"

	"ui-mcp/internal/transport/mcpserver"
	"ui-mcp/internal/transport/popuprpc"
)

// Plain returns the methods of plain JSON-RPC, for streams that also carry MCP.
func Plain(m *popuprpc.Methods) mcpserver.PlainMethods {
	methods := mcpserver.PlainMethods{}
	for _, name := range []string{popuprpc.TriggerPopup, popuprpc.TriggerIfPresent, popuprpc.HealthCheck} {
		methods[name] = func(ctx context.Context, params json.RawMessage) (any, error) {
			return m.Call(ctx, name, params, popuprpc.Options{})
		}
	}
	return methods
}
