package mcppopup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/popuprpc"
)

// RegisterPlain lets the server's clients call the methods of plain JSON-RPC, too, on whatever transport they have.
func RegisterPlain(s *mcp.Server, m *popuprpc.Methods) {
	for _, method := range []string{popuprpc.TriggerPopup, popuprpc.HealthCheck} {
		err := mcp.AddReceivingCustomMethod(s, method, func(ctx context.Context, _ *mcp.ServerSession, p *plainParams) (*plainResult, error) {
			return callPlain(ctx, m, method, p)
		})
		if err != nil {
			panic("mcppopup: " + err.Error()) // no name of ours is one of MCP
		}
	}
}

func callPlain(ctx context.Context, m *popuprpc.Methods, method string, p *plainParams) (*plainResult, error) {
	var params json.RawMessage
	if p != nil {
		params = p.raw
	}
	result, err := m.Call(ctx, method, params, popuprpc.Options{})
	if e, ok := errors.AsType[*popuprpc.Error](err); ok {
		return nil, &jsonrpc.Error{Code: int64(e.Code), Message: e.Message, Data: e.Data}
	}
	if err != nil {
		return nil, err
	}
	return encodePlain(result)
}

// encodePlain keeps <b> what it is: a model may read it.
func encodePlain(result any) (*plainResult, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(result); err != nil {
		return nil, err
	}
	return &plainResult{raw: bytes.TrimSpace(b.Bytes())}, nil
}

// plainParams are parameters as they came.
type plainParams struct {
	mcp.ParamsBase
	raw json.RawMessage
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *plainParams) UnmarshalJSON(data []byte) error {
	p.raw = bytes.Clone(data)
	return nil
}

// plainResult is a result as it is to be sent, without what MCP would add.
type plainResult struct {
	mcp.ResultBase
	raw json.RawMessage
}

// MarshalJSON implements [json.Marshaler].
func (r *plainResult) MarshalJSON() ([]byte, error) { return r.raw, nil }
