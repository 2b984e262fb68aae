package httpterm

import (
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/access"
	"ui-mcp/internal/transport/guard"
	"ui-mcp/internal/transport/httpio"
)

// codes are the codes of each kind of error. Clients act on them. The code of an error with a
// detail is the detail.
var codes = map[fault.Kind]string{
	fault.Internal:     "internal_error",
	fault.Invalid:      "invalid_request",
	fault.NotFound:     "session_not_found",
	fault.Exists:       "session_name_conflict",
	fault.Precondition: "precondition_failed",
	fault.Script:       "invalid_request",
	fault.Timeout:      "timeout",
	fault.Gone:         "session_ended",
	fault.Exhausted:    "resource_limit_reached",
}

// statuses are the statuses of details that differ from that of their kind: see [httpio.Status].
var statuses = map[fault.Detail]int{
	terminals.NotAllowed: http.StatusForbidden,
	terminals.Withdrawn:  http.StatusForbidden,
	term.TooManySessions: http.StatusServiceUnavailable,
	term.Stopping:        http.StatusServiceUnavailable,
	overlay.NotFocusable: http.StatusBadRequest,
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
	status = httpio.Status(err)
	detail := fault.DetailOf(err)
	if detail == "" {
		return status, codes[fault.KindOf(err)]
	}
	if special, ok := statuses[detail]; ok {
		status = special
	}
	return status, string(detail)
}

// refuse answers a request whose body is not declared as JSON.
func refuse(w http.ResponseWriter, _ *http.Request, r guard.Refusal) {
	writeError(w, r.Status, "invalid_request", r.Text)
}

// Stopping answers requests that arrive while the server stops.
var Stopping http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	access.SetHeaders(w.Header())
	writeError(w, http.StatusServiceUnavailable, string(term.Stopping), "the server is stopping")
})

func writeError(w http.ResponseWriter, status int, code, message string) {
	httpio.WriteCoded(w, status, code, message)
}
