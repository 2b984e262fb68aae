package httpterm

import (
	"cmp"
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
	query        string // names of parameters that are members of the input; tag=tags has another name
	body         body
	needs        []string // members that HTTP clients must give, besides those that the operation needs
	created      bool     // the status of success is 201
	lateCode     string   // the code when it was not quiet in time, if it is not the usual one
	partial      bool     // an error comes with what is known of the answer
	download     string   // media type of the file that is the answer, instead of JSON
	formats      []string // of the query, for which the row takes requests from another one with the same path
}

// pathFields are the parts of paths and the fields of the input that they set.
var pathFields = map[string]string{"name": "session", "id": "id", "hostname": "hostname"}

// A param is a query parameter, and the member of the input that it sets.
type param struct{ name, member string }

func (r row) params() (list []param) {
	for word := range strings.FieldsSeq(r.query) {
		name, member, _ := strings.Cut(word, "=")
		list = append(list, param{name, cmp.Or(member, name)})
	}
	return list
}

// status returns the status of success; 204 has no body.
func (r row) status() int {
	_, out := r.op.New()
	if _, none := out.(*terminals.None); none {
		return http.StatusNoContent
	}
	if r.created {
		return http.StatusCreated
	}
	return http.StatusOK
}

// body says what the body of a request is.
type body int

const (
	noBody   body = iota
	jsonBody      // members of the input
	rawBody       // the data of terminals.Input
)

const (
	idle    = "timeout_ms max_wait_ms last_generation fresh format"
	anyIdle = idle + " last_session tag=tags"
)

var needsTimeout, needsSpans = []string{"timeout_ms"}, []string{"spans"}

