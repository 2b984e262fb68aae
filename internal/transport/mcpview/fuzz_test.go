package mcpview

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/relay"
)

// A view, or a model that poses as one, may call with any arguments: the result is an error of the
// arguments, or a reply of the relay that is marked as failed if it reports an error.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		`{}`, `null`, `[]`, `{"v":1}`, `{"v":"1","view":"0123456789abcdef"}`,
		`{"v":1,"view":"0123456789abcdef","token":"x","hello":{}}`,
		`{"v":1,"view":"0123456789abcdef","hello":null,"was":"","ack":1e3,"wait":0.5}`,
		`{"v":1,"view":"0123456789abcdef","first":1,"out":[{"c":"x","m":null},{"c":"x","p":"[","more":true},{"c":"x"},null]}`,
		`{"v":1,"view":"0123456789abcdef","first":9223372036854775807,"ack":-9223372036854775808,"bye":true}`,
		`{"v":1,"V":2,"view":"0123456789abcdef","view":[],"x":1}`,
	} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, args string) {
		var fields map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &fields) != nil {
			t.Skip("clients of the protocol send JSON objects")
		}
		cs := open(t, "2026-07-28", types)
		for _, hello := range []bool{true, false} {
			sent := map[string]any{}
			for name, value := range fields {
				sent[name] = value
			}
			sent["wait"] = 0
			if hello {
				sent["token"] = relay.NewToken(key)
			}
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "test_relay", Arguments: sent})
			if err != nil {
				continue // which is an answer, too
			}
			var r relay.Reply
			text := res.Content[0].(*mcp.TextContent).Text
			if json.Unmarshal([]byte(text), &r) != nil {
				if !res.IsError {
					t.Fatalf("%s = %s", args, text)
				}
				continue
			}
			if r.Version != relay.Version || (r.Error != "") != res.IsError || (r.Error == "") != (r.Message == "") {
				t.Fatalf("%s = %s, failed: %v", args, text, res.IsError)
			}
		}
	})
}
