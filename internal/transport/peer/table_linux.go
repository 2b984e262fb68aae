package peer

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"
)

// search reads the table of sockets in /proc/net. A program that uses IPv6 for an IPv4 address is
// in the other file, so both are read.
func search(ours, theirs netip.AddrPort) (socket, error) {
	var first error
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		s, err := searchFile(name, ours, theirs)
		if err == nil {
			return s, nil
		}
		if first == nil || first == errNotFound {
			first = err
		}
	}
	return socket{}, first
}

func searchFile(name string, ours, theirs netip.AddrPort) (socket, error) {
	f, err := os.Open(name)
	if err != nil {
		return socket{}, err
	}
	defer f.Close()
	return searchTable(f, ours, theirs)
}

// searchTable looks for the socket whose own address is theirs and whose other end is ours, in the
// format of /proc/net/tcp (see proc(5)). Lines that are not as expected are passed over.
func searchTable(r io.Reader, ours, theirs netip.AddrPort) (socket, error) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		const local, remote, uid, inode = 1, 2, 7, 9
		if len(fields) <= inode {
			continue
		}
		if a, ok := tableAddress(fields[local]); !ok || a != theirs {
			continue
		}
		if a, ok := tableAddress(fields[remote]); !ok || a != ours {
			continue
		}
		u, err1 := strconv.ParseUint(fields[uid], 10, 32)
		i, err2 := strconv.ParseUint(fields[inode], 10, 32)
		if err1 == nil && err2 == nil {
			return socket{uint32(u), uint32(i)}, nil
		}
	}
	if err := lines.Err(); err != nil {
		return socket{}, err
	}
	return socket{}, errNotFound
}

// tableAddress parses an address and port such as 0100007F:1F90. The address is written as 32-bit
// words in the order of the machine's bytes, the port as a number.
func tableAddress(s string) (netip.AddrPort, bool) {
	host, port, ok := strings.Cut(s, ":")
	if !ok || len(host) != 8 && len(host) != 32 {
		return netip.AddrPort{}, false
	}
	b, err := hex.DecodeString(host)
	if err != nil {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(b); i += 4 {
		binary.NativeEndian.PutUint32(b[i:], binary.BigEndian.Uint32(b[i:]))
	}
	p, err := strconv.ParseUint(port, 16, 16)
	if err != nil {
		return netip.AddrPort{}, false
	}
	a, _ := netip.AddrFromSlice(b)
	return netip.AddrPortFrom(a.Unmap(), uint16(p)), true
}
