package httpterm

import (
	"net/http"
	"slices"
	"strings"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
)

// A row offers an operation over HTTP. The input comes from the path (see pathFields), the query
// and the body.
type row struct {
	method, path string
	op           *terminals.Operation
	query        []param
	body         body
	needs        []string // members that HTTP clients must give, besides those that the operation needs
	status       int      // of success; 204 has no body
	lateCode     string   // the code when it was not quiet in time, if it is not the usual one
	partial      bool     // an error comes with what is known of the answer
	download     string   // media type of the file that is the answer, instead of JSON
	formats      []string // of the query, for which the row takes requests from another one with the same path
}

// pathFields are the parts of paths and the fields of the input that they set.
var pathFields = map[string]string{"name": "session", "id": "id", "hostname": "hostname"}

// pathFields returns the fields of the input that the row's path sets.
func (r row) pathFields() []string {
	var list []string
	for name, field := range pathFields {
		if strings.Contains(r.path, "{"+name+"}") {
			list = append(list, field)
		}
	}
	return list
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
	tag    = param{name: "tag", field: "tags"}
	idle   = []param{
		{name: "timeout_ms", required: "how long it must be quiet, in milliseconds"},
		{name: "max_wait_ms"}, {name: "last_generation"}, {name: "fresh"}, format,
	}
)

