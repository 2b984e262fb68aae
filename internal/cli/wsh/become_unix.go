//go:build unix

package wsh

import (
	"golang.org/x/sys/unix"

	"ui-mcp/internal/fault"
)

// become replaces this process by a program. It returns only if that fails.
func become(program string, args []string, e env) error {
	return fault.Wrap(fault.Precondition, unix.Exec(program, args, e.vars), "start %s", program)
}
