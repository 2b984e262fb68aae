package peer

import (
	"encoding/binary"
	"net/netip"
)

// The list of sockets that sysctl net.inet.tcp.pcblist_n returns on macOS: a header, then for each
// socket some records, each with its length, its kind, and padding to a multiple of 8 bytes. The
// records and positions follow bsd/netinet/in_pcb.h and bsd/sys/socketvar.h in Apple's xnu.
// The code is built everywhere, since its test is.
const (
	kindSocket   = 0x001 // XSO_SOCKET: struct xsocket_n
	kindInternet = 0x010 // XSO_INPCB: struct xinpcb_n

	socketAddress = 8 // xso_so; 0 when no program holds the socket any more
	socketUID     = 64

	internetRemotePort = 16
	internetLocalPort  = 18
	internetVersion    = 44 // inp_vflag: 1 for IPv4, 2 for IPv6
	internetRemote     = 48
	internetLocal      = 64
	internetV4         = 12 // of an IPv4 address in the 16 bytes of either
)

// findInList returns the user of the socket whose own address is theirs and whose other end is
// ours. A socket without a program is not found, since its owner reads as root.
func findInList(b []byte, ours, theirs netip.AddrPort) (uid uint32, ok bool) {
	native := binary.NativeEndian
	if len(b) < 4 {
		return 0, false
	}
	matches := false
	for b = skip(b, int(native.Uint32(b))); len(b) >= 8; {
		size, kind := int(native.Uint32(b)), native.Uint32(b[4:])
		if size < 8 || size > len(b) {
			return 0, false
		}
		record := b[:size]
		switch {
		case kind == kindInternet:
			matches = internetMatches(record, ours, theirs)
		case kind == kindSocket && matches && size >= socketUID+4:
			return native.Uint32(record[socketUID:]), native.Uint64(record[socketAddress:]) != 0
		}
		b = skip(b, size)
	}
	return 0, false
}

// skip returns the bytes after size bytes and their padding.
func skip(b []byte, size int) []byte {
	size = (size + 7) &^ 7
	if size < 0 || size > len(b) {
		return nil
	}
	return b[size:]
}

func internetMatches(b []byte, ours, theirs netip.AddrPort) bool {
	if len(b) < internetLocal+16 {
		return false
	}
	return listAddress(b, internetLocal, internetLocalPort) == theirs &&
		listAddress(b, internetRemote, internetRemotePort) == ours
}

func listAddress(b []byte, at, port int) netip.AddrPort {
	var a netip.Addr
	if b[internetVersion]&1 != 0 {
		a, _ = netip.AddrFromSlice(b[at+internetV4 : at+16])
	} else {
		a, _ = netip.AddrFromSlice(b[at : at+16])
	}
	return netip.AddrPortFrom(a.Unmap(), binary.BigEndian.Uint16(b[port:]))
}