// rows are the operations that this interface offers.
var rows = slices.Concat([]row{
	{method: "GET", path: "/server/info", op: &terminals.GetServer.Operation, status: http.StatusOK},
	{method: "GET", path: "/server/persist", op: &terminals.GetPersistence.Operation, status: http.StatusOK},
	{method: "PUT", path: "/server/persist", op: &terminals.SetPersistence.Operation, body: jsonBody, status: http.StatusOK},
	{method: "POST", path: "/server/stop", op: &terminals.StopServer.Operation, status: http.StatusNoContent},
	{method: "GET", path: "/servers", op: &terminals.ListServers.Operation, status: http.StatusOK},
	{method: "POST", path: "/servers", op: &terminals.AddServer.Operation, body: jsonBody, status: http.StatusCreated},
	{method: "GET", path: "/servers/{hostname}", op: &terminals.GetKnownServer.Operation, status: http.StatusOK},
	{method: "DELETE", path: "/servers/{hostname}", op: &terminals.RemoveServer.Operation, status: http.StatusNoContent},
	{method: "POST", path: "/auth/tokens", op: &terminals.CreateToken.Operation, body: jsonBody, status: http.StatusCreated},
	{method: "GET", path: "/auth/tokens", op: &terminals.ListTokens.Operation, status: http.StatusOK},
	{method: "DELETE", path: "/auth/tokens/{id}", op: &terminals.WithdrawToken.Operation, status: http.StatusNoContent},
	{method: "GET", path: "/archive", op: &terminals.ListArchive.Operation, status: http.StatusOK},
	{method: "GET", path: "/archive/{id}", op: &terminals.GetArchived.Operation, query: []param{{name: "offset"}}, status: http.StatusOK},
	{method: "POST", path: "/sessions", op: &terminals.CreateSession.Operation, body: jsonBody, status: http.StatusCreated},
	{method: "GET", path: "/sessions", op: &terminals.ListSessions.Operation, query: []param{tag}, status: http.StatusOK},
	{method: "GET", path: "/idle", op: &terminals.AwaitAnyIdle.Operation, query: append(idle[:len(idle):len(idle)], param{name: "last_session"}, tag), status: http.StatusOK},
	// The older name of the same.
	{method: "GET", path: "/quiesce", op: &terminals.AwaitAnyIdle.Operation, query: append(idle[:len(idle):len(idle)], param{name: "last_session"}, tag), status: http.StatusOK, lateCode: errcode.QuiesceTimeout},

	{method: "GET", path: "/sessions/{name}", op: &terminals.GetSession.Operation, status: http.StatusOK},
	{method: "PATCH", path: "/sessions/{name}", op: &terminals.UpdateSession.Operation, body: jsonBody, status: http.StatusOK},
	{method: "DELETE", path: "/sessions/{name}", op: &terminals.RemoveSession.Operation, status: http.StatusNoContent},
	{method: "GET", path: "/sessions/{name}/job", op: &terminals.GetJob.Operation, status: http.StatusOK},
	{method: "POST", path: "/sessions/{name}/detach", op: &terminals.DetachClients.Operation, query: []param{{name: "client"}}, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/lead", op: &terminals.LeadSession.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/agent", op: &terminals.ReportAgent.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/signal", op: &terminals.SignalSession.Operation, body: jsonBody, status: http.StatusNoContent},

	{method: "POST", path: "/sessions/{name}/resize", op: &terminals.ResizeSession.Operation, body: jsonBody, status: http.StatusNoContent},

	{method: "POST", path: "/sessions/{name}/input", op: &terminals.SendInput.Operation, query: []param{{name: "secret"}}, body: rawBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input/keys", op: &terminals.PressKeys.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input/paste", op: &terminals.PasteText.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input/mouse", op: &terminals.MoveMouse.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "GET", path: "/sessions/{name}/typed", op: &terminals.GetTyped.Operation, query: []param{{name: "after"}, {name: "last"}}, status: http.StatusOK},
	{method: "GET", path: "/sessions/{name}/typed/next", op: &terminals.AwaitTyped.Operation, query: []param{{name: "after"}, {name: "max_wait_ms"}}, status: http.StatusOK},
	{method: "POST", path: "/sessions/{name}/run", op: &terminals.RunCommand.Operation, body: jsonBody, status: http.StatusOK, partial: true},

	{method: "GET", path: "/sessions/{name}/screen", op: &terminals.GetScreen.Operation, query: []param{format}, status: http.StatusOK},
	{
		method: "GET", path: "/sessions/{name}/screen", op: &terminals.DrawPicture.Operation, formats: []string{"html", "svg", "png"},
		query: []param{format, {name: "theme"}, {name: "cell"}, {name: "cursor"}, {name: "elements"}, {name: "first_row"}, {name: "rows"}, {name: "fragment"}}, status: http.StatusOK,
	},
	{
		method: "GET", path: "/sessions/{name}/screen/next", op: &terminals.AwaitScreen.Operation,
		query: []param{{name: "epoch", required: "the epoch of the screen that you have"}, format}, status: http.StatusOK,
	},
	{
		method: "GET", path: "/sessions/{name}/screen/diff", op: &terminals.GetChanges.Operation,
		query: []param{{name: "epoch", required: "the epoch of the screen that you have"}, format}, status: http.StatusOK,
	},
	{method: "GET", path: "/sessions/{name}/composed", op: &terminals.GetPicture.Operation, query: []param{format}, status: http.StatusOK},
	{
		method: "GET", path: "/sessions/{name}/scrollback", op: &terminals.GetScrollback.Operation,
		query: []param{format, {name: "offset"}, {name: "from"}, {name: "before"}, {name: "tail"}, {name: "limit"}, {name: "trim"}}, status: http.StatusOK,
	},
	{
		method: "GET", path: "/sessions/{name}/scrollback/search", op: &terminals.SearchScrollback.Operation,
		query: []param{{name: "text"}, {name: "pattern"}, {name: "ignore_case"}, {name: "from"}, {name: "limit"}, {name: "newest"}}, status: http.StatusOK,
	},
	{method: "GET", path: "/sessions/{name}/commands", op: &terminals.ListCommands.Operation, status: http.StatusOK},
	{method: "GET", path: "/sessions/{name}/commands/output", op: &terminals.GetCommandOutput.Operation, query: []param{{name: "prompt"}}, status: http.StatusOK},
	{method: "GET", path: "/sessions/{name}/idle", op: &terminals.AwaitIdle.Operation, query: idle, status: http.StatusOK},
	{
		method: "GET", path: "/sessions/{name}/wait/text", op: &terminals.AwaitText.Operation,
		query: []param{{name: "text"}, {name: "pattern"}, {name: "max_wait_ms"}, format}, status: http.StatusOK,
	},
	{
		method: "GET", path: "/sessions/{name}/wait/prompt", op: &terminals.AwaitPrompt.Operation,
		query: []param{{name: "max_wait_ms"}, format}, status: http.StatusOK,
	},
	{
		method: "GET", path: "/sessions/{name}/wait/state", op: &terminals.AwaitState.Operation,
		query: []param{{name: "state", field: "states"}, {name: "last_generation"}, {name: "max_wait_ms"}, format}, status: http.StatusOK,
	},
	{
		method: "GET", path: "/sessions/{name}/wait/keys", op: &terminals.AwaitKeys.Operation,
		query: []param{{name: "last_generation"}, {name: "max_wait_ms"}}, status: http.StatusOK,
	},
	{method: "GET", path: "/sessions/{name}/wait/exit", op: &terminals.AwaitExit.Operation, query: []param{{name: "max_wait_ms"}}, status: http.StatusOK},
	{method: "GET", path: "/sessions/{name}/quiesce", op: &terminals.AwaitIdle.Operation, query: idle, status: http.StatusOK, lateCode: errcode.QuiesceTimeout},

	{method: "POST", path: "/sessions/{name}/recording/start", op: &terminals.StartRecording.Operation, status: http.StatusOK},
	{method: "POST", path: "/sessions/{name}/recording/stop", op: &terminals.StopRecording.Operation, status: http.StatusOK},
	{method: "DELETE", path: "/sessions/{name}/recording", op: &terminals.RemoveRecording.Operation, query: []param{{name: "id"}}, status: http.StatusNoContent},
	{
		method: "GET", path: "/sessions/{name}/recording", op: &terminals.GetRecording.Operation,
		query: []param{{name: "offset"}, {name: "id", field: "id"}}, status: http.StatusOK, download: "application/x-asciicast",
	},

	{method: "GET", path: "/sessions/{name}/screen_mode", op: &terminals.GetScreenMode.Operation, status: http.StatusOK},
	{method: "POST", path: "/sessions/{name}/screen_mode/enter_alt", op: &terminals.EnterAltScreen.Operation, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/screen_mode/exit_alt", op: &terminals.ExitAltScreen.Operation, status: http.StatusNoContent},

	{method: "GET", path: "/sessions/{name}/input/mode", op: &terminals.GetInputMode.Operation, status: http.StatusOK},
	{method: "POST", path: "/sessions/{name}/keyboard", op: &terminals.TakeKeyboard.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "DELETE", path: "/sessions/{name}/keyboard", op: &terminals.GiveKeyboard.Operation, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input/capture", op: &terminals.CaptureInput.Operation, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input/release", op: &terminals.ReleaseInput.Operation, status: http.StatusNoContent},
	{method: "GET", path: "/sessions/{name}/input/focus", op: &terminals.GetFocus.Operation, status: http.StatusOK},
	{method: "POST", path: "/sessions/{name}/input/focus", op: &terminals.FocusElement.Operation, body: jsonBody, status: http.StatusNoContent},
	{method: "POST", path: "/sessions/{name}/input/unfocus", op: &terminals.ClearFocus.Operation, status: http.StatusNoContent},

	{method: "POST", path: "/sessions/{name}/elements", op: &terminals.ApplyElements.Operation, body: jsonBody, status: http.StatusOK},
}, elementRows("/sessions/{name}/overlay", terminals.Overlays, "spans"), elementRows("/sessions/{name}/panel", terminals.Panels))

// elementRows are the rows of one kind of elements. needs are the members that a new one needs.
func elementRows(path string, ops terminals.ElementOps, needs ...string) []row {
	return []row{
		{method: "GET", path: path, op: &ops.List.Operation, status: http.StatusOK},
		{method: "POST", path: path, op: &ops.Create.Operation, body: jsonBody, needs: needs, status: http.StatusCreated},
		{method: "DELETE", path: path, op: &ops.Clear.Operation, status: http.StatusNoContent},
		{method: "GET", path: path + "/{id}", op: &ops.Get.Operation, status: http.StatusOK},
		{method: "PUT", path: path + "/{id}", op: &ops.Replace.Operation, body: jsonBody, status: http.StatusNoContent},
		{method: "PATCH", path: path + "/{id}", op: &ops.Update.Operation, body: jsonBody, status: http.StatusNoContent},
		{method: "DELETE", path: path + "/{id}", op: &ops.Remove.Operation, status: http.StatusNoContent},
		{method: "POST", path: path + "/{id}/spans", op: &ops.UpdateSpans.Operation, body: jsonBody, needs: []string{"spans"}, status: http.StatusNoContent},
		{method: "POST", path: path + "/{id}/write", op: &ops.Write.Operation, body: jsonBody, status: http.StatusNoContent},
	}
}
