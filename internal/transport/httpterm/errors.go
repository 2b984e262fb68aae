package httpterm

import (
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpio"
)

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
	return errcode.Status(err), errcode.Of(err)
}

// codeOf returns the status and code of an error of the row's operation.
func (r row) codeOf(err error) (status int, code string) {
	if r.lateCode != "" && fault.DetailOf(err) == term.NotQuiet {
		return http.StatusRequestTimeout, r.lateCode
	}
	return codeOf(err)
}

// Refuse answers requests of scripts of apps, and those that arrive while the server stops, ahead
// of the gate. It is a [httpserve.Refuser].
func Refuse(w http.ResponseWriter, _ *http.Request, status int, text string) {
	gate.SetHeaders(w.Header())
	code := errcode.NotAllowed
	if status == http.StatusServiceUnavailable {
		code = errcode.Stopping
	}
	httpio.WriteCoded(w, status, code, text)
}

// ErrStopping is the error of requests that wait when the server stops.
var ErrStopping = fault.With(registry.Stopping, fault.New(fault.Gone, "the server is stopping"))

// errNoClient is the error of requests that wait when the client closes the connection, or its half
// of it: those two look the same.
var errNoClient = fault.New(fault.Invalid, "the client has closed its half of the connection: keep it open while the request waits")
