package attachedterm

import (
	"encoding/binary"
	"net"

	"ui-mcp/internal/listen"
)

// firstOfHTTP is the first byte that a request of HTTP can begin with. The types of frames, with
// which older clients begin, are below.
const firstOfHTTP = '0'

// olderWire answers an older client, which then says how the versions differ.
const olderWire = `{"code":"protocol","message":"the server has another version than this command, and is attached to in another way: update this wsh","protocol":2}`

// RefuseOlder returns a listener of a Unix socket that refuses clients up to version 0.2, which
// attached terminals in frames of a type, a length and content, in words that those print.
func RefuseOlder(l net.Listener) net.Listener {
	answer := binary.BigEndian.AppendUint32([]byte{0x07}, uint32(len(olderWire)))
	return listen.Refuse(l, firstOfHTTP, append(answer, olderWire...))
}
