// Package socketwire has the messages of attached terminals: a type, and JSON or bytes. Each is a
// binary message of a WebSocket. Server and client use it. It knows nothing of what they mean.
package socketwire

import (
	"encoding/json"

	"ui-mcp/internal/fault"
)

// A Kind is the type of a frame.
type Kind byte

const (
	CreateSession         Kind = 0x01
	CreateSessionResponse Kind = 0x02
	AttachSession         Kind = 0x03
	AttachSessionResponse Kind = 0x04
	Detach                Kind = 0x05
	Resize                Kind = 0x06
	Failed                Kind = 0x07
	PtyOutput             Kind = 0x10
	StdinInput            Kind = 0x11
	Ping                  Kind = 0x14
	Pong                  Kind = 0x15
	// Drawn says that the client has drawn all of one PtyOutput. Only clients that have said so in
	// their request send it. {"hidden":true} says that no person can see it, as in a page behind
	// others.
	Drawn Kind = 0x1a
	// LookBack says that the person looks back: see [term.Viewer.LookBack]. Its content is keys to
	// type there.
	LookBack Kind = 0x1b
	// Prefix says that a key of the client's own waits for the next one, and its content which key;
	// without content, none does any more. See [term.Viewer.Prefix].
	Prefix Kind = 0x1c
	// Lead makes the client the leader, as if the person had typed: see [term.Viewer.Lead].
	Lead Kind = 0x1d
	// Typed says how many bytes of StdinInput the server has handled since the connection began, as
	// {"bytes":N}. Only clients that have asked for it get it.
	Typed Kind = 0x1e
	// ToggleAgent shows or hides the row for what agents do: see [term.Viewer.ToggleAgent].
	ToggleAgent Kind = 0x1f
	// Question carries a message about questions, in both directions, for clients that have asked
	// for them: see package [ui-mcp/internal/popup/wire].
	Question Kind = 0x20
)

// MaxSize is the length limit of a frame's content, in bytes.
const MaxSize = 16 << 20

// A Frame is a message. Its content is JSON or bytes.
type Frame struct {
	Kind    Kind
	Content []byte
}

// An End is the content of the server's Detach.
type End struct {
	Reason string `json:"reason"` // one of the constants below
	// Name is the present name of the session, if it has one.
	Name string `json:"name,omitempty"`
	// Code and Signal say how the program has ended: its exit status, or 128 and the number of the
	// signal with that name.
	Code   int    `json:"code"`
	Signal string `json:"signal,omitempty"`
}

// Reasons of an End.
const (
	Exited   = "exited"   // the program has ended
	Removed  = "removed"  // the session was removed
	Detached = "detached" // the program runs on
	Stopping = "stopping" // the server is stopping
)

// Decode reads the content as JSON. No content is an empty object.
func (f Frame) Decode(v any) error {
	if len(f.Content) == 0 {
		return nil
	}
	return fault.Wrap(fault.Invalid, json.Unmarshal(f.Content, v), "frame %02x is malformed", byte(f.Kind))
}

// Parse returns the frame in a message.
func Parse(message []byte) (Frame, error) {
	if len(message) == 0 {
		return Frame{}, fault.New(fault.Invalid, "a frame is a binary message: its first byte is the type")
	}
	return Frame{Kind(message[0]), message[1:]}, nil
}

// Message returns the message with a frame.
func (f Frame) Message() []byte {
	return append(append(make([]byte, 0, 1+len(f.Content)), byte(f.Kind)), f.Content...)
}
