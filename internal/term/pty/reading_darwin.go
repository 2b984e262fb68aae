package pty

import "ui-mcp/internal/term/tty"

// image is not known here.
func image(int) uint64 { return 0 }

// reading is unknown here: the system does not tell what a process waits for.
func reading(int, int, string) tty.Reading { return tty.ReadingUnknown }
