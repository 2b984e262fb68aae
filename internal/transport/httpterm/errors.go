package httpterm

import (
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/httpio"
)

// codes are the statuses and codes of each kind of error. Clients act on the codes. The code of an
// error with a detail is the detail.
var codes = map[fault.Kind]struct {
	status int
	code   string
}{
	fault.Internal:     {http.StatusInternalServerError, "internal_error"},
	fault.Invalid:      {http.StatusBadRequest, "invalid_request"},
	fault.NotFound:     {http.StatusNotFound, "session_not_found"},
	fault.Exists:       {http.StatusConflict, "session_name_conflict"},
	fault.Precondition: {http.StatusConflict, "precondition_failed"},
	fault.Script:       {http.StatusUnprocessableEntity, "invalid_request"},
	fault.Timeout:      {http.StatusRequestTimeout, "idle_timeout"},
	fault.Gone:         {http.StatusGone, "session_ended"},
	fault.Exhausted:    {http.StatusTooManyRequests, "resource_limit_reached"},
}

// statuses are the statuses of details that differ from those of their kind.
var statuses = map[fault.Detail]int{
	terminals.NotAllowed: http.StatusForbidden,
	term.TooManySessions: http.StatusServiceUnavailable,
	term.Stopping:        http.StatusServiceUnavailable,
}

// refusals are the codes of the guard's reasons.
var refusals = map[guard.Reason]string{
	guard.ForeignHost:   "host_not_allowed",
	guard.ForeignOrigin: "origin_not_allowed",
	guard.TooLong:       "invalid_request",
	guard.NotJSON:       "invalid_request",
	guard.ForeignUser:   "not_allowed",
}

// A coded error has a status and code of its own.
type coded struct {
	error
	status int
	code   string
}

func (c coded) Unwrap() error { return c.error }

func codeOf(err error) (status int, code string) {
	if c, ok := err.(coded); ok {
		return c.status, c.code
	}
	c := codes[fault.KindOf(err)]
	detail := fault.DetailOf(err)
	if detail == "" {
		return c.status, c.code
	}
	if status, ok := statuses[detail]; ok {
		return status, string(detail)
	}
	return c.status, string(detail)
}

// refuse answers a request that the guard refuses.
func refuse(w http.ResponseWriter, _ *http.Request, r guard.Refusal) {
	writeError(w, r.Status, refusals[r.Reason], r.Text)
}

// Stopping answers requests that arrive while the server stops.
var Stopping http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	writeError(w, http.StatusServiceUnavailable, string(term.Stopping), "the server is stopping")
})

func writeError(w http.ResponseWriter, status int, code, message string) {
	type detail struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	httpio.WriteJSON(w, status, struct {
		Error detail `json:"error"`
	}{detail{code, message}})
}
