package commandline

import (
	"os"

	"golang.org/x/sys/windows"
)

func isTerminalFile(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
