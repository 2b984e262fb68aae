package popuprpc

import (
	"encoding/json"
	"errors"
	"fmt"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/question"
)

// Codes of errors. Those above -32099 are JSON-RPC's own; each way in which a question can end without an answer has one
// of ours.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603

	CodeFailed    = -32000
	CodeRouting   = -32001 // no server is about the workspace; data has "workspaces"
	CodeTimedOut  = -32002
	CodeDismissed = -32003
	CodeDeclined  = -32004
	CodeWithdrawn = -32005
	CodeNoHuman   = -32006
	CodeStopping  = -32007 // the server ends; the question may be asked again
	CodeFull      = -32008 // too many questions wait
)

// outcomes is which code says which outcome.
var outcomes = map[question.Outcome]int{
	question.TimedOut:  CodeTimedOut,
	question.Dismissed: CodeDismissed,
	question.Declined:  CodeDeclined,
	question.Withdrawn: CodeWithdrawn,
	question.NoHuman:   CodeNoHuman,
}

// An Error is an error object of JSON-RPC.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string { return e.Message }

func newError(code int, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// with returns e with data, which must have a JSON form.
func (e *Error) with(data any) *Error {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err) // structs of texts have one
	}
	e.Data = encoded
	return e
}

// An OutcomeData is what the error of an outcome says beside its code.
type OutcomeData struct {
	Outcome question.Outcome `json:"outcome"`
	PopupID string           `json:"popupId"`
	Channel string           `json:"channel,omitempty"`
}

func outcomeError(a question.Answer) *Error {
	code, ok := outcomes[a.Outcome]
	if !ok {
		return newError(CodeInternal, "the question has an outcome that is none: %s", a.Outcome)
	}
	return newError(code, "%s", a.Outcome.Advice()).with(OutcomeData{Outcome: a.Outcome, PopupID: a.PopupID, Channel: a.Channel})
}

// asError makes an error object of an error of the broker.
func asError(err error) *Error {
	if lost, ok := errors.AsType[*popup.RoutingError](err); ok {
		return newError(CodeRouting, "%s", lost.Error()).with(map[string][]string{"workspaces": lost.Known})
	}
	switch fault.KindOf(err) {
	case fault.Invalid:
		return newError(CodeInvalidParams, "Invalid params: %v", err)
	case fault.Gone:
		return newError(CodeStopping, "%v", err)
	case fault.Exhausted:
		return newError(CodeFull, "%v", err)
	case fault.Internal:
		return newError(CodeInternal, "%v", err)
	}
	return newError(CodeFailed, "%v", err)
}
