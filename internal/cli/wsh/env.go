package wsh

import (
	"strings"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/term/pty"
)

// where says with which server a command works.
type where struct {
	ServerName string `toml:"server_name" short:"L" default:"default" env:"WSH_SERVER_NAME" complete:"server" placeholder:"NAME" help:"The server's name; each runs once (default: ${default})."`
	Socket     string `toml:"socket" type:"path" placeholder:"PATH" help:"The server's Unix socket (default: NAME.sock in $$XDG_RUNTIME_DIR/wsh, or in the user's cache folder)."`
}

// An endSignal is why a command's context has ended: a signal asks the process to end.
type endSignal = ending.Signal

// An env is the part of the process that a command may use.
type env struct {
	commandline.Streams
	vars    environ.Variables
	where   where
	named   bool // the caller has said which server
	starts  bool // connect starts the server if there is none
	version string
}

// forSession returns the variables of this run that a session gets.
func (e env) forSession() map[string]string {
	all := map[string]string{}
	for _, entry := range pty.Environment(e.vars, nil) {
		if name, value, ok := strings.Cut(entry, "="); ok {
			all[name] = value
		}
	}
	return all
}

// howTo returns the command line that does something to a session of this server.
func (e env) howTo(do, name string) string {
	text := "wsh " + do + " "
	switch {
	case e.where.Socket != "":
		text += "--socket " + commandline.Word(e.where.Socket) + " "
	case e.named && e.where.ServerName != "default": // else the name alone finds it
		text += "-L " + e.where.ServerName + " "
	}
	return text + commandline.LastWord(name)
}
