package commandline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// Exit statuses of every command.
const (
	ExitOK      = 0
	ExitFailure = 1
	ExitUsage   = 2 // also for requests that can never succeed as written
)

// Streams are the standard streams of one run of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Print prints a text, or instead a value as JSON on a line of its own.
func (s Streams) Print(asJSON bool, text string, value any) error {
	if asJSON {
		return json.NewEncoder(s.Out).Encode(value)
	}
	_, err := io.WriteString(s.Out, text)
	return err
}

// A StatusError ends a command with a status of its own.
type StatusError struct {
	Status int
	Err    error // nil prints nothing
}

func (e *StatusError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("status %d", e.Status)
	}
	return e.Err.Error()
}

func (e *StatusError) Unwrap() error { return e.Err }

// Fail reports the error of a program's command on errs, and returns the exit status. What the
// error quotes cannot change how a terminal looks.
func Fail(program string, errs io.Writer, err error) int {
	status := ExitFailure
	if own, ok := errors.AsType[*StatusError](err); ok {
		status, err = own.Status, own.Err
	} else if fault.KindOf(err) == fault.Invalid {
		status = ExitUsage
	}
	if err != nil {
		fmt.Fprintf(errs, "%s: %s\n", program, Called(safetext.Lines(err.Error())))
	}
	return status
}

// Called returns a message in which our commands, which stand between quotation marks, are named as
// this one was called: "bin/wsh list", if it was called as bin/ui-mcp.
func Called(message string) string { return called(os.Args[0], message) }

func called(program, message string) string {
	at := strings.LastIndexByte(filepath.ToSlash(program), '/') + 1
	if at == 0 || filepath.IsAbs(program) {
		return message
	}
	dir := program[:at]
	return strings.NewReplacer(`"wsh `, `"`+dir+`wsh `, `"ui-mcp `, `"`+dir+`ui-mcp `).Replace(message)
}
