package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
)

// plainMethods are methods of each kind, and a channel that gets why the ones that wait were
// stopped.
func plainMethods() (PlainMethods, chan error) {
	stopped := make(chan error, 10)
	return PlainMethods{
		"plain/echo": func(_ context.Context, params json.RawMessage) (any, error) { return params, nil },
		"plain/fail": func(context.Context, json.RawMessage) (any, error) { return nil, fault.New(fault.Invalid, "no luck") },
		"plain/bug":  func(context.Context, json.RawMessage) (any, error) { panic("x") },
		"plain/wait": func(ctx context.Context, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			stopped <- ctx.Err()
			return nil, errors.New("stopped")
		},
	}, stopped
}

// Plain methods need no handshake, on any stream, and do not disturb what MCP does there.
func TestPlainMethods(t *testing.T) {
	methods, stopped := plainMethods()
	sse := &sseWire{server: serveHTTP(t, newTestServer(quiet()), HTTPOptions{Log: quiet(), Plain: methods})}
	sse.connect(t)
	for name, w := range map[string]wire{
		"stdio": stdioWire{serve(t, newTestServer(quiet()), func(s *Stdio) { s.Plain = methods })},
		"sse":   sse,
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ send, want string }{
				{`{"jsonrpc":"2.0","id":1,"method":"plain/echo","params":{"a":"<b>"}}`, `{"jsonrpc":"2.0","id":1,"result":{"a":"<b>"}}`},
				{`{"jsonrpc":"2.0","id":"x","method":"plain/fail"}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no luck"}}`},
				{`{"jsonrpc":"2.0","id":0,"method":"plain/bug"}`, `"code":-32603`},
				{`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}`, `"protocolVersion":"2025-11-25"`},
				{`{"jsonrpc":"2.0","id":3,"method":"ping"}`, `{"jsonrpc":"2.0","id":3,"result":{}}`},
			} {
				w.send(t, c.send)
				if got := w.receive(t); !strings.Contains(got, c.want) {
					t.Errorf("%s is answered with %s", c.send, got)
				}
			}
			w.send(t, `{"jsonrpc":"2.0","id":4,"method":"plain/wait"}`)
			w.send(t, `{"jsonrpc":"2.0","id":4,"method":"ping"}`)
			if got := w.receive(t); !strings.Contains(got, "the id 4 belongs to a call") {
				t.Errorf("an id that is in use: %s", got)
			}
			w.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}}`)
			<-stopped
			// A client that goes away stops its calls, too.
			w.send(t, `{"jsonrpc":"2.0","id":5,"method":"plain/wait"}`)
			for _, line := range w.finish(t) {
				if !strings.Contains(line, `"id":5`) {
					t.Errorf("also answered: %s", line)
				}
			}
			<-stopped
		})
	}
}
