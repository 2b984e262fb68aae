package errcode

import (
	"net/http"

	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
)

// Codes of the kinds of errors, and of the transports. Other codes are details of errors.
const (
	InternalError      = "internal_error"
	InvalidRequest     = "invalid_request"
	SessionNotFound    = "session_not_found"
	NameConflict       = "session_name_conflict"
	PreconditionFailed = "precondition_failed"
	Timeout            = "timeout"
	SessionEnded       = "session_ended"
	LimitReached       = "resource_limit_reached"
	HostUnreachable    = "host_unreachable"

	AuthRequired     = "auth_required"
	AuthInvalid      = string(terminals.Withdrawn)
	NotAllowed       = string(terminals.NotAllowed)
	HostNotAllowed   = "host_not_allowed"
	OriginNotAllowed = "origin_not_allowed"
	RateLimited      = "rate_limited"
	NotFound         = "not_found"
	ServerNotFound   = string(terminals.ServerNotFound)
	MethodNotAllowed = "method_not_allowed"
	UpgradeRequired  = "upgrade_required"
	Stopping         = string(registry.Stopping)

	UnknownMethod   = "unknown_method"
	SessionRequired = "session_required"
	IdleSuperseded  = "idle_superseded"

	// For callers who use the older name of idle.
	QuiesceTimeout    = "quiesce_timeout"
	QuiesceSuperseded = "quiesce_superseded"
)

// Schema is the JSON schema of an error in an answer.
var Schema = map[string]any{"type": "object", "required": []string{"code", "message"}, "properties": map[string]any{
	"code":    map[string]any{"type": "string", "description": "what clients act on"},
	"message": map[string]any{"type": "string", "description": "for people"},
}}

// A Meaning says when clients get a code.
type Meaning struct {
	Status     int
	Code, When string
}

// Meanings are the codes with which any request may be answered, by status. Those of operations are
// in their failures.
var Meanings = []Meaning{
	{http.StatusUnauthorized, AuthRequired, "the server asks for a token"},
	{http.StatusForbidden, AuthInvalid, "the token is wrong, has expired or was withdrawn"},
	{http.StatusForbidden, HostNotAllowed, "another name for this machine"},
	{http.StatusForbidden, OriginNotAllowed, "another site's page"},
	{http.StatusForbidden, NotAllowed, "the caller lacks a right, or is another user of this machine or a script of an app"},
	{http.StatusNotFound, NotFound, "there is nothing at that path"},
	{http.StatusNotFound, ServerNotFound, "no server of that name is known"},
	{http.StatusMethodNotAllowed, MethodNotAllowed, "Allow says what the path takes"},
	{http.StatusRequestEntityTooLarge, InvalidRequest, "the body has more than 1 MiB"},
	{http.StatusUnsupportedMediaType, InvalidRequest, "the body is not declared as JSON"},
	{http.StatusTooManyRequests, RateLimited, "Retry-After says when to try again"},
	{http.StatusInternalServerError, InternalError, "a defect of the server"},
	{http.StatusNotImplemented, string(terminals.HostLacks), "the session's host is of another version, or reached in a way, that does not have the operation"},
	{http.StatusServiceUnavailable, string(terminals.HostAway), "the session's host is not connected; nothing was done"},
	{http.StatusServiceUnavailable, string(terminals.HubAway), "this server is not connected to its hub; nothing was done"},
	{http.StatusServiceUnavailable, HostUnreachable, "the session's host cannot be reached for another reason"},
	{http.StatusServiceUnavailable, Stopping, "the server is stopping, or the one that `server` names cannot be reached and nothing was done"},
	{http.StatusGatewayTimeout, string(terminals.HostSilent), "the session's host has not answered, or its answer was lost; what was asked may have been done"},
}
