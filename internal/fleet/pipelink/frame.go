package pipelink

import (
	"bufio"
	"encoding/binary"
	"io"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet/remote"
)

// maxFrame is the length limit of a frame, in bytes, after its length.
const maxFrame = 2 + remote.MaxNumber + remote.MaxData

// appendFrame appends a message: the length of the rest as a varint; its kind; the length of its
// stream's number, and that number; its data.
func appendFrame(b []byte, m remote.Message) []byte {
	b = binary.AppendUvarint(b, uint64(2+len(m.Stream)+len(m.Data)))
	b = append(b, byte(m.Kind), byte(len(m.Stream)))
	b = append(b, m.Stream...)
	return append(b, m.Data...)
}

// readFrame reads a message. An error of kind Invalid means that the other end does not follow the
// rules; others are of the connection.
func readFrame(r *bufio.Reader) (remote.Message, error) {
	var m remote.Message
	n, err := binary.ReadUvarint(r)
	switch {
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF && n > 0:
		return m, fault.New(fault.Invalid, "a frame's length is malformed")
	case err != nil:
		return m, err
	case n < 2 || n > maxFrame:
		return m, fault.New(fault.Invalid, "a frame of %d bytes is malformed: it has 2 to %d", n, maxFrame)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return m, unexpected(err)
	}
	number := int(b[1])
	if number > remote.MaxNumber || 2+number > len(b) || len(b)-2-number > remote.MaxData {
		return m, fault.New(fault.Invalid, "a frame is malformed: its stream has a number of %d bytes", number)
	}
	return remote.Message{Kind: remote.Kind(b[0]), Stream: string(b[2 : 2+number]), Data: b[2+number:]}, nil
}
