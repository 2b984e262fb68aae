package httpterm_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpterm"
)

// A client of the known server, which is a hub of others, gets from the routes about servers and
// from those that it forwards what it gets from that one.
func TestKnownHub(t *testing.T) {
	here, there := opcases.New(t, opcases.Case{}), opcases.New(t, opcases.Case{})
	h := httpterm.New(opcases.WithServer(here, "build1", there))
	for _, step := range []struct {
		request, body string
		status        int
		want          string // JSON that the answer contains, or a part of its text; "": no body
	}{
		{"POST /servers", `{"address":"http://10.0.0.7:8080","token":"secret-of-build2"}`, 201, `{"address":"http://10.0.0.7:8080","health":"connecting"}`},
		{"POST /servers", `{"address":"ssh://host.example:22"}`, 409, `{"error":{"code":"server_already_registered"}}`},
		{"POST /servers", `{}`, 400, `{"error":{"code":"invalid_request"}}`},
		{"GET /servers", "", 200, `[{"hostname":"other","address":"ssh://host.example:22","health":"unavailable"}]`},
		{"GET /servers/other", "", 200, `{"hostname":"other","address":"ssh://host.example:22","health":"unavailable"}`},
		{"GET /servers/ssh:%2F%2Fnone", "", 404, `{"error":{"code":"server_not_found"}}`},
		{"GET /servers/none", "", 404, `{"error":{"code":"server_not_found"}}`},
		{"DELETE /servers/none", "", 404, `{"error":{"code":"server_not_found"}}`},
		{"DELETE /servers/other", "", 204, ""},

		// What it forwards, with the names that the other server uses.
		{"POST /sessions", `{"name":"work","command":"on build1$ ","rows":5,"cols":30,"server":"build1"}`, 201, `{"name":"work","server":"host","rows":5,"cols":30}`},
		{"GET /sessions/work", "", 404, `{"error":{"code":"session_not_found"}}`},
		{"GET /sessions?server=build1", "", 200, `[{"name":"a"},{"name":"over"},{"name":"work"}]`},
		{"GET /sessions?server=build1&tag=x", "", 200, `[{"name":"a"}]`},
		{"GET /sessions/work?server=build1", "", 200, `{"name":"work","server":"host"}`},
		{"PATCH /sessions/work?server=build1", `{"name":"built","add_tags":["ci"]}`, 200, `{"name":"built","tags":["ci"]}`},
		{"POST /sessions/built/input?server=build1", "make", 204, ""},
		{"GET /sessions/built/wait/text?server=build1&text=make", "", 200, `{"text":"make"}`},
		{"GET /sessions/built/screen?server=build1&format=plain", "", 200, `{"lines":["on build1$ make","","","",""]}`},
		{"DELETE /sessions/built?server=build1", "", 204, ""},
		{"GET /sessions/built?server=build1", "", 404, `{"error":{"code":"session_not_found"}}`},

		// What the known server promises and does not forward.
		{"POST /sessions/a/overlay?server=build1", `{"x":1,"y":1,"spans":[{"text":"o"}]}`, 201, `{}`},
		{"GET /sessions/a/overlay", "", 200, `[]`},
		{"GET /sessions/a/screen?server=build1&format=svg", "", 200, "<svg"},
		{"GET /sessions/a/screen?server=build1&format=gif", "", 400, "png or svg"},

		// A server that is not known is reported before anything else that is wrong.
		{"GET /sessions/a/screen?server=build3&format=gif", "", 404, `{"error":{"code":"server_not_found"}}`},
		{"POST /sessions?server=build3", `{"name":5}`, 404, `{"error":{"code":"server_not_found"}}`},
		{"POST /sessions/a/run?server=build3", `{`, 404, `{"error":{"code":"server_not_found"}}`},
		{"POST /sessions", `{"server":"build3"}`, 404, `{"error":{"code":"server_not_found"}}`},
		{"GET /sessions/a/recording?server=build3", "", 404, `{"error":{"code":"server_not_found"}}`},
		{"POST /sessions", `{"server":5}`, 400, `{"error":{"code":"invalid_request"}}`},
		{"GET /sessions/a?server=", "", 200, `{"name":"a"}`},
	} {
		method, path, _ := strings.Cut(step.request, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(step.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
		ok := w.Body.String() == step.want
		if strings.ContainsAny(step.want, "{[") {
			ok = opcases.Diff(step.want, w.Body.String()) == ""
		} else if step.want != "" {
			ok = strings.Contains(w.Body.String(), step.want)
		}
		if w.Code != step.status || !ok {
			t.Errorf("%s %s: %d %s\nwant %d %s", step.request, step.body, w.Code, w.Body, step.status, step.want)
		}
	}
}

// An absent server cannot be reached.
type absent struct{ terminals.Terminals }

// Do implements [terminals.Terminals].
func (absent) Do(context.Context, terminals.Grant, *terminals.Operation, any, any) error {
	return fault.With(terminals.HostAway, fault.New(fault.Unreachable, "it is off"))
}

// Clients that name the server get the known server's code for one that cannot be reached, and all
// others a code that says the same without a doubt.
func TestAbsentServer(t *testing.T) {
	here := opcases.New(t, opcases.Case{})
	for path, want := range map[string]string{"/sessions/a?server=build1": "server_unavailable", "/sessions/build1%2Fa": "host_away"} {
		ts := opcases.WithServer(here, "build1", absent{here})
		if strings.Contains(path, "%2F") {
			ts = absent{here}
		}
		w := httptest.NewRecorder()
		httpterm.New(ts).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 503 || opcases.Diff(`{"error":{"code":"`+want+`"}}`, w.Body.String()) != "" {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// A namer records which session it is asked for.
type namer struct {
	terminals.Terminals
	session string
}

// Do implements [terminals.Terminals].
func (n *namer) Do(_ context.Context, _ terminals.Grant, o *terminals.Operation, in, _ any) error {
	if q, ok := in.(*terminals.ScreenQuery); ok {
		n.session = q.Session
	}
	return nil
}

// A session of another server has a slash in its name, which is escaped in paths: an unescaped one
// would make two sessions of one path.
func TestPathsOfOtherServers(t *testing.T) {
	for path, want := range map[string]struct {
		status  int
		session string
	}{
		"/sessions/build1%2Fwork/screen":     {200, "build1/work"},
		"/sessions/build1%2fwork/screen":     {200, "build1/work"},
		"/sessions/build1/work/screen":       {404, ""},
		"/sessions/build1%2F..%2Fa/screen":   {200, "build1/../a"}, // a name that no session has
		"/sessions/build1%2Fwork/../screen":  {404, ""},
		"/sessions//build1%2Fwork/screen":    {404, ""},
		"/sessions/build1%2Fwork%2Fscreen":   {200, ""}, // another operation
		"/sessions/build1%2Fwork/screen/":    {404, ""},
		"/sessions/build1%252Fwork/screen":   {200, "build1%2Fwork"},
		"/sessions/b%20uild%2Fwork/screen":   {200, "b uild/work"},
		"/sessions/build1%2Fwork/screen%2F":  {404, ""},
		"/sessions%2Fbuild1%2Fwork%2Fscreen": {404, ""},
	} {
		n := &namer{}
		w := httptest.NewRecorder()
		httpterm.New(n).ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want.status || n.session != want.session {
			t.Errorf("%s: %d, session %q; want %d, %q", path, w.Code, n.session, want.status, want.session)
		}
	}
}
