package mcpbridge

import (
	"encoding/json"

	"ui-mcp/internal/transport/jsonrpc"
)

func errorOf(m *jsonrpc.Message) error {
	var r jsonrpc.Response
	if err := json.Unmarshal(m.Raw, &r); err != nil {
		return err
	}
	if r.Error != nil {
		return r.Error
	}
	return nil
}

func withID(message []byte, id json.RawMessage) []byte {
	var fields map[string]json.RawMessage
	if json.Unmarshal(message, &fields) != nil {
		return message // a valid message is an object
	}
	fields["id"] = id
	changed, err := jsonrpc.Marshal(fields)
	if err != nil {
		return message // the fields have just been decoded
	}
	return changed
}

// keyOf returns an id, which is the same however it is written: a string, a float64, or nil.
func keyOf(id json.RawMessage) (key any) {
	if kind := jsonrpc.TypeOf(id); kind == "string" || kind == "number" {
		_ = json.Unmarshal(id, &key) // else the key is nil
	}
	return key
}
