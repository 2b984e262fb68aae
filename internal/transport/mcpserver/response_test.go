package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// request decodes a request that has an id.
func request(t testing.TB, message string) *jsonrpc.Request {
	t.Helper()
	msg, err := jsonrpc.DecodeMessage([]byte(message))
	if err != nil {
		t.Fatal(err)
	}
	return msg.(*jsonrpc.Request)
}

func TestCorrected(t *testing.T) {
	r := newResponse(httptest.NewRecorder(), request(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`), false)
	defer r.finish(nil)
	for name, tt := range map[string]struct {
		data, want string
		failed     bool
	}{
		"a result": {`{"jsonrpc":"2.0","id":1,"result":{"x":1}}`, "", false},
		"a result that holds what looks like an error": {`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"error":{"code":0,"message":"handling 'it'"}}}}`, "", false},
		"an error that is fine":                        {`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such thing","data":{"uri":"x"}}}`, "", true},
		"an error without a code": {`{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"early"}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"early: send \"initialize\" first, or name the protocol version in params._meta"}}`, true},
		"an event": {"event: message\ndata: " + `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"handling 'tools/call': a *mcp.Type"}}` + "\n\n",
			"event: message\ndata: " + `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: \"name\" must be a string"}}` + "\n\n", true},
		"a text that quotes a piece of a message": {`bad: "error":{`, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.want == "" {
				tt.want = tt.data
			}
			got, failed := r.corrected([]byte(tt.data))
			if string(got) != tt.want || failed != tt.failed {
				t.Errorf("got %s, failed %v; want %s, %v", got, failed, tt.want, tt.failed)
			}
		})
	}
}

func FuzzCorrected(f *testing.F) {
	for _, s := range []string{`{"error":{`, `}"error":{`, `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"x"}}`, `data: {"error":{"code":1}}`, `{"error":null,"result":{"error":{}}}`} {
		f.Add([]byte(s))
	}
	req := request(f, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &response{req: req}
		got, failed := r.corrected(data)
		if !failed && !bytes.Equal(got, data) {
			t.Fatalf("%q became %q", data, got)
		}
		// The bytes around the message stay, and a message remains a message.
		start, end := bytes.IndexByte(data, '{'), bytes.LastIndexByte(data, '}')+1
		if !failed {
			return
		}
		if !bytes.HasPrefix(got, data[:start]) || !bytes.HasSuffix(got, data[end:]) {
			t.Fatalf("%q became %q", data, got)
		}
		if message := got[start : len(got)-len(data[end:])]; !json.Valid(message) {
			t.Fatalf("%q became %q", data, got)
		}
	})
}
