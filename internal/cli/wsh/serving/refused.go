package serving

import (
	"ui-mcp/internal/fault"
)

// A noAuthFlag is refused on a command line.
type noAuthFlag bool

// BeforeReset is called by kong when the flag is given.
func (noAuthFlag) BeforeReset() error {
	return fault.New(fault.Invalid, "a server cannot do without a token where other machines reach it: leave --no-auth out. On 127.0.0.1, the programs of this user need none")
}
