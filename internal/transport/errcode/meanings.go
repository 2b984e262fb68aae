package errcode

import (
	"net/http"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/record"
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
	Stopping         = string(term.Stopping)

	UnknownMethod   = "unknown_method"
	SessionRequired = "session_required"
	IdleSuperseded  = "idle_superseded"

	// For callers who use the older name of idle.
	QuiesceTimeout    = "quiesce_timeout"
	QuiesceSuperseded = "quiesce_superseded"
)

// A Meaning says when clients get a code.
type Meaning struct {
	Status int // over HTTP; 0 if only WebSockets have the code
	Code   string
	When   string
	Any    bool // any request may be answered with it
}

// Meanings are all codes, by status. A code may have several statuses.
var Meanings = []Meaning{
	{http.StatusBadRequest, InvalidRequest, "the body, a parameter, the size or the directory is invalid", false},
	{http.StatusBadRequest, string(term.InvalidName), "the name is too long, or has characters that are not allowed", false},
	{http.StatusBadRequest, string(term.InvalidTag), "a tag is too long, or has characters that are not allowed", false},
	{http.StatusBadRequest, string(overlay.TooLong), "an overlay or panel with too many spans or writes, or too much text", false},
	{http.StatusBadRequest, string(overlay.NotFocusable), "the overlay or panel cannot have the focus", false},
	{http.StatusBadRequest, string(term.InvalidClient), "the name of a client is too long, or has characters that are not allowed", false},
	{http.StatusUnauthorized, AuthRequired, "the server asks for a token", true},
	{http.StatusForbidden, AuthInvalid, "the token is wrong, has expired or was withdrawn", true},
	{http.StatusForbidden, HostNotAllowed, "another name for this machine", true},
	{http.StatusForbidden, OriginNotAllowed, "another site's page", true},
	{http.StatusForbidden, NotAllowed, "the caller lacks a right, or is another user of this machine or a script of an app", true},
	{http.StatusNotFound, NotFound, "there is nothing at that path", true},
	{http.StatusNotFound, ServerNotFound, "no server of that name is known", true},
	{http.StatusNotFound, string(terminals.NoHost), "no machine that can be reached has the labels", false},
	{http.StatusNotFound, SessionNotFound, "there is no session of that name", false},
	{http.StatusNotFound, string(term.UnknownClient), "the session has no client of that name", false},
	{http.StatusNotFound, string(term.UnknownCommand), "no command with output is known at that line", false},
	{http.StatusNotFound, string(term.NoSessions), "no session whose program runs matches", false},
	{http.StatusNotFound, string(record.NoRecording), "the session has no recording", false},
	{http.StatusNotFound, string(overlay.UnknownOverlay), "there is no overlay with that ID", false},
	{http.StatusNotFound, string(overlay.UnknownPanel), "there is no panel with that ID", false},
	{http.StatusNotFound, string(terminals.NoToken), "there is no token with that ID", false},
	{http.StatusMethodNotAllowed, MethodNotAllowed, "Allow says what the path takes", true},
	{http.StatusRequestTimeout, string(term.NotQuiet), "it was not quiet in time", false},
	{http.StatusRequestTimeout, QuiesceTimeout, "the same, under the older name", false},
	{http.StatusRequestTimeout, string(term.NotTyped), "the line would not have been read: something else runs, a person types, or the shell did not prompt", false},
	{http.StatusRequestTimeout, Timeout, "something else did not happen in time", false},
	{http.StatusConflict, string(term.NotTyped), "a line has control characters, or the terminal would cut it", false},
	{http.StatusConflict, NameConflict, "the name is taken", false},
	{http.StatusConflict, string(terminals.ServerRegistered), "a server with this address or name is known already", false},
	{http.StatusConflict, string(term.ClientExists), "another client of the session has that name", false},
	{http.StatusConflict, string(record.AlreadyRecording), "a recording is being written", false},
	{http.StatusConflict, string(term.NobodyAttached), "no attached terminal could display a question", false},
	{http.StatusConflict, string(term.NotPermitted), "the session asks persons who may type (`ask_to_type`), and they refuse, do not answer, or are not attached; or a person has the keyboard", false},
	{http.StatusConflict, string(overlay.AlternateActive), "the alternate screen is displayed already", false},
	{http.StatusConflict, string(overlay.AlternateClosed), "the alternate screen is not displayed, or the program keeps it", false},
	{http.StatusConflict, PreconditionFailed, "the program does not ask for such a mouse event, or lines were wrapped again during a search", false},
	{http.StatusGone, SessionEnded, "the program has ended", false},
	{http.StatusRequestEntityTooLarge, InvalidRequest, "the body has more than 1 MiB", true},
	{http.StatusUnsupportedMediaType, InvalidRequest, "the body is not declared as JSON", true},
	{http.StatusUpgradeRequired, UpgradeRequired, "the path is a WebSocket, and the request is no upgrade", false},
	{http.StatusTooManyRequests, RateLimited, "Retry-After says when to try again", true},
	{http.StatusTooManyRequests, LimitReached, "too many clients, tokens, tickets, tags, overlays or panels, or too much unread input", false},
	{http.StatusInternalServerError, string(term.CreateFailed), "the program could not be started, by no fault of the request", false},
	{http.StatusInternalServerError, InternalError, "a defect of the server", true},
	{http.StatusNotImplemented, string(terminals.HostLacks), "the session's host is of another version, or reached in a way, that does not have the operation", true},
	{http.StatusServiceUnavailable, string(term.TooManySessions), "too many programs run", false},
	{http.StatusServiceUnavailable, string(terminals.NoRoom), "the machines with the labels run as many programs as they may", false},
	{http.StatusServiceUnavailable, string(terminals.HostAway), "the session's host is not connected; nothing was done", true},
	{http.StatusServiceUnavailable, string(terminals.HubAway), "this server is not connected to its hub; nothing was done", true},
	{http.StatusServiceUnavailable, HostUnreachable, "the session's host cannot be reached for another reason", true},
	{http.StatusServiceUnavailable, Stopping, "the server is stopping, or the one that `server` names cannot be reached and nothing was done", true},
	{http.StatusGatewayTimeout, string(terminals.HostSilent), "the session's host has not answered, or its answer was lost; what was asked may have been done", true},
	{0, UnknownMethod, "there is no such method on this socket", false},
	{0, SessionRequired, "the method needs a session", false},
	{0, IdleSuperseded, "a new wait for silence in the session has taken the place of this one", false},
	{0, QuiesceSuperseded, "the same, under the older name", false},
}
