package wsh

import (
	"errors"
	"os"
	"os/exec"

	"golang.org/x/sys/windows"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/fault"
)

func sizeOf(stream any) (cols, rows int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile || f == nil {
		return 0, 0, false
	}
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info) != nil {
		return 0, 0, false
	}
	return int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1, true
}

// openTerminal opens the console to write to it.
func openTerminal(any) (*os.File, error) { return os.OpenFile("CONOUT$", os.O_RDWR, 0) }

// jobID identifies the job that this process belongs to, as [wire.Foreground] does.
func jobID() int { return os.Getpid() }

// ttyOf returns "": consoles have no names.
func ttyOf(*os.File) string { return "" }

// makePipe returns an error: programs cannot open a named pipe there as a file.
func makePipe(string) error { return errors.ErrUnsupported }

// become runs a program to its end, which a console interrupts as it does this process.
func become(program string, args []string, e env) error {
	cmd := exec.Command(program, args[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = e.vars, e.In, e.Out, e.Err
	err := cmd.Run()
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return &commandline.StatusError{Status: ended.ExitCode()}
	}
	return fault.Wrap(fault.Precondition, err, "start %s", program)
}
