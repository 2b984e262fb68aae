package wsh

import (
	"ui-mcp/internal/terminals"
)

// configured is what a configuration file says to a server beside its flags.
type configured struct {
	path string
	// secret says that the file has a token and that other users can read it.
	secret           bool
	token, tokenFile string                // where neither flags nor the environment have one
	servers          []terminals.NewServer // the other servers
	unused           []unused              // in the order in which the file may have them
}

// An unused is a part of a configuration file that is known, but has no effect yet.
type unused struct {
	name string // as it is written in the file
	line int
	why  string // what the server does instead
}
