// Package caller is what the commands of wsh have of their caller and of the server: the streams,
// variables and flags of one call, the client of the server's operations, sessions that stay the
// same while they are renamed or their server is away, and how answers are printed.
//
// It knows no command, and decides nothing about terminals.
//
//	Env (streams, variables) ── Where (flags) ── Remote (operations) ── Tracked (a session)
//
// A command takes an [Env], finds or starts the server that its flags name ([Where]), gets a
// [Remote], and prints a [Table] or JSON. A [Tracked] session is looked for again when its server
// is back after the connection broke, by its ID and never by its name, which another session may
// have got.
package caller

import (
	"strings"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/term/pty"
)

// Where says with which server a command works.
type Where struct {
	ServerName string `toml:"server_name" short:"L" default:"default" env:"WSH_SERVER_NAME" complete:"server" placeholder:"NAME" help:"The server's name; each runs once (default: ${default})."`
	Socket     string `toml:"socket" type:"path" placeholder:"PATH" help:"The server's Unix socket (default: NAME.sock in $$XDG_RUNTIME_DIR/wsh, or in the user's cache folder)."`
}

// An EndSignal is why a command's context has ended: a signal asks the process to end.
type EndSignal = ending.Signal

// An Env is the part of the process that a command may use.
type Env struct {
	commandline.Streams
	Vars    environ.Variables
	Where   Where
	Named   bool // the caller has said which server
	Starts  bool // connect starts the server if there is none
	Version string
}

// ForSession returns the variables of this run that a session gets.
func (e Env) ForSession() map[string]string {
	all := map[string]string{}
	for _, entry := range pty.Environment(e.Vars, nil) {
		if name, value, ok := strings.Cut(entry, "="); ok {
			all[name] = value
		}
	}
	return all
}

// HowTo returns the command line that does something to a session of this server.
func (e Env) HowTo(do, name string) string {
	text := "wsh " + do + " "
	switch {
	case e.Where.Socket != "":
		text += "--socket " + commandline.Word(e.Where.Socket) + " "
	case e.Named && e.Where.ServerName != "default": // else the name alone finds it
		text += "-L " + e.Where.ServerName + " "
	}
	return text + commandline.LastWord(name)
}
