package mcpserver

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
)

func TestAPI(t *testing.T) {
	server := newTestServer(quiet())
	AddTool(server, Tool{Name: "noted", Hints: harmless}, func(context.Context, struct{}) (Result, error) {
		return Text("done").With("one more thing"), nil
	})
	AddTool(server, Tool{Name: "change", Hints: Hints{ReadOnly: No, Destructive: No, Idempotent: Yes, OpenWorld: No}},
		func(context.Context, struct{}) (Result, error) { return Text("changed"), nil })
	s := serveHTTP(t, server, HTTPOptions{MaxBody: 2000})
	for _, tt := range []struct {
		name         string
		method, path string
		body         string
		headers      []string
		status       int
		answer       string // part of it
	}{
		{"an object", "POST", "/api/echo", `{"text":"<hi>"}`, nil, 200, `{"result":{"text":"`},
		{"a number", "POST", "/api/value", `{"json":"7"}`, nil, 200, `{"result":7}`},
		{"a string", "POST", "/api/value", `{"json":"\"7\""}`, nil, 200, `{"result":"7"}`},
		{"a text", "POST", "/api/hello", `{}`, nil, 200, `{"result":"hello"}`},
		{"no arguments", "POST", "/api/hello", ``, nil, 200, `{"result":"hello"}`},
		{"GET", "GET", "/api/hello", ``, nil, 200, `{"result":"hello"}`},
		{"notes", "POST", "/api/noted", `{}`, nil, 200, `{"result":"done","notes":["one more thing"]}`},
		{"a failure", "POST", "/api/fail", `{"kind":"` + fault.Script.String() + `"}`, nil, 200, `{"result":"wrapped: no luck","isError":true}`},
		{"nothing of that name", "POST", "/api/fail", `{"kind":"` + fault.NotFound.String() + `"}`, nil, 200, `{"result":"wrapped: no luck","isError":true}`},
		{"a defect of ours", "POST", "/api/fail", `{"kind":"` + fault.Internal.String() + `"}`, nil, 500, `{"error":"wrapped: no luck"}`},
		{"a panic", "POST", "/api/fail", `{"kind":"unheard of"}`, nil, 500, `{"error":"internal error in fail`},
		{"a missing argument", "POST", "/api/echo", `{}`, nil, 400, `{"error":"missing argument \"text\"`},
		{"an unknown argument", "POST", "/api/hello", `{"x":1}`, nil, 400, `unknown argument \"x\"`},
		{"no object", "POST", "/api/hello", `[]`, nil, 400, `must be an object`},
		{"no JSON", "POST", "/api/hello", `{`, nil, 400, `not JSON`},
		{"a form of another site", "POST", "/api/hello", `{}`, []string{"Content-Type", "text/plain"}, 415, `application/json`},
		{"too long", "POST", "/api/hello", strings.Repeat(" ", 2001), nil, 413, `longer than 2000 bytes`},
		{"GET of a tool that changes something", "GET", "/api/change", ``, nil, 405, `understands POST only`},
		{"PUT", "PUT", "/api/hello", ``, nil, 405, `understands GET, POST only`},
		{"an unknown tool", "POST", "/api/ui_audit", `{}`, nil, 404, `there is no tool ui_audit`},
	} {
		res := s.do(t, tt.method, tt.path, tt.body, tt.headers...)
		if body := content(t, res); res.StatusCode != tt.status || !strings.Contains(body, tt.answer) {
			t.Errorf("%s: %d %s, want %d %s", tt.name, res.StatusCode, body, tt.status, tt.answer)
		}
		if res.StatusCode == http.StatusMethodNotAllowed && res.Header.Get("Allow") == "" {
			t.Errorf("%s: 405 without Allow", tt.name)
		}
	}
}

// Calls end with the server.
func TestAPIEndsWithTheServer(t *testing.T) {
	server := newTestServer(quiet())
	running := make(chan struct{})
	AddTool(server, Tool{Name: "hold", Hints: harmless}, func(ctx context.Context, _ struct{}) (Result, error) {
		close(running)
		<-ctx.Done()
		return Result{}, context.Cause(ctx)
	})
	s := serveHTTP(t, server, HTTPOptions{})
	answer := make(chan string)
	go func() {
		res, err := s.client.Post(s.URL+"/api/hold", "application/json", strings.NewReader("{}"))
		if err != nil {
			answer <- err.Error()
			return
		}
		answer <- content(t, res)
	}()
	<-running
	if err := s.mcp.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-answer; !strings.Contains(got, errClosed.Error()) {
		t.Errorf("the call was answered %s", got)
	}
}
