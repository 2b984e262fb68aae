package remote

import (
	"encoding/json"
	"regexp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
)

// A call is what a caller sends: for whom, and the operation's input.
type call struct {
	By claim           `json:"by"`
	In json.RawMessage `json:"in"`
	// Reply is the number of the caller's end of a stream.
	Reply string `json:"reply,omitempty"`
}

// A claim is the grant of the program or person on whose behalf a host calls. The callee never gives
// more than it has accepted of the host itself.
type claim struct {
	Rights      terminals.Right `json:"rights"`
	Sessions    []string        `json:"sessions,omitempty"`
	Tags        []string        `json:"tags,omitempty"`
	Confirm     []string        `json:"confirm,omitempty"`
	Dependent   bool            `json:"dependent,omitempty"`
	Kind        term.SenderKind `json:"kind,omitempty"`
	Name        string          `json:"name,omitempty"`
	Client      string          `json:"client,omitempty"`
	MaxSessions int             `json:"max_sessions,omitempty"`
}

func newClaim(by terminals.Grant) claim {
	c := claim{Rights: by.Rights, Sessions: by.Sessions, Tags: by.Tags, Dependent: by.Dependent, Kind: by.From.Kind, Name: by.From.Name, Client: by.Client, MaxSessions: by.MaxSessions}
	for _, r := range by.Confirm {
		c.Confirm = append(c.Confirm, r.String())
	}
	return c
}

// within returns the grant of a claim from a host that may do what limit allows. A claim that is
// limited to sessions stays so: what both allow is what the host's limit allows, too.
func (c claim) within(limit terminals.Grant) (terminals.Grant, error) {
	g := limit
	g.Rights &= c.Rights
	g.Dependent = c.Dependent
	g.From = term.Sender{Kind: c.Kind, Name: c.Name, Peer: limit.From.Peer}
	g.Client = c.Client
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
		g = g.Confirmed(r)
	}
	return g, nil
}

// An outcome is what has become of a call.
type outcome struct {
	Out   json.RawMessage `json:"out,omitempty"`
	Error *failure        `json:"error,omitempty"`
}

// A failure is an error.
type failure struct {
	Kind   string       `json:"kind"`
	Detail fault.Detail `json:"detail,omitempty"`
	Text   string       `json:"text"`
}

// newFailure returns an error as it crosses, or nil for none.
func newFailure(err error) *failure {
	if err == nil {
		return nil
	}
	return &failure{fault.KindOf(err).String(), fault.DetailOf(err), err.Error()}
}

// error returns the error that has crossed.
func (f *failure) error() error {
	if f == nil {
		return nil
	}
	kind := fault.Internal
	for k := fault.Internal; k <= fault.Exhausted; k++ {
		if k.String() == f.Kind {
			kind = k
		}
	}
	err := fault.New(kind, "%s", f.Text)
	if f.Detail != "" {
		err = fault.With(f.Detail, err)
	}
	return err
}

// The first bytes of replies to a call.
const (
	waits = 'w' // the operation goes on
	part  = 'p' // a part of the outcome; more follow
	last  = 'l' // the rest of the outcome
)

// partSize is the length of a part, in bytes. NATS servers carry messages of 1 MiB unless told
// otherwise.
const partSize = 512 << 10
