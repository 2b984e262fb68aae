// Package errcode has the codes by which servers of terminals report errors, the same over every
// transport. Clients act on the codes. The texts of errors are for people.
package errcode

import (
	"net/http"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
)

// codes are the codes of each kind of error. The code of an error with a detail is the detail.
var codes = map[fault.Kind]string{
	fault.Internal:     InternalError,
	fault.Invalid:      InvalidRequest,
	fault.NotFound:     SessionNotFound,
	fault.Exists:       NameConflict,
	fault.Precondition: PreconditionFailed,
	fault.Script:       InvalidRequest,
	fault.Timeout:      Timeout,
	fault.Gone:         SessionEnded,
	fault.Exhausted:    LimitReached,
	fault.Unreachable:  HostUnreachable,
}

// statuses are the statuses of details that differ from the status of their kind: see
// [httpio.Status].
var statuses = map[fault.Detail]struct {
	status int
	kind   fault.Kind
}{
	terminals.NotAllowed:       {http.StatusForbidden, fault.Precondition},
	terminals.Withdrawn:        {http.StatusForbidden, fault.Gone},
	registry.TooManySessions:   {http.StatusServiceUnavailable, fault.Exhausted},
	registry.Stopping:          {http.StatusServiceUnavailable, fault.Gone},
	overlay.NotFocusable:       {http.StatusBadRequest, fault.Precondition},
	terminals.HostSilent:       {http.StatusGatewayTimeout, fault.Unreachable},
	terminals.HostLacks:        {http.StatusNotImplemented, fault.Invalid},
	clients.NameTaken:          {http.StatusConflict, fault.Exists},
	terminals.ServerRegistered: {http.StatusConflict, fault.Exists},
	terminals.NoRoom:           {http.StatusServiceUnavailable, fault.Exhausted},
}

// Of returns the code of an error.
func Of(err error) string {
	if detail := fault.DetailOf(err); detail != "" {
		return string(detail)
	}
	return codes[fault.KindOf(err)]
}

// Status returns the HTTP status of an error.
func Status(err error) int {
	if own, ok := statuses[fault.DetailOf(err)]; ok {
		return own.status
	}
	return httpio.Status(err)
}

// Parse returns the error that was reported with a status, code and message: of the same kind, with
// the same detail and text. Refusals of requests, which no operation reports, have kinds, too.
func Parse(status int, code, message string) error {
	for kind, c := range codes {
		if c == code && httpio.Status(fault.New(kind, "")) == status {
			return fault.New(kind, "%s", message)
		}
	}
	kind, ok := httpio.Kind(status)
	if own, is := statuses[fault.Detail(code)]; is {
		kind = own.kind
	} else if !ok {
		kind = fault.Precondition
	}
	return fault.With(fault.Detail(code), fault.New(kind, "%s", message))
}
