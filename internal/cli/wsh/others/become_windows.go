package others

import (
	"errors"
	"os/exec"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
)

// become runs a program to its end, which a console interrupts as it does this process.
func become(program string, args []string, e caller.Env) error {
	cmd := exec.Command(program, args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = e.Vars, e.In, e.Out, e.Err
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return &commandline.StatusError{Status: ended.ExitCode()}
	}
	return fault.Wrap(fault.Precondition, err, "start %s", program)
}
