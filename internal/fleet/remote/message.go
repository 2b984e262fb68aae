package remote

import (
	"encoding/json"
	"regexp"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

// An opening is the first message of the host that opens a stream.
type opening struct {
	Op string          `json:"op"` // name of the operation
	By claim           `json:"by"`
	In json.RawMessage `json:"in"`
}

// A claim is the grant of the program or person on whose behalf a host asks. The other host never
// gives more than it has accepted of the host itself. Tokens of a host mean nothing elsewhere, and
// do not cross.
type claim struct {
	Rights      terminals.Right `json:"rights"`
	Sessions    []string        `json:"sessions,omitzero"`
	Tags        []string        `json:"tags,omitzero"`
	Confirm     []string        `json:"confirm,omitempty"`
	Dependent   bool            `json:"dependent,omitempty"`
	Kind        term.SenderKind `json:"kind,omitempty"`
	Name        string          `json:"name,omitempty"`
	Client      string          `json:"client,omitempty"`
	MaxSessions int             `json:"max_sessions,omitempty"`
}

func newClaim(by terminals.Grant) claim {
	c := claim{Rights: by.Rights, Sessions: by.Sessions, Tags: by.Tags, Dependent: by.Dependent, Kind: by.From.Kind, Name: by.From.Name, Client: by.Client, MaxSessions: by.MaxSessions}
	for _, r := range slices.Concat(by.Confirm, by.OwnConfirm) {
		c.Confirm = append(c.Confirm, r.String())
	}
	return c
}

// within returns the grant of a claim from a host that may do what limit allows. It counts as a
// program: persons' input comes by [terminals.Attach].
func (c claim) within(limit terminals.Grant) (terminals.Grant, error) {
	g := limit
	g.Rights &= c.Rights
	g.Dependent = c.Dependent
	g.From = term.Sender{Name: c.Name, Peer: limit.From.Peer}
	switch c.Kind {
	case term.SenderMCP, term.SenderHTTP, term.SenderWebSocket, term.SenderApp:
		g.From.Kind = c.Kind
	case term.SenderRaw: // key by key, too
		g.From.Kind = term.SenderWebSocket
	}
	if limit.Guest { // it says what it likes of who is behind it
		on := safetext.Label(" on "+limit.From.Peer, maxSender/2)
		g.From.Name = safetext.Label(c.Name, maxSender-len(on)) + on
	}
	switch { // nobody else's sessions count as its own, and no other name begins a new count
	case limit.Client == "":
		g.Client = c.Client
	case c.Client != "" && limit.MaxSessions == 0:
		g.Client = safetext.Label(limit.Client+"/"+c.Client, maxSender)
	}
	if c.MaxSessions > 0 && (g.MaxSessions == 0 || c.MaxSessions < g.MaxSessions) {
		g.MaxSessions = c.MaxSessions
	}
	if c.Sessions != nil || c.Tags != nil {
		if limit.Sessions != nil || limit.Tags != nil {
			return terminals.Grant{}, fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "a token for some sessions cannot be used on a host that shows only some of its sessions"))
		}
		g.Sessions, g.Tags = c.Sessions, c.Tags
	}
	for _, text := range c.Confirm {
		r, err := regexp.Compile(text)
		if err != nil {
			return terminals.Grant{}, fault.Wrap(fault.Invalid, err, "confirm")
		}
		g.OwnConfirm = append(g.OwnConfirm, r)
	}
	return g, nil
}

// maxSender is how much is displayed of a sender's name, in bytes.
const maxSender = 128

// An outcome is the last message of a stream.
type outcome struct {
	Out   json.RawMessage `json:"out,omitempty"`
	Error *failure        `json:"error,omitempty"`
}

// The first bytes of the messages of a stream that delivers events, output or changes. The first
// message is a begun.
const (
	item     byte = 'i' // what the stream delivers
	renamed  byte = 'n' // the new name of the session
	detached byte = 'd' // the program has ended
	failed   byte = 'f' // a failure, instead of an item: there will be no more
)

// A begun names the session of a stream.
type begun struct {
	Name string `json:"name,omitempty"`
	ID   string `json:"id,omitempty"`
}

// A joining is the input of [terminals.Join] between hosts.
type joining struct {
	Session  string          `json:"session"`
	Kind     term.ClientKind `json:"kind,omitempty"`
	Name     string          `json:"name,omitempty"`
	Exact    bool            `json:"exact,omitempty"`
	ReadOnly bool            `json:"read_only,omitempty"`
}

// An attaching is the input of [terminals.Attach] between hosts: the first frame of a client, and
// how to serve it.
type attaching struct {
	Frame     byte   `json:"frame"`
	Content   []byte `json:"content"`
	Session   string `json:"session,omitempty"`
	Untrusted bool   `json:"untrusted,omitempty"`
	Prefix    string `json:"prefix,omitempty"`
}

// encode returns one of the types that cross as JSON.
func encode(v any) []byte {
	return fault.Must(json.Marshal(v)) // the program's own types can be encoded
}
