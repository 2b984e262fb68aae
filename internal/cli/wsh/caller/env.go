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
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/ending"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/terminals/wire"
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

// ForSession returns what a session of this machine gets of this run: its directory and variables.
func (e Env) ForSession() (dir string, all map[string]string, err error) {
	if dir, err = os.Getwd(); err != nil {
		return "", nil, fault.Wrap(fault.Precondition, err, "find the present directory")
	}
	all = map[string]string{}
	for _, entry := range pty.Environment(e.Vars, nil) {
		if name, value, ok := strings.Cut(entry, "="); ok {
			all[name] = value
		}
	}
	return dir, all, nil
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

// ExitUnread is the status of a command whose output is not read any more: SIGPIPE's.
const ExitUnread = 128 + 13

// WithStatus returns the error that makes a command end with a program's status.
func WithStatus(exit wire.Exit) error {
	if exit.Code == 0 {
		return nil
	}
	return &commandline.StatusError{Status: exit.Code}
}

// ExitInterrupted is the status after a signal, such as Ctrl-C's.
const ExitInterrupted = 130

// DefaultConfig returns the path of the configuration file of the user with an environment, or ""
// if there is no home directory.
func DefaultConfig(vars environ.Variables) string {
	dir, err := vars.Get("XDG_CONFIG_HOME"), error(nil)
	switch {
	case filepath.IsAbs(dir):
	case runtime.GOOS == "windows":
		dir, err = vars.ConfigDir()
	default:
		dir, err = vars.Home()
		dir = filepath.Join(dir, ".config")
	}
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "wsh", "config.toml")
}

// A ServerFile returns the file of a kind in which a server keeps what it knows of others: "" if
// there is no home directory.
func ServerFile(vars environ.Variables, server, kind string) string {
	config := DefaultConfig(vars)
	if config == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(config), server+"."+kind)
}
