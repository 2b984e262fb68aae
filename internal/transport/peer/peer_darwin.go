package peer

import (
	"fmt"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// lookup searches the kernel's list of TCP sockets.
func lookup(ours, theirs netip.AddrPort) (Standing, error) {
	b, err := unix.SysctlRaw("net.inet.tcp.pcblist_n")
	if err != nil {
		return Unknown, fmt.Errorf("read the list of sockets: %w", err)
	}
	uid, ok := findInList(b, ours, theirs)
	switch {
	case !ok:
		return Unknown, errNotFound
	case uid == uint32(os.Geteuid()) || uid == 0:
		return Own, nil
	}
	return Foreign, nil
}
