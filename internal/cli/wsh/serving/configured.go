package serving

import (
	"ui-mcp/internal/terminals"
)

// Configured is what a configuration file says to a server beside its flags.
type Configured struct {
	Path string
	// secret says that the file has a token and that other users can read it.
	Secret           bool
	Token, TokenFile string                // where neither flags nor the environment have one
	Servers          []terminals.NewServer // the other servers
	Unused           []Unused              // in the order in which the file may have them
}

// An Unused is a part of a configuration file that is known, but has no effect yet.
type Unused struct {
	Name string // as it is written in the file
	Line int
	Why  string // what the server does instead
}
