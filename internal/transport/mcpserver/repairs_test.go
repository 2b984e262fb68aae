package mcpserver

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/sse"
)

// An unknown resource whose URI Go quotes differently from JSON is an error like any other, and
// ends nothing.
func TestUnknownResourceWithControlCharacters(t *testing.T) {
	for _, open := range []struct {
		name string
		wire func(*testing.T, *Server) wire
	}{
		{"stdio", func(t *testing.T, s *Server) wire { return stdioWire{serve(t, s, nil)} }},
		{"sse", func(t *testing.T, s *Server) wire {
			w := &sseWire{server: serveHTTP(t, s, HTTPOptions{})}
			w.connect(t)
			return w
		}},
		{"http", func(t *testing.T, s *Server) wire { return &httpWire{server: serveHTTP(t, s, HTTPOptions{})} }},
	} {
		t.Run(open.name, func(t *testing.T) {
			s := newTestServer(quiet())
			s.AddResource(&mcp.Resource{URI: "test://known", Name: "known"}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{}, nil
			})
			w := open.wire(t, s)
			w.send(t, initialize)
			w.receive(t)
			for _, uri := range []string{`ui://a\u0007`, `ui://a\u0000b\u001b`, `ui://\udead`, `ui://plain`} {
				w.send(t, `{"jsonrpc":"2.0","id":9,"method":"resources/read","params":{"uri":"`+uri+`"}}`)
				got := w.receive(t)
				if !strings.Contains(got, `"id":9,"error":{"code":-32602`) || !json.Valid([]byte(got)) {
					t.Errorf("%s is answered with %s", uri, got)
				}
			}
			w.send(t, ping)
			if got := w.receive(t); got != pong {
				t.Errorf("afterwards: %s", got)
			}
			w.finish(t)
		})
	}
}

// A response that cannot be encoded becomes an internal error with the same id.
func TestEncodeFailure(t *testing.T) {
	id, err := sdkrpc.MakeID("a")
	if err != nil {
		t.Fatal(err)
	}
	for name, msg := range map[string]*sdkrpc.Response{
		"a result":      {ID: id, Result: json.RawMessage("{")},
		"an error data": {ID: id, Error: &sdkrpc.Error{Code: 1, Message: "x", Data: json.RawMessage(`"\a"`)}},
	} {
		data, err := encode(msg)
		if err != nil || !strings.Contains(string(data), `"id":"a","error":{"code":-32603`) {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}

// lateEvent returns the event in which an error comes that the SDK writes when the stream has
// begun.
func lateEvent(t *testing.T, contentType string, status int, chunks ...string) string {
	t.Helper()
	var events string
	synctest.Test(t, func(t *testing.T) {
		rec := httptest.NewRecorder()
		r := newResponse(rec, request(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`), false)
		time.Sleep(keepAlive + time.Second) // a comment has begun the stream
		synctest.Wait()
		r.Header().Set("Content-Type", contentType)
		r.WriteHeader(status)
		for _, chunk := range chunks {
			if n, err := r.Write([]byte(chunk)); n != len(chunk) || err != nil {
				t.Errorf("Write = %d, %v", n, err)
			}
		}
		r.finish(nil)
		events = rec.Body.String()
	})
	e, err := sse.NewReader(strings.NewReader(events), 1<<20).Next()
	if err != nil {
		t.Fatalf("%v in %q", err, events)
	}
	return string(e.Data)
}

// An error that comes late is corrected like one that comes in time, and keeps its data.
func TestLateErrorIsCorrected(t *testing.T) {
	for name, tt := range map[string]struct{ kind, body, want string }{
		"an error that is fine": {"application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such thing","data":{"uri":"x"}}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no such thing","data":{"uri":"x"}}}`},
		"one that names Go types": {"application/json", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"handling 'tools/call': a *mcp.Type"}}` + "\n",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid params: \"name\" must be a string"}}`},
		"plain text": {"text/plain; charset=utf-8", "session not found\n",
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"session not found"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := lateEvent(t, tt.kind, 404, tt.body); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
