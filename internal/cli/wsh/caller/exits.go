package caller

import (
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/terminals/wire"
)

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
