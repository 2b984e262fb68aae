package wsh

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// otherServerFlag is a flag of other programs of this name, with which a server does what another
// one is asked for.
type otherServerFlag struct {
	Server otherServer `short:"s" hidden:"" placeholder:"HOST" help:"Refused: servers do not know each other."`
}

type otherServer string

// UnmarshalText implements [encoding.TextUnmarshaler].
func (otherServer) UnmarshalText(text []byte) error {
	return fault.New(fault.Invalid, "servers do not know each other: run \"ssh -t %s wsh ...\" to use the one of another machine", safetext.Visible(string(text)))
}

// A noAuthFlag is refused on a command line.
type noAuthFlag bool

// BeforeReset is called by kong when the flag is given.
func (noAuthFlag) BeforeReset() error {
	return fault.New(fault.Invalid, "a server cannot do without a token where other machines reach it: leave --no-auth out. On 127.0.0.1, the programs of this user need none")
}

// A serversCommand is "wsh servers", which other programs of this name have.
type serversCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (serversCommand) run(context.Context, env) error {
	return fault.New(fault.Invalid, "servers do not know each other: run wsh on the other machine, as in \"ssh -t HOST wsh attach NAME\"")
}

// checkShell returns an error if the shell for new sessions is this program, which would start
// itself.
func checkShell(path string) error {
	if !isWsh(path) {
		return nil
	}
	return fault.New(fault.Invalid, "the shell for new sessions would be %s, which starts sessions itself: set SHELL to another one, such as SHELL=/bin/sh, or give one with --shell", path)
}

// isWsh reports whether a program is this one.
func isWsh(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	if strings.TrimPrefix(name, "-") == "wsh" {
		return true
	}
	if !filepath.IsAbs(path) {
		return false
	}
	self, err := os.Executable()
	if err != nil {
		return false
	}
	a, errA := os.Stat(self)
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
