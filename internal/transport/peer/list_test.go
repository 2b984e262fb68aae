package peer

import (
	"encoding/binary"
	"net/netip"
	"testing"
)

// appendSocket appends the records of one socket to a list.
func appendSocket(list []byte, local, remote netip.AddrPort, uid uint32, address uint64) []byte {
	pcb := make([]byte, 104)
	pcb[internetVersion] = 2
	at := 0
	if local.Addr().Is4() {
		pcb[internetVersion] = 1
		at = internetV4
	}
	binary.BigEndian.PutUint16(pcb[internetLocalPort:], local.Port())
	binary.BigEndian.PutUint16(pcb[internetRemotePort:], remote.Port())
	copy(pcb[internetLocal+at:], local.Addr().AsSlice())
	copy(pcb[internetRemote+at:], remote.Addr().AsSlice())
	so := make([]byte, 76) // not a multiple of 8, so it is padded
	binary.NativeEndian.PutUint64(so[socketAddress:], address)
	binary.NativeEndian.PutUint32(so[socketUID:], uid)
	list = appendRecord(list, kindInternet, pcb)
	list = appendRecord(list, kindSocket, so)
	return appendRecord(list, 0x002, make([]byte, 32))
}

func appendRecord(list []byte, kind uint32, record []byte) []byte {
	binary.NativeEndian.PutUint32(record, uint32(len(record)))
	binary.NativeEndian.PutUint32(record[4:], kind)
	list = append(list, record...)
	for len(list)%8 != 0 {
		list = append(list, 0)
	}
	return list
}

func TestFindInList(t *testing.T) {
	server, client := netip.MustParseAddrPort("127.0.0.1:8000"), netip.MustParseAddrPort("127.0.0.1:50000")
	server6, client6 := netip.MustParseAddrPort("[::1]:8000"), netip.MustParseAddrPort("[::1]:50000")
	closed := netip.MustParseAddrPort("127.0.0.1:50001")
	list := make([]byte, 24)
	binary.NativeEndian.PutUint32(list, 24)
	list = appendSocket(list, server, client, 501, 1)
	list = appendSocket(list, client, server, 502, 1)
	list = appendSocket(list, client6, server6, 503, 1)
	list = appendSocket(list, closed, server, 0, 0)
	for _, tt := range []struct {
		name         string
		ours, theirs netip.AddrPort
		uid          uint32
		ok           bool
	}{
		{"the client's end", server, client, 502, true},
		{"the server's end", client, server, 501, true},
		{"IPv6", server6, client6, 503, true},
		{"without a program", server, closed, 0, false},
		{"not in the list", server, netip.MustParseAddrPort("127.0.0.1:50002"), 0, false},
	} {
		if uid, ok := findInList(list, tt.ours, tt.theirs); uid != tt.uid || ok != tt.ok {
			t.Errorf("%s: %d, %t, want %d, %t", tt.name, uid, ok, tt.uid, tt.ok)
		}
	}
}

func FuzzFindInList(f *testing.F) {
	server, client := netip.MustParseAddrPort("127.0.0.1:8000"), netip.MustParseAddrPort("127.0.0.1:50000")
	header := make([]byte, 24)
	binary.NativeEndian.PutUint32(header, 24)
	list := appendSocket(header, client, server, 7, 1)
	f.Add(list)
	f.Add(list[:60])
	f.Fuzz(func(t *testing.T, b []byte) {
		// A list is found in, or not, wherever it is cut off.
		if _, ok := findInList(b, server, client); ok && len(b) < 24 {
			t.Error("found in a list without room for it")
		}
	})
}
