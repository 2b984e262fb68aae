package gate

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"regexp/syntax"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
)

// claimHeader has, in a request from another host, on whose behalf that makes it.
const claimHeader = "Wsh-Claim"

const (
	maxClaim    = 24 << 10 // bytes of the header
	maxNames    = 64       // of sessions, and of tags
	maxPatterns = 4
	maxPattern  = 1000 // bytes
	maxNodes    = 4000 // of the programs of all patterns
	maxClaimant = 128  // bytes of a sender's name that are displayed
)

// A claim is the grant of the program or person on whose behalf a host asks. It only narrows what
// the host may do. Tokens of a host mean nothing elsewhere, and do not cross.
type claim struct {
	Rights      terminals.Right `json:"rights"`
	Sessions    []string        `json:"sessions,omitzero"`
	Tags        []string        `json:"tags,omitzero"`
	Confirm     []string        `json:"confirm,omitempty"`
	Dependent   bool            `json:"dependent,omitempty"`
	Kind        core.SenderKind `json:"kind,omitempty"`
	Name        string          `json:"name,omitempty"`
	Client      string          `json:"client,omitempty"`
	MaxSessions int             `json:"max_sessions,omitempty"`
}

// Claim returns the header of requests to another host on behalf of a caller. Its error says what
// of the grant cannot cross.
func Claim(by terminals.Grant) (name, value string, err error) {
	c := claim{Rights: by.Rights, Sessions: by.Sessions, Tags: by.Tags, Dependent: by.Dependent, Kind: by.From.Kind, Name: safetext.Cut(by.From.Name, maxClaimant), Client: safetext.Cut(by.Client, maxClaimant), MaxSessions: by.MaxSessions}
	for _, r := range slices.Concat(by.Confirm, by.OwnConfirm) {
		c.Confirm = append(c.Confirm, r.String())
	}
	if err := c.check(); err != nil {
		return "", "", err
	}
	value = base64.RawURLEncoding.EncodeToString(fault.Must(json.Marshal(c))) // texts and numbers
	if len(value) > maxClaim {
		return "", "", tooLong("these rights take more than %d bytes", maxClaim)
	}
	return claimHeader, value, nil
}

func tooLong(format string, args ...any) error {
	return fault.With(terminals.NotAllowed, fault.New(fault.Precondition, "rights on another host must be short: "+format, args...))
}

// check returns an error for a claim that takes too much to keep to.
func (c *claim) check() error {
	if len(c.Sessions) > maxNames || len(c.Tags) > maxNames {
		return tooLong("they name at most %d sessions, and as many tags", maxNames)
	}
	if len(c.Confirm) > maxPatterns {
		return tooLong("at most %d patterns of lines need a permission", maxPatterns)
	}
	nodes := 0
	for _, text := range c.Confirm {
		if len(text) > maxPattern {
			return tooLong("a pattern has at most %d bytes", maxPattern)
		}
		tree, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			return fault.Wrap(fault.Invalid, err, "confirm")
		}
		nodes = min(nodes+size(tree), maxNodes+1)
	}
	if nodes > maxNodes {
		return tooLong("the patterns of lines that need a permission become too large")
	}
	return nil
}

// size returns how large the program of a pattern is, up to more than maxNodes.
func size(tree *syntax.Regexp) int {
	n := 1 + len(tree.Rune)
	for _, sub := range tree.Sub {
		n = min(n+size(sub), maxNodes+1)
	}
	if tree.Op == syntax.OpRepeat {
		n *= max(tree.Min, tree.Max, 1)
	}
	return min(n, maxNodes+1)
}

// parseClaim reads a header.
func parseClaim(value string) (c claim, err error) {
	if len(value) > maxClaim {
		return c, fault.New(fault.Invalid, "%s is too long", claimHeader)
	}
	b, err := base64.RawURLEncoding.DecodeString(value)
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil || value == "" {
		return c, fault.New(fault.Invalid, "%s is missing or malformed: it says on whose behalf a host asks", claimHeader)
	}
	return c, c.check()
}

// within returns the grant of a claim from a host that may do what limit allows. It counts as a
// program's: persons' input comes from attached terminals.
func (c claim) within(limit terminals.Grant) (terminals.Grant, error) {
	g := limit
	g.Rights &= c.Rights
	g.Dependent = c.Dependent
	g.From = core.Sender{Kind: core.SenderHTTP, Name: c.Name, Peer: limit.From.Peer}
	switch c.Kind {
	case core.SenderMCP, core.SenderWebSocket, core.SenderApp:
		g.From.Kind = c.Kind
	case core.SenderRaw: // key by key, too
		g.From.Kind = core.SenderWebSocket
	}
	if limit.Guest { // it says what it likes of who is behind it
		on := " on " + safetext.Label(limit.From.Peer, maxClaimant/2) // as long as a name of a host can be
		g.From.Name = safetext.Label(c.Name, maxClaimant-len(on)) + on
	}
	switch { // nobody else's sessions count as its own, and no other name begins a new count
	case limit.Client == "":
		g.Client = c.Client
	case c.Client != "" && limit.MaxSessions == 0:
		g.Client = safetext.Label(limit.Client+"/"+c.Client, maxClaimant)
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
