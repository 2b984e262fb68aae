package httpterm

import (
	"net/http"

	"ui-mcp/internal/terminals"
)

// A row offers an operation over HTTP. The input comes from the path ({name} is the session), the
// query and the body.
type row struct {
	method, path string
	op           *terminals.Operation
	query        []param
	body         body
	status       int    // of success; 204 has no body
	lateCode     string // the code of a time-out, if it is not the usual one
}

// A param is a query parameter.
type param struct {
	name     string
	field    string // of the input; "" means name
	required string // what it is, if HTTP clients must give it
}

// body says what the body of a request is.
type body int

const (
	noBody   body = iota
	jsonBody      // members of the input
	rawBody       // the data of terminals.Input
)

var (
	format = param{name: "format"}
	idle   = []param{
		{name: "timeout_ms", required: "how long it must be quiet, in milliseconds"},
		{name: "max_wait_ms"}, {name: "last_generation"}, {name: "fresh"}, format,
	}
)

// rows are the operations that this interface offers.
var rows = []row{
	{method: "GET", path: "/server/info", op: &terminals.GetServer.Operation, status: http.StatusOK},
	{method: "GET", path: "/server/persist", op: &terminals.GetPersistence.Operation, status: http.StatusOK},
	{method: "PUT", path: "/server/persist", op: &terminals.SetPersistence.Operation, body: jsonBody, status: http.StatusOK},
	{method: "POST", path: "/server/stop", op: &terminals.StopServer.Operation, status: http.StatusNoContent},
	{method: "POST", path: "/sessions", op: &terminals.CreateSession.Operation, body: jsonBody, status: http.StatusCreated},
	{method: "GET", path: "/sessions", op: &terminals.ListSessions.Operation, query: []param{{name: "tag", field: "tags"}}, status: http.StatusOK},
	{method: "GET", path: "/sessions/{name}", op: &terminals.GetSession.Operation, status: http.StatusOK},
	{method: "DELETE", path: "/sessions/{name}", op: &terminals.RemoveSession.Operation, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/signal", op: &terminals.SignalSession.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input", op: &terminals.SendInput.Operation, body: rawBody, status: http.StatusNoContent},
	{method: "GET", path: "/sessions/{name}/screen", op: &terminals.GetScreen.Operation, query: []param{format}, status: http.StatusOK},
	{
		method: "GET", path: "/sessions/{name}/scrollback", op: &terminals.GetScrollback.Operation,
		query: []param{format, {name: "offset"}, {name: "from"}, {name: "limit"}}, status: http.StatusOK,
	},
	{method: "GET", path: "/sessions/{name}/idle", op: &terminals.AwaitIdle.Operation, query: idle, status: http.StatusOK},
	// The older name of the same.
	{method: "GET", path: "/sessions/{name}/quiesce", op: &terminals.AwaitIdle.Operation, query: idle, status: http.StatusOK, lateCode: "quiesce_timeout"},
}
