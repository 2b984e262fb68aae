package wsterm_test

import (
	"encoding/json"
	"strconv"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/errcode"
)

// Each operation gives its answers and errors by each of its names, to a caller with the grant in
// the context: on the socket for all sessions and on that of the session. It goes to another server
// that the request or the socket names.
func TestCases(t *testing.T) {
	here, tried := opcases.New(t, opcases.Case{}), map[string]bool{}
	for i, c := range opcases.All {
		o := terminals.Named(c.Op).Operation
		run := func(where string, m *terminals.Call, path, server string, inParams bool) {
			t.Run(where+"/"+m.Alias.Name+" "+c.In, func(t *testing.T) {
				var of terminals.Terminals = opcases.New(t, c)
				if server != "" {
					of = opcases.WithServer(here, server, of)
				}
				check(t, c, m, of, path, server, inParams)
			})
		}
		own := terminals.Named(o.Name)
		run("all", own, "/ws/json", "", i%2 == 0)
		elsewhere := c.Err == nil && !tried[o.Name]
		if elsewhere {
			tried[o.Name] = true
			run("another server", own, "/ws/json", "build1", len(tried)%2 == 0)
		}
		if o.OfSession() {
			var in struct{ Session string }
			if err := json.Unmarshal([]byte(c.In), &in); err != nil {
				t.Fatal(err)
			}
			run("session", own, "/sessions/"+in.Session+"/ws/json", "", false)
			if elsewhere {
				run("session of another server", own, "/sessions/"+in.Session+"/ws/json?server=build1", "build1", false)
			}
		}
		for _, a := range o.Aliases {
			if a.Name != "batch_update" && (a.Absent == nil || c.In != "{}") { // TestOlderParameters has these
				run("all", terminals.Named(a.Name), "/ws/json", "", i%2 == 0)
			}
		}
	}
}

// check runs a case. server has the session, or is "". inParams says where the request names both.
func check(t *testing.T, c opcases.Case, m *terminals.Call, of terminals.Terminals, path, server string, inParams bool) {
	srv := serve(t, of, c.Grant())
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.In), &params); err != nil {
		t.Fatal(err)
	}
	lacks := ""
	for _, member := range m.Alias.Needs {
		if params[member] == nil {
			lacks = member
		}
	}
	for name, member := range m.Alias.Members {
		if value, ok := params[member]; ok && member != "session" {
			delete(params, member)
			params[name] = value
		}
	}
	r := map[string]any{"id": 1, "method": m.Alias.Name, "params": params}
	if session, ok := params["session"]; ok && m.OfSession() && !inParams {
		r["session"] = session
		delete(params, "session")
	}
	switch {
	case server == "":
	case inParams:
		params["server"] = json.RawMessage(strconv.Quote(server))
	default:
		r["server"] = server
	}
	if m.Alias.Name == "send_input" {
		params["encoding"] = json.RawMessage(`"base64"`)
	}
	code, answer := "", ""
	conn, refused := srv.connect(t, path)
	if refused != "" {
		code = refused
	} else {
		got := conn.call(t, r)
		answer = string(got.Result)
		if got.Error != nil {
			code = got.Error.Code
		}
	}
	want := ""
	if c.Err != nil {
		want = errcode.Of(fault.With(c.Err.Detail, fault.New(c.Err.Kind, "x")))
		if m.Alias.Late != "" && want == "idle_timeout" {
			want = m.Alias.Late
		}
	}
	if lacks != "" && want != "session_not_found" {
		want = "invalid_request"
	}
	if code != want {
		t.Fatalf("code %q, want %q: %s", code, want, answer)
	}
	if want == "" {
		if d := opcases.Diff(c.Want, answer); d != "" {
			t.Error(d)
		}
	}
}
