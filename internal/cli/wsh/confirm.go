package wsh

import (
	"context"
	"errors"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
)

// confirm asks the person a question that has the answers yes and no, on the terminal from which it
// reads the answer. Without one, there is nobody to ask, and the answer is yes. It is also yes
// where the person's settings say so; a file with a mistake says nothing.
func confirm(ctx context.Context, e caller.Env, question string) error {
	if !commandline.IsTerminal(e.In) {
		return nil
	}
	if file, err := readConfig(e.Vars, e.Vars.Get("WSH_CONFIG")); err == nil && file.client["confirm"] == false {
		return nil
	}
	if !commandline.IsTerminal(e.Err) { // as after 2>/dev/null
		terminal, err := caller.OpenTerminal(e.In)
		if err != nil {
			return fault.Wrap(fault.Precondition, err, "ask whether to do that, which --yes makes unnecessary")
		}
		defer terminal.Close()
		e.Err = terminal
	}
	if commandline.Confirmed(ctx, e.In, e.Err, question) {
		return nil
	}
	return &commandline.StatusError{Status: commandline.ExitFailure, Err: errors.New("nothing was done")}
}
