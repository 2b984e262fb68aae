package wsh

import (
	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/terminals/wire"
)

// exitUnread is the status of a command whose output is not read any more: SIGPIPE's.
const exitUnread = 128 + 13

// withStatus returns the error that makes a command end with a program's status.
func withStatus(exit wire.Exit) error {
	if exit.Code == 0 {
		return nil
	}
	return &commandline.StatusError{Status: exit.Code}
}

// exitInterrupted is the status after a signal, such as Ctrl-C's.
const exitInterrupted = 130
