//go:build unix

package run

import (
	"golang.org/x/sys/unix"
)

func makePipe(name string) error { return unix.Mkfifo(name, 0o600) }
