package stream

import (
	"encoding/binary"

	"ui-mcp/internal/fault"
)

// A packet is what crosses the network: a byte for its kind and flags; numbers as varints; and, of
// a message, its bytes.
type packet struct {
	kind    kind
	missing bool   // the sender lacks message ack+1 and has a later one
	ack     uint64 // number of the last message that the sender has
	allowed uint64 // up to which number of bytes the sender takes messages
	number  uint64 // of the message, from 1
	data    []byte
}

// missingFlag is the bit of the first byte for packet.missing.
const missingFlag = 0x80

func (p packet) append(b []byte) []byte {
	first := byte(p.kind)
	if p.missing {
		first |= missingFlag
	}
	b = append(b, first)
	b = binary.AppendUvarint(b, p.ack)
	b = binary.AppendUvarint(b, p.allowed)
	if p.kind == status {
		return b
	}
	return append(binary.AppendUvarint(b, p.number), p.data...)
}

// parse reads a packet. Its data is a part of b.
func parse(b []byte) (packet, error) {
	var p packet
	malformed := fault.New(fault.Invalid, "this is no packet of a stream")
	if len(b) == 0 {
		return p, malformed
	}
	p.kind, p.missing = kind(b[0]&^missingFlag), b[0]&missingFlag != 0
	if p.kind > end {
		return p, malformed
	}
	b = b[1:]
	numbers := []*uint64{&p.ack, &p.allowed, &p.number}
	if p.kind == status {
		numbers = numbers[:2]
	}
	for _, number := range numbers {
		n := 0
		if *number, n = binary.Uvarint(b); n <= 0 {
			return p, malformed
		}
		b = b[n:]
	}
	if p.kind == status && len(b) > 0 || len(b) > MaxMessage {
		return p, malformed
	}
	p.data = b
	return p, nil
}
