package popuprpc

import (
	"errors"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
)

// Codes of errors in addition to JSON-RPC's own. Each way in which a question can end without an
// answer has one.
const (
	CodeFailed    = -32000
	CodeRouting   = -32001 // no server serves the workspace; data has "workspaces"
	CodeTimedOut  = -32002
	CodeDismissed = -32003
	CodeDeclined  = -32004
	CodeWithdrawn = -32005
	CodeNoHuman   = -32006
	CodeStopping  = -32007 // the server ends; the question may be asked again
	CodeFull      = -32008 // too many questions wait
)

var outcomes = map[question.Outcome]int64{
	question.TimedOut:  CodeTimedOut,
	question.Dismissed: CodeDismissed,
	question.Declined:  CodeDeclined,
	question.Withdrawn: CodeWithdrawn,
	question.NoHuman:   CodeNoHuman,
}

// OutcomeData is the data of the error for an outcome.
type OutcomeData struct {
	Outcome question.Outcome `json:"outcome"`
	PopupID string           `json:"popupId"`
	Channel string           `json:"channel,omitempty"`
}

func outcomeError(a question.Answer) *jsonrpc.Error {
	code, ok := outcomes[a.Outcome]
	if !ok {
		return jsonrpc.Errorf(jsonrpc.CodeInternal, "the question has an unknown outcome: %s", a.Outcome)
	}
	data := OutcomeData{Outcome: a.Outcome, PopupID: a.PopupID, Channel: a.Channel}
	return &jsonrpc.Error{Code: code, Message: a.Outcome.Advice(), Data: jsonrpc.MustMarshal(data)}
}

// asError turns an error of the broker into an error object.
func asError(err error) *jsonrpc.Error {
	if lost, ok := errors.AsType[*popup.RoutingError](err); ok {
		return &jsonrpc.Error{Code: CodeRouting, Message: lost.Error(), Data: jsonrpc.MustMarshal(map[string][]string{"workspaces": lost.Known})}
	}
	switch fault.KindOf(err) {
	case fault.Invalid:
		return jsonrpc.Errorf(jsonrpc.CodeInvalidParams, "Invalid params: %v", err)
	case fault.Gone:
		return jsonrpc.Errorf(CodeStopping, "%v", err)
	case fault.Exhausted:
		return jsonrpc.Errorf(CodeFull, "%v", err)
	case fault.Internal:
		return jsonrpc.Errorf(jsonrpc.CodeInternal, "%v", err)
	}
	return jsonrpc.Errorf(CodeFailed, "%v", err)
}
