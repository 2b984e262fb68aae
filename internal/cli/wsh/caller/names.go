package caller

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// JSONFlag chooses JSON over text.
type JSONFlag struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Arguments and flags of these types are completed by shells with what there is.
type (
	SessionName string
	TagName     string
	HostName    string // of another server
	LabelName   string // what machines are for
	FileName    string // - is standard input or output
	ClientName  string
	EntryID     string // of an overlay, a panel or a token
)

// UnmarshalText implements [encoding.TextUnmarshaler]. It refuses an empty text, as those below do.
func (n *SessionName) UnmarshalText(b []byte) error { return notEmpty(n, b, "the name of a session") }
func (n *HostName) UnmarshalText(b []byte) error    { return notEmpty(n, b, "the name of a server") }
func (n *LabelName) UnmarshalText(b []byte) error   { return notEmpty(n, b, "a label") }
func (n *FileName) UnmarshalText(b []byte) error    { return notEmpty(n, b, "the name of a file") }
func (n *ClientName) UnmarshalText(b []byte) error  { return notEmpty(n, b, "the name of a client") }
func (n *EntryID) UnmarshalText(b []byte) error     { return notEmpty(n, b, "an ID") }

// notEmpty stores a name. An empty one is an error: a script's variable that is not set must not
// mean another session, file or client, all of them, or that there is no such flag.
func notEmpty[T ~string](name *T, text []byte, what string) error {
	if len(text) == 0 {
		return errors.New(what + " cannot be empty")
	}
	*name = T(text)
	return nil
}

// Texts returns the elements as strings, or nil if there are none: a flag that was left out.
func Texts[T ~string](list []T) []string {
	var out []string
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

func Target(name SessionName) terminals.Target { return terminals.Target{Session: string(name)} }

// OtherServerFlag is a flag of other programs of this name: the session is on another server.
type OtherServerFlag struct {
	Server HostName `short:"s" hidden:"" placeholder:"HOST" help:"The other server that has the session: the same as HOST/SESSION."`
}

// Of returns the name that a session of the chosen server has here.
func (f OtherServerFlag) Of(session SessionName) SessionName {
	if f.Server == "" {
		return session
	}
	return SessionName(f.Server) + "/" + session
}

// Has reports whether a session is on the chosen server, if one was chosen.
func (f OtherServerFlag) Has(s wire.Session) bool {
	return f.Server == "" || strings.EqualFold(wire.HostOf(s.Name), string(f.Server))
}

// A Duration is a [time.Duration] that is text, and never a number, in configuration files.
type Duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fault.New(fault.Invalid, "%q is not a duration, such as 90s or 10m", text)
	}
	d.Duration = parsed
	return nil
}

// A Level is a [slog.Level] that is text, and never a number, in configuration files.
type Level struct{ slog.Level }

// CheckShell returns an error if the shell for new sessions is this program, which would start
// itself.
func CheckShell(path string) error {
	if !IsWsh(path) {
		return nil
	}
	return fault.New(fault.Invalid, "the shell for new sessions would be %s, which starts sessions itself: set SHELL to another one, such as SHELL=/bin/sh, or give one with --shell", path)
}

// IsWsh reports whether a program is this one.
func IsWsh(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	if strings.TrimPrefix(name, "-") == "wsh" {
		return true
	}
	if !filepath.IsAbs(path) {
		return false
	}
	self, err := os.Executable()
	return err == nil && clients.IsSameFile(self, path)
}
