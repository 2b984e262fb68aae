package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

type whoKey struct{}

// A call has the values of the request that it came with, not of the one that started its session,
// and ends when access to the server is taken away from that request.
func TestCaller(t *testing.T) {
	s := New(Options{Name: "test", Version: "1", Logger: quiet()})
	AddTool(s, Tool{Name: "who", Description: "Tells the caller.", Hints: harmless},
		func(ctx context.Context, _ struct{}) (Result, error) {
			return Textf("%v", Caller(ctx).Value(whoKey{})), nil
		})
	called, ended := make(chan struct{}, 1), make(chan error, 1)
	AddTool(s, Tool{Name: "block", Description: "Waits to be cancelled.", Hints: harmless},
		func(ctx context.Context, _ struct{}) (Result, error) {
			called <- struct{}{}
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return Result{}, nil
		})
	h := NewHTTP(s, HTTPOptions{Log: quiet()})
	withdrawn, withdraw := context.WithCancelCause(t.Context())
	defer withdraw(nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(context.WithValue(r.Context(), whoKey{}, r.Header.Get("Who")))
		defer context.AfterFunc(withdrawn, func() { cancel(context.Cause(withdrawn)) })()
		h.Routes()["/mcp"].ServeHTTP(w, r.WithContext(ctx))
	}))
	defer server.Close()
	defer func() { _ = h.Close(t.Context()) }()

	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		who := &asWho{who: "first"}
		c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, nil)
		cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: server.URL, HTTPClient: &http.Client{Transport: who}, DisableStandaloneSSE: true,
		}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"first", "second"} {
			who.who = name
			res, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "who"})
			if err != nil || res.Content[0].(*mcp.TextContent).Text != name {
				t.Errorf("%s: called by %s: %v, %v", version, name, res, err)
			}
		}
		if version == "2025-11-25" {
			go func() {
				<-called
				withdraw(errors.New("withdrawn"))
			}()
			// Whether the empty answer still arrives is a race.
			_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "block"})
			if err := <-ended; err == nil || err.Error() != "withdrawn" {
				t.Errorf("their call ended with %v", err)
			}
		}
		cs.Close()
	}
	http.DefaultClient.CloseIdleConnections()
}

// asWho adds a caller's name to requests. It may be changed between requests.
type asWho struct{ who string }

func (a *asWho) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Who", a.who)
	return http.DefaultTransport.RoundTrip(r)
}

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
	for name, w := range map[string]wire{
		"stdio": stdioWire{serve(t, newTestServer(quiet()), func(s *Stdio) { s.Plain = methods })},
		"sse":   openSSEWire(t, newTestServer(quiet()), HTTPOptions{Plain: methods}),
	} {
		t.Run(name, func(t *testing.T) {
			for _, c := range []struct{ send, want string }{
				{`{"jsonrpc":"2.0","id":1,"method":"plain/echo","params":{"a":"<b>"}}`, `{"jsonrpc":"2.0","id":1,"result":{"a":"<b>"}}`},
				{`{"jsonrpc":"2.0","id":6,"method":"plain/echo","params":{` + statelessMeta + `}}`, `{"jsonrpc":"2.0","id":6,"result":{` + statelessMeta + `}}`},
				{`{"jsonrpc":"2.0","id":"x","method":"plain/fail"}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32602,"message":"no luck"}}`},
				{`{"jsonrpc":"2.0","id":0,"method":"plain/bug"}`, `"code":-32603`},
				{initialize, `"protocolVersion":"2025-11-25"`},
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
