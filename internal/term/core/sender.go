package core

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/keys"
)

// A Sender is who types into a session. Programs choose their names themselves.
type Sender struct {
	Kind  SenderKind
	Name  string // of the program, or of an attached client
	Peer  string // the address from which a program has connected, or ""
	Token string // ID of the token that it has used, or ""
}

// clone returns the sender without what its names were cut from, such as a request.
func (s Sender) clone() Sender {
	return Sender{s.Kind, strings.Clone(s.Name), strings.Clone(s.Peer), strings.Clone(s.Token)}
}

// A SenderKind says through what the sender types.
type SenderKind string

const (
	SenderMCP       SenderKind = "mcp"
	SenderHTTP      SenderKind = "http"
	SenderWebSocket SenderKind = "websocket"
	SenderRaw       SenderKind = "raw"      // a WebSocket of bytes
	SenderAttach    SenderKind = "attach"   // a person's terminal
	SenderApp       SenderKind = "app"      // a script of a live app
	SenderQuestion  SenderKind = "question" // a person who was asked: see [Reply]
)

// joins returns how long after input of such a sender more of it counts as the same input: what
// comes key by key would otherwise displace everything else.
func (k SenderKind) joins() time.Duration {
	switch k {
	case SenderAttach:
		return 5 * time.Second
	case SenderRaw, SenderWebSocket:
		return time.Second
	}
	return 0
}

// isPerson reports whether a person types through this, key by key.
func (k SenderKind) isPerson() bool { return k == SenderAttach || k == SenderRaw }

// Describe says who a sender is, for persons.
func (from Sender) Describe() string {
	name := cmp.Or(from.Name, "a program")
	switch from.Kind {
	case SenderMCP:
		return name + " (MCP)"
	case SenderHTTP:
		if name == "wsh" {
			return "the command wsh" // persons use it without knowing how it reaches the server
		}
		return name + " (HTTP)"
	case SenderWebSocket, SenderRaw:
		return name + " (WebSocket)"
	case SenderApp:
		return name + " (app)"
	}
	return name
}

// An InputKind says what was typed.
type InputKind string

const (
	InputText   InputKind = "text"   // bytes as they are
	InputKeys   InputKind = "keys"   // keys by name
	InputPaste  InputKind = "paste"  // pasted text
	InputMouse  InputKind = "mouse"  // a mouse event
	InputLine   InputKind = "line"   // a command line, of a [Run]
	InputSignal InputKind = "signal" // no input, but a signal by name
)

// Typed is an entry of a session's ledger: input of one sender.
type Typed struct {
	Seq  uint64 // its number, from 1; gaps are entries that were dropped
	At   time.Time
	From Sender
	Kind InputKind
	// Text is what was typed, at most 4 KiB of it (then Cut is set). It is "" if it is Secret, and
	// for what a person typed on an attached terminal.
	Text   string
	Cut    bool
	Count  int // of keys, or of characters; an answer to a question counts as one
	Secret bool
}

// Describe says what is typed, for persons. Characters that cannot be seen are named.
func (t *Typed) Describe() string {
	switch {
	case t.Secret:
		return fmt.Sprintf("a secret of %d characters", t.Count)
	case t.Kind == InputKeys, t.Kind == InputMouse, t.Kind == InputSignal:
		return string(t.Kind) + " " + safetext.Visible(t.Text)
	}
	return safetext.Visible(t.Text)
}

// CountKeys returns how many keys typed bytes are: characters, and sequences that keys send.
func CountKeys(b []byte) (n int) {
	for ; len(b) > 0; n++ {
		size, _ := keys.Next(b)
		b = b[size:]
	}
	return n
}
