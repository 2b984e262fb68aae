package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	server.Close() // waits for the requests
	if n := len(s.turns.tickets); n != 0 {
		t.Errorf("%d calls are remembered", n)
	}
}

// asWho adds a caller's name to requests. It may be changed between requests.
type asWho struct{ who string }

func (a *asWho) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Who", a.who)
	return http.DefaultTransport.RoundTrip(r)
}
