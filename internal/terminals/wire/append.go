package wire

import (
	"github.com/segmentio/encoding/json"

	"ui-mcp/internal/fault"
)

// Append appends a value of this package as encoding/json would encode it, in a fraction of the
// time: screens are read often. The library, which the SDK of MCP needs anyway, does not know the
// option omitzero.
func Append(b []byte, v any) []byte {
	return fault.Must(json.Append(b, v, json.EscapeHTML|json.SortMapKeys)) // the types can be encoded
}

// AppendJSON is [Append] for interfaces that have values of any type.
func (s *Screen) AppendJSON(b []byte) []byte { return Append(b, s) }

// AppendJSON is [Append] for interfaces that have values of any type.
func (c *Changes) AppendJSON(b []byte) []byte { return Append(b, c) }

// AppendMembers appends the members of an event's object, "event" included, without its braces.
func AppendMembers(b []byte, e Event) []byte {
	start := len(b)
	b = Append(b, e)
	copy(b[start:], b[start+1:])
	return b[:len(b)-2]
}
