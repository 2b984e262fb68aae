package pty

import "golang.org/x/sys/unix"

// polls are the calls that wait for several things at once.
var polls = [...]uintptr{
	unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_EPOLL_WAIT, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2, unix.SYS_IO_URING_ENTER,
}
