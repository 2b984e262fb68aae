package httpterm

import (
	"encoding/json"
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/transport/guard"
)

// codes is what each kind of error looks like here. Clients act on the codes. An
// error with a detail has that for its code.
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

// statuses are those of details that have another status than their kind.
var statuses = map[fault.Detail]int{
	term.TooManySessions: http.StatusServiceUnavailable,
	term.Stopping:        http.StatusServiceUnavailable,
}

// refusals is what the guard's reasons look like here.
var refusals = map[guard.Reason]string{
	guard.ForeignHost:   "host_not_allowed",
	guard.ForeignOrigin: "origin_not_allowed",
	guard.TooLong:       "invalid_request",
	guard.NotJSON:       "invalid_request",
}

// A coded error is one for which a route has its own code.
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

// refuse answers what the guard does not let through.
func refuse(w http.ResponseWriter, _ *http.Request, r guard.Refusal) {
	writeError(w, r.Status, refusals[r.Reason], r.Text)
}

// Stopping answers requests that come while the server ends.
var Stopping http.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
	writeError(w, http.StatusServiceUnavailable, string(term.Stopping), "the server is stopping")
})

func writeError(w http.ResponseWriter, status int, code, message string) {
	type detail struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	writeJSON(w, status, struct {
		Error detail `json:"error"`
	}{detail{code, message}})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	b, err := json.Marshal(body)
	if err != nil {
		panic(err) // our own types can be encoded
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // a client that has gone needs no answer
}
