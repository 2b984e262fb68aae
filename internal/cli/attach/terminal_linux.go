package attach

import "golang.org/x/sys/unix"

const (
	getTermios      = unix.TCGETS
	setTermiosDrain = unix.TCSETSW
)
