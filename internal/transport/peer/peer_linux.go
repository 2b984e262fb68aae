package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"os"

	"golang.org/x/sys/unix"
)

// lookup asks the kernel for one socket (see sock_diag(7)), which takes the same time however many
// there are. Sandboxes that lack this interface have the table as a file.
func lookup(ours, theirs netip.AddrPort, also []string) (Standing, error) {
	s, err := diagnose(ours, theirs)
	if err != nil && !errors.Is(err, errNotFound) {
		s, err = search(ours, theirs)
	}
	if err != nil {
		return Unknown, err
	}
	return s.standing(uint32(os.Geteuid()), also)
}

// A socket is an entry of the kernel's table.
type socket struct {
	uid   uint32
	inode uint32 // 0 when no program holds the socket any more
}

// standing compares the owner with our user. The kernel gives a socket that was closed, but is not
// gone, to root: a stranger who sends and closes at once must not pass for root.
func (s socket) standing(self uint32, also []string) (Standing, error) {
	if s.inode == 0 {
		return Unknown, errNotFound
	}
	return of(s.uid, self, also), nil
}

// Sizes and positions in struct inet_diag_req_v2 and struct inet_diag_msg (linux/inet_diag.h), both
// after a netlink header.
const (
	sockDiagByFamily = 20
	requestSize      = unix.SizeofNlMsghdr + 56
	messageSize      = unix.SizeofNlMsghdr + 72
	messageUID       = unix.SizeofNlMsghdr + 64
	messageInode     = unix.SizeofNlMsghdr + 68
)

// diagnose asks by NETLINK_SOCK_DIAG.
func diagnose(ours, theirs netip.AddrPort) (socket, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, unix.NETLINK_SOCK_DIAG)
	if err != nil {
		return socket{}, fmt.Errorf("open the socket diagnosis: %w", err)
	}
	defer unix.Close(fd)
	// The kernel answers at once; the limit is for sandboxes that imitate it.
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1}); err != nil {
		return socket{}, fmt.Errorf("bound the socket diagnosis: %w", err)
	}
	if err := unix.Sendto(fd, request(ours, theirs), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return socket{}, fmt.Errorf("ask for a socket: %w", err)
	}
	b := make([]byte, 4096)
	for {
		n, _, err := unix.Recvfrom(fd, b, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return socket{}, fmt.Errorf("read about a socket: %w", err)
		}
		return reply(b[:n])
	}
}

// request encodes the question for the socket whose own address is theirs.
func request(ours, theirs netip.AddrPort) []byte {
	b := make([]byte, requestSize)
	native := binary.NativeEndian
	native.PutUint32(b, requestSize)
	native.PutUint16(b[4:], sockDiagByFamily)
	native.PutUint16(b[6:], unix.NLM_F_REQUEST)

	r := b[unix.SizeofNlMsghdr:]
	r[0] = unix.AF_INET
	if ours.Addr().Is6() {
		r[0] = unix.AF_INET6
	}
	r[1] = unix.IPPROTO_TCP
	native.PutUint32(r[4:], ^uint32(0)) // in any state
	binary.BigEndian.PutUint16(r[8:], theirs.Port())
	binary.BigEndian.PutUint16(r[10:], ours.Port())
	copy(r[12:28], theirs.Addr().AsSlice())
	copy(r[28:44], ours.Addr().AsSlice())
	native.PutUint64(r[48:], ^uint64(0)) // INET_DIAG_NOCOOKIE
	return b
}

// reply decodes what the kernel says.
func reply(b []byte) (socket, error) {
	if len(b) < unix.SizeofNlMsghdr {
		return socket{}, errors.New("the socket diagnosis is cut off")
	}
	native := binary.NativeEndian
	switch kind := native.Uint16(b[4:]); {
	case kind == unix.NLMSG_ERROR && len(b) >= unix.SizeofNlMsghdr+4:
		errno := unix.Errno(-int32(native.Uint32(b[unix.SizeofNlMsghdr:])))
		if errno == unix.ENOENT {
			return socket{}, errNotFound
		}
		return socket{}, fmt.Errorf("ask for a socket: %w", errno)
	case kind != sockDiagByFamily || len(b) < messageSize:
		return socket{}, fmt.Errorf("the socket diagnosis is of kind %d and %d bytes", kind, len(b))
	}
	return socket{uid: native.Uint32(b[messageUID:]), inode: native.Uint32(b[messageInode:])}, nil
}
