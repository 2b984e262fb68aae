package listen

import "golang.org/x/sys/unix"

// peerOf returns the user of the process that listens at the other end of a connected socket.
func peerOf(fd int) (uid int, err error) {
	c, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(c.Uid), nil
}