// rows are the operations that this interface offers.
var rows = slices.Concat([]row{
	{method: "GET", path: "/server/info", op: &terminals.GetServer.Operation},
	{method: "GET", path: "/server/persist", op: &terminals.GetPersistence.Operation},
	{method: "PUT", path: "/server/persist", op: &terminals.SetPersistence.Operation, body: jsonBody},
	{method: "POST", path: "/server/stop", op: &terminals.StopServer.Operation},
	{method: "GET", path: "/servers", op: &terminals.ListServers.Operation},
	{method: "POST", path: "/servers", op: &terminals.AddServer.Operation, body: jsonBody, created: true},
	{method: "GET", path: "/servers/{hostname}", op: &terminals.GetKnownServer.Operation},
	{method: "DELETE", path: "/servers/{hostname}", op: &terminals.RemoveServer.Operation},
	{method: "POST", path: "/auth/tokens", op: &terminals.CreateToken.Operation, body: jsonBody, created: true},
	{method: "GET", path: "/auth/tokens", op: &terminals.ListTokens.Operation},
	{method: "DELETE", path: "/auth/tokens/{id}", op: &terminals.WithdrawToken.Operation},
	{method: "GET", path: "/archive", op: &terminals.ListArchive.Operation},
	{method: "GET", path: "/archive/{id}", op: &terminals.GetArchived.Operation, query: "offset"},
	{method: "POST", path: "/sessions", op: &terminals.CreateSession.Operation, body: jsonBody, created: true},
	{method: "GET", path: "/sessions", op: &terminals.ListSessions.Operation, query: "tag=tags"},
	{method: "GET", path: "/idle", op: &terminals.AwaitAnyIdle.Operation, query: anyIdle, needs: needsTimeout},
	// The older name of the same.
	{method: "GET", path: "/quiesce", op: &terminals.AwaitAnyIdle.Operation, query: anyIdle, needs: needsTimeout, lateCode: errcode.QuiesceTimeout},

	{method: "GET", path: "/sessions/{name}", op: &terminals.GetSession.Operation},
	{method: "PATCH", path: "/sessions/{name}", op: &terminals.UpdateSession.Operation, body: jsonBody},
	{method: "DELETE", path: "/sessions/{name}", op: &terminals.RemoveSession.Operation},
	{method: "GET", path: "/sessions/{name}/job", op: &terminals.GetJob.Operation},
	{method: "POST", path: "/sessions/{name}/detach", op: &terminals.DetachClients.Operation, query: "client"},
	{method: "POST", path: "/sessions/{name}/lead", op: &terminals.LeadSession.Operation, body: jsonBody},
	{method: "POST", path: "/sessions/{name}/agent", op: &terminals.ReportAgent.Operation, body: jsonBody},
	{method: "POST", path: "/sessions/{name}/signal", op: &terminals.SignalSession.Operation, body: jsonBody},

	{method: "POST", path: "/sessions/{name}/resize", op: &terminals.ResizeSession.Operation, body: jsonBody},

	{method: "POST", path: "/sessions/{name}/input", op: &terminals.SendInput.Operation, query: "secret", body: rawBody},
	{method: "POST", path: "/sessions/{name}/input/keys", op: &terminals.PressKeys.Operation, body: jsonBody},
	{method: "POST", path: "/sessions/{name}/input/paste", op: &terminals.PasteText.Operation, body: jsonBody},
	{method: "POST", path: "/sessions/{name}/input/mouse", op: &terminals.MoveMouse.Operation, body: jsonBody},
	{method: "GET", path: "/sessions/{name}/typed", op: &terminals.GetTyped.Operation, query: "after last"},
	{method: "GET", path: "/sessions/{name}/typed/next", op: &terminals.AwaitTyped.Operation, query: "after max_wait_ms"},
	{method: "POST", path: "/sessions/{name}/run", op: &terminals.RunCommand.Operation, body: jsonBody, partial: true},

	{method: "GET", path: "/sessions/{name}/screen", op: &terminals.GetScreen.Operation, query: "format"},
	{
		method: "GET", path: "/sessions/{name}/screen", op: &terminals.DrawPicture.Operation, formats: []string{"html", "svg", "png"},
		query: "format theme cell cursor elements first_row rows fragment",
	},
	{method: "GET", path: "/sessions/{name}/screen/next", op: &terminals.AwaitScreen.Operation, query: "epoch format"},
	{method: "GET", path: "/sessions/{name}/screen/diff", op: &terminals.GetChanges.Operation, query: "epoch format"},
	{method: "GET", path: "/sessions/{name}/composed", op: &terminals.GetPicture.Operation, query: "format"},
	{method: "GET", path: "/sessions/{name}/scrollback", op: &terminals.GetScrollback.Operation, query: "format offset from before tail limit trim"},
	{method: "GET", path: "/sessions/{name}/scrollback/search", op: &terminals.SearchScrollback.Operation, query: "text pattern ignore_case from limit newest"},
	{method: "GET", path: "/sessions/{name}/commands", op: &terminals.ListCommands.Operation},
	{method: "GET", path: "/sessions/{name}/commands/output", op: &terminals.GetCommandOutput.Operation, query: "prompt"},
	{method: "GET", path: "/sessions/{name}/idle", op: &terminals.AwaitIdle.Operation, query: idle, needs: needsTimeout},
	{method: "GET", path: "/sessions/{name}/wait/text", op: &terminals.AwaitText.Operation, query: "text pattern max_wait_ms format"},
	{method: "GET", path: "/sessions/{name}/wait/prompt", op: &terminals.AwaitPrompt.Operation, query: "max_wait_ms format"},
	{method: "GET", path: "/sessions/{name}/wait/state", op: &terminals.AwaitState.Operation, query: "state=states last_generation max_wait_ms format"},
	{method: "GET", path: "/sessions/{name}/wait/keys", op: &terminals.AwaitKeys.Operation, query: "last_generation max_wait_ms"},
	{method: "GET", path: "/sessions/{name}/wait/exit", op: &terminals.AwaitExit.Operation, query: "max_wait_ms"},
	{method: "GET", path: "/sessions/{name}/quiesce", op: &terminals.AwaitIdle.Operation, query: idle, needs: needsTimeout, lateCode: errcode.QuiesceTimeout},

	{method: "POST", path: "/sessions/{name}/recording/start", op: &terminals.StartRecording.Operation},
	{method: "POST", path: "/sessions/{name}/recording/stop", op: &terminals.StopRecording.Operation},
	{method: "DELETE", path: "/sessions/{name}/recording", op: &terminals.RemoveRecording.Operation, query: "id"},
	{method: "GET", path: "/sessions/{name}/recording", op: &terminals.GetRecording.Operation, query: "offset id", download: "application/x-asciicast"},

	{method: "GET", path: "/sessions/{name}/screen_mode", op: &terminals.GetScreenMode.Operation},
	{method: "POST", path: "/sessions/{name}/screen_mode/enter_alt", op: &terminals.EnterAltScreen.Operation},
	{method: "POST", path: "/sessions/{name}/screen_mode/exit_alt", op: &terminals.ExitAltScreen.Operation},

	{method: "GET", path: "/sessions/{name}/input/mode", op: &terminals.GetInputMode.Operation},
	{method: "POST", path: "/sessions/{name}/keyboard", op: &terminals.TakeKeyboard.Operation, body: jsonBody},
	{method: "DELETE", path: "/sessions/{name}/keyboard", op: &terminals.GiveKeyboard.Operation},
	{method: "POST", path: "/sessions/{name}/input/capture", op: &terminals.CaptureInput.Operation},
	{method: "POST", path: "/sessions/{name}/input/release", op: &terminals.ReleaseInput.Operation},
	{method: "GET", path: "/sessions/{name}/input/focus", op: &terminals.GetFocus.Operation},
	{method: "POST", path: "/sessions/{name}/input/focus", op: &terminals.FocusElement.Operation, body: jsonBody},
	{method: "POST", path: "/sessions/{name}/input/unfocus", op: &terminals.ClearFocus.Operation},

	{method: "POST", path: "/sessions/{name}/elements", op: &terminals.ApplyElements.Operation, body: jsonBody},
}, elementRows("/sessions/{name}/overlay", terminals.Overlays, needsSpans), elementRows("/sessions/{name}/panel", terminals.Panels, nil))

// elementRows are the rows of one kind of elements. needs are the members that a new one needs.
func elementRows(path string, ops terminals.ElementOps, needs []string) []row {
	return []row{
		{method: "GET", path: path, op: &ops.List.Operation},
		{method: "POST", path: path, op: &ops.Create.Operation, body: jsonBody, needs: needs, created: true},
		{method: "DELETE", path: path, op: &ops.Clear.Operation},
		{method: "GET", path: path + "/{id}", op: &ops.Get.Operation},
		{method: "PUT", path: path + "/{id}", op: &ops.Replace.Operation, body: jsonBody},
		{method: "PATCH", path: path + "/{id}", op: &ops.Update.Operation, body: jsonBody},
		{method: "DELETE", path: path + "/{id}", op: &ops.Remove.Operation},
		{method: "POST", path: path + "/{id}/spans", op: &ops.UpdateSpans.Operation, body: jsonBody, needs: needsSpans},
		{method: "POST", path: path + "/{id}/write", op: &ops.Write.Operation, body: jsonBody},
	}
}
