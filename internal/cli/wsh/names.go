package wsh

import (
	"errors"
	"strings"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// jsonFlag chooses JSON over text.
type jsonFlag struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// A sessionName is an argument or flag that shells complete with the names of sessions.
type sessionName string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *sessionName) UnmarshalText(b []byte) error { return notEmpty(n, b, "the name of a session") }

// A tagName is an argument or flag that shells complete with tags.
type tagName string

// A hostName is an argument or flag that shells complete with the names of other servers.
type hostName string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *hostName) UnmarshalText(b []byte) error { return notEmpty(n, b, "the name of a server") }

// A labelName is a flag that shells complete with what machines are for.
type labelName string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *labelName) UnmarshalText(b []byte) error { return notEmpty(n, b, "a label") }

// A fileName is the name of a file as an argument or flag, or - for standard input or output.
type fileName string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *fileName) UnmarshalText(b []byte) error { return notEmpty(n, b, "the name of a file") }

// A clientName is the name of a client, as an argument or flag.
type clientName string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (n *clientName) UnmarshalText(b []byte) error { return notEmpty(n, b, "the name of a client") }

// An entryID is the ID of an overlay, a panel or a token, as an argument or flag.
type entryID string

// UnmarshalText refuses an empty ID: the command would list the elements, or add one, as without
// the flag.
func (i *entryID) UnmarshalText(b []byte) error { return notEmpty(i, b, "an ID") }

// notEmpty stores a name. An empty one is an error: a script's variable that is not set must not
// mean another session, file or client, or all of them.
func notEmpty[T ~string](name *T, text []byte, what string) error {
	if len(text) == 0 {
		return errors.New(what + " cannot be empty")
	}
	*name = T(text)
	return nil
}

// texts returns the elements as strings, or nil if there are none: a flag that was left out.
func texts[T ~string](list []T) []string {
	var out []string
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

func target(name sessionName) terminals.Target { return terminals.Target{Session: string(name)} }

// otherServerFlag is a flag of other programs of this name: the session is on another server.
type otherServerFlag struct {
	Server hostName `short:"s" hidden:"" placeholder:"HOST" help:"The other server that has the session: the same as HOST/SESSION."`
}

// of returns the name that a session of the chosen server has here.
func (f otherServerFlag) of(session sessionName) sessionName {
	if f.Server == "" {
		return session
	}
	return sessionName(f.Server) + "/" + session
}

// has reports whether a session is on the chosen server, if one was chosen.
func (f otherServerFlag) has(s wire.Session) bool {
	return f.Server == "" || strings.EqualFold(wire.HostOf(s.Name), string(f.Server))
}
