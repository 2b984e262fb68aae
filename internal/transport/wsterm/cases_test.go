package wsterm_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/wsterm"
)

// Each method gives the answers and errors of its operation, on the socket for all sessions and on
// that of the session, to a caller with the grant in the context; and likewise those of another
// server.
func TestCases(t *testing.T) {
	for _, m := range wsterm.Methods() {
		if m.Op.Kind == terminals.Stream || m.Name == "batch_update" {
			continue
		}
		succeeds := false
		for i, c := range opcases.All {
			if c.Op != m.Op.Name || m.Name == "set_server_mode" && c.In == "{}" { // which asks for the mode
				continue
			}
			succeeds = succeeds || c.Err == nil
			t.Run("all/"+m.Name+" "+c.In, func(t *testing.T) { check(t, c, m, "/ws/json", "", i%2 == 0) })
			t.Run("another server/"+m.Name+" "+c.In, func(t *testing.T) { check(t, c, m, "/ws/json", "build1", i%2 == 0) })
			if m.OfSession() {
				var in struct{ Session string }
				if err := json.Unmarshal([]byte(c.In), &in); err != nil {
					t.Fatal(err)
				}
				t.Run("session/"+m.Name+" "+c.In, func(t *testing.T) { check(t, c, m, "/sessions/"+in.Session+"/ws/json", "", false) })
				t.Run("session of another server/"+m.Name+" "+c.In, func(t *testing.T) {
					check(t, c, m, "/sessions/"+in.Session+"/ws/json?server=build1", "build1", false)
				})
			}
		}
		if !succeeds {
			t.Errorf("%s has no case in which it succeeds", m.Name)
		}
	}
}

// check runs a case. server has the session, or is "". inParams says where the request names
// both.
func check(t *testing.T, c opcases.Case, m *wsterm.Method, path, server string, inParams bool) {
	by := terminals.Everything
	if c.By != nil {
		by = *c.By
	}
	var of terminals.Terminals = opcases.New(t, c)
	if server != "" {
		of = opcases.WithServer(opcases.New(t, opcases.Case{}), server, of)
	}
	srv := serve(t, of, by)
	var params map[string]json.RawMessage
	if err := json.Unmarshal([]byte(c.In), &params); err != nil {
		t.Fatal(err)
	}
	lacks := ""
	for _, member := range m.Needs {
		if params[member] == nil {
			lacks = member
		}
	}
	for name, member := range m.Names {
		if value, ok := params[member]; ok && member != "session" {
			delete(params, member)
			params[name] = value
		}
	}
	r := map[string]any{"id": 1, "method": m.Name, "params": params}
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
	if m.Name == "send_input" {
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
		if m.Name == "await_quiesce" && want == "idle_timeout" {
			want = "quiesce_timeout"
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

// Every operation except streams is offered, and each name once. Questions are for servers, which
// are no clients of this interface.
func TestMethods(t *testing.T) {
	var names []string
	offered := map[string]bool{"session.watch": true, "question.list": true, "question.answer": true, "question.ask": true}
	for _, m := range wsterm.Methods() {
		if slices.Contains(names, m.Name) {
			t.Errorf("%s is there twice", m.Name)
		}
		names = append(names, m.Name)
		offered[m.Op.Name] = true
		for _, member := range m.Required() {
			if params := m.Parameters(); params != nil && !slices.Contains(values(params), member) {
				t.Errorf("%s: nothing sets %s", m.Name, member)
			}
		}
		for _, f := range m.Op.Failures() {
			if errcode.Of(fault.With(f.Detail, fault.New(f.Kind, "x"))) == "" {
				t.Errorf("%s: %v has no code", m.Name, f.Kind)
			}
		}
	}
	for _, o := range terminals.All() {
		if o.Kind != terminals.Stream && !offered[o.Name] {
			t.Errorf("no method offers %s", o.Name)
		}
	}
}

func values(m map[string]string) []string {
	var list []string
	for _, v := range m {
		list = append(list, v)
	}
	return list
}
