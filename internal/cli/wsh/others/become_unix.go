//go:build unix

package others

import (
	"golang.org/x/sys/unix"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
)

// become replaces this process by a program. It returns only if that fails.
func become(program string, args []string, e caller.Env) error {
	return fault.Wrap(fault.Precondition, unix.Exec(program, args, e.Vars), "start %s", program)
}
