package mcpbridge

import (
	"encoding/json"
	"strconv"

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

// keyOf returns the canonical form of an id, which is the same however the id is written.
func keyOf(id json.RawMessage) string {
	if jsonrpc.TypeOf(id) == "string" {
		var text string
		if json.Unmarshal(id, &text) == nil {
			return "s" + text
		}
	}
	if n, err := strconv.ParseFloat(string(id), 64); err == nil {
		return "n" + strconv.FormatFloat(n+0, 'g', -1, 64) // -0 is 0
	}
	return string(id)
}
