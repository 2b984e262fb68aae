package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getExtendedTCPTable = windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetExtendedTcpTable")

// lookup finds the process that has the socket, and whose process that is.
func lookup(ours, theirs netip.AddrPort, also []string) (Standing, error) {
	family := uint32(windows.AF_INET)
	if ours.Addr().Is6() {
		family = windows.AF_INET6
	}
	table, err := tcpTable(family)
	if err != nil {
		return Unknown, err
	}
	pid, ok := ownerInTable(table, ours, theirs)
	if !ok {
		return Unknown, errNotFound
	}
	return standing(pid, also)
}

// tcpTable is GetExtendedTcpTable's table of connections with their processes.
func tcpTable(family uint32) ([]byte, error) {
	const ownerPIDConnections = 4 // TCP_TABLE_OWNER_PID_CONNECTIONS
	size := uint32(64 << 10)
	for range 10 { // it may grow between two calls
		b := make([]byte, size)
		status, _, _ := getExtendedTCPTable.Call(uintptr(unsafe.Pointer(&b[0])), uintptr(unsafe.Pointer(&size)), 0,
			uintptr(family), ownerPIDConnections, 0)
		switch errno := windows.Errno(status); errno {
		case 0:
			return b, nil
		case windows.ERROR_INSUFFICIENT_BUFFER:
			size += 16 << 10
		default:
			return nil, fmt.Errorf("read the table of connections: %w", errno)
		}
	}
	return nil, errors.New("the table of connections grows faster than it can be read")
}

// ownerInTable returns the process of the socket whose own address is theirs. A socket without a
// process has the number 0.
func ownerInTable(b []byte, ours, theirs netip.AddrPort) (pid uint32, ok bool) {
	const v4Size, v6Size = 24, 56 // MIB_TCPROW_OWNER_PID, MIB_TCP6ROW_OWNER_PID
	if len(b) < 4 {
		return 0, false
	}
	n, b := int(binary.LittleEndian.Uint32(b)), b[4:]
	for range n {
		var local, remote netip.AddrPort
		if ours.Addr().Is4() {
			if len(b) < v4Size {
				return 0, false
			}
			local, remote = row(b[4:8], b[8:10]), row(b[12:16], b[16:18])
			pid, b = binary.LittleEndian.Uint32(b[20:]), b[v4Size:]
		} else {
			if len(b) < v6Size {
				return 0, false
			}
			local, remote = row(b[:16], b[20:22]), row(b[24:40], b[44:46])
			pid, b = binary.LittleEndian.Uint32(b[52:]), b[v6Size:]
		}
		if local == theirs && remote == ours {
			return pid, pid != 0
		}
	}
	return 0, false
}

func row(address, port []byte) netip.AddrPort {
	a, _ := netip.AddrFromSlice(address)
	return netip.AddrPortFrom(a, binary.BigEndian.Uint16(port))
}

// standing compares the user of a process with ours. The processes of others cannot be opened,
// those of the system and of administrators can only by administrators.
func standing(pid uint32, also []string) (Standing, error) {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return Foreign, nil
	}
	if err != nil {
		return Unknown, fmt.Errorf("open the process at the other end: %w", err)
	}
	defer windows.CloseHandle(process)
	var token windows.Token
	err = windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return Foreign, nil
	}
	if err != nil {
		return Unknown, fmt.Errorf("open the token of the process at the other end: %w", err)
	}
	defer token.Close()
	theirs, err := token.GetTokenUser()
	if err != nil {
		return Unknown, fmt.Errorf("find the user of the process at the other end: %w", err)
	}
	ours, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return Unknown, fmt.Errorf("find our own user: %w", err)
	}
	if windows.EqualSid(theirs.User.Sid, ours.User.Sid) || theirs.User.Sid.IsWellKnown(windows.WinLocalSystemSid) || slices.Contains(also, theirs.User.Sid.String()) {
		return Own, nil
	}
	return Foreign, nil
}
