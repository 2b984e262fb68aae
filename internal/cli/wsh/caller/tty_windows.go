package caller

import (
	"os"

	"golang.org/x/sys/windows"
)

func SizeOf(stream any) (cols, rows int, ok bool) {
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

// OpenTerminal opens the console to write to it.
func OpenTerminal(any) (*os.File, error) { return os.OpenFile("CONOUT$", os.O_RDWR, 0) }

// ttyOf returns "": consoles have no names.
func ttyOf(*os.File) string { return "" }
