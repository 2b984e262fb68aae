package terminals

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/label"
)

// A Right allows a class of operations. Rights are bits and can be combined.
type Right uint8

const (
	Read       Right = 1 << iota // see sessions and their screens
	Type                         // send input, resize, run commands
	Draw                         // overlays, panels, capture and focus
	Manage                       // create, remove, rename and tag sessions; detach clients
	Administer                   // the server itself
	Answer                       // see the questions to the host's person, and reply as that person

	AllRights = Read | Type | Draw | Manage | Administer | Answer

	// whole are the rights that concern the whole server.
	whole = Administer | Answer
)

// rightNames are the names of the rights, the lowest bit first.
var rightNames = [...]string{"read", "type", "draw", "manage", "administer", "answer"}

func (r Right) String() string { return strings.Join(r.names(), ", ") }

func (r Right) names() []string {
	var names []string
	for i, name := range rightNames {
		if r&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// A Grant is what a caller may do. The zero Grant allows nothing.
type Grant struct {
	Rights Right
	// Sessions and Tags limit the grant to sessions of these names, or with one of these tags.
	// Without either, it covers all sessions. Other sessions do not exist for the caller. Both are
	// of this host, unless the name of another one precedes them: see [Grant.On]. A limited grant
	// does not allow to administer the server or to answer questions.
	Sessions, Tags []string
	// Confirm match the lines that the caller may enter only if a person allows them, and the
	// commands with which it may start sessions so: see [term.Confirmation]. What persons type at
	// attached terminals is not judged. The caller itself does not get
	// the question.
	Confirm []*regexp.Regexp
	// OwnConfirm match more of them, which another server has held back for the caller: its person
	// may allow them there.
	OwnConfirm []*regexp.Regexp
	// Token is the ID of the token that gives the grant, or "": see [Tokens].
	Token string
	// Dependent says that the sessions that the caller creates need not outlive it: see
	// [registry.CreateOptions].
	Dependent bool
	// From says who the caller is, for the ledger of what was typed.
	From core.Sender
	// Guest says that the caller is on another host of a hub, which learns nothing of the servers
	// that this one knows.
	Guest bool
	// Client names the caller's program, or for a guest its host, by its key; MaxSessions is how
	// many of the sessions that it has created may run at once; 0 means no limit.
	Client      string
	MaxSessions int
}

// Everything is the grant of the server's owner.
var Everything = Grant{Rights: AllRights}

// Confirmed returns the grant with more lines that a person must allow; nil adds none.
func (g Grant) Confirmed(lines *regexp.Regexp) Grant {
	if lines != nil {
		g.Confirm = append(slices.Clip(g.Confirm), lines)
	}
	return g
}

// mayCapture reports whether the caller may capture what persons type.
func (g Grant) mayCapture() bool { return g.Check(&CaptureInput.Operation) == nil }

// Caller identifies who was admitted: each host of a hub, each
// token, and "", the owner of this server. It does not depend on what the caller says.
func (g Grant) Caller() string {
	switch {
	case g.Guest:
		key, _, _ := strings.Cut(g.Client, "/") // what follows is what the host says of its own callers
		return "host " + key
	case g.Token != "":
		return "token " + g.Token
	}
	return ""
}

// maxGuestName is how much of a guest's own name for a client is kept, in bytes, so that a number
// behind it cuts nothing of the host.
const maxGuestName = label.MaxName/2 - 4

// clientName returns the name of a client that the caller calls like that: a guest's also says on
// which host it is, in what the guest cannot choose.
func (g Grant) clientName(name string, kind clients.Kind) string {
	if !g.Guest {
		return name
	}
	host := safetext.Name(g.From.Peer, label.MaxName/2-1, func(c rune) bool {
		return c == '.' || c == '-' || c == '_' || c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
	})
	return safetext.Cut(cmp.Or(name, string(kind), string(clients.KindAttach)), maxGuestName) + "@" + host
}

// covers reports whether the grant extends to a session of that name with those tags.
func (g Grant) covers(name string, tags []string) bool {
	return g.scope().Covers(name, tags)
}

// scope returns the sessions to which the grant extends.
func (g Grant) scope() *label.Scope {
	if g.Sessions == nil && g.Tags == nil {
		return nil
	}
	return &label.Scope{Names: g.Sessions, Tags: g.Tags}
}

// Check returns an error if the grant lacks a right that an operation needs. It does not know which
// sessions the operation concerns.
func (g Grant) Check(o *Operation) error {
	if g.Rights&o.Right == o.Right {
		if o.Right&whole != 0 && (g.Sessions != nil || g.Tags != nil) {
			return fault.With(NotAllowed, fault.New(fault.Precondition, "%s needs rights to the whole server, and its owner has given you some sessions only", o.Name))
		}
		return nil
	}
	return fault.With(NotAllowed, fault.New(fault.Precondition, "%s needs the right to %s: ask the server's owner for it", o.Name, o.Right))
}

// On returns the grant as another host must get it, whose sessions are called HOST/SESSION here: of
// a limited grant, what it names there, as HOST/SESSION and HOST/TAG. It reports false if that is
// nothing.
func (g Grant) On(host string) (Grant, bool) {
	if g.Sessions == nil && g.Tags == nil {
		return g, true
	}
	there := func(list []string) (out []string) {
		for _, item := range list {
			if on, name, _ := strings.Cut(item, "/"); strings.EqualFold(on, host) && name != "" {
				out = append(out, name)
			}
		}
		return out
	}
	g.Sessions, g.Tags = there(g.Sessions), there(g.Tags)
	return g, g.Sessions != nil || g.Tags != nil
}

// replaceTags returns the tags that an ended session of that name needs for the caller to replace
// it; nil allows every one.
func (g Grant) replaceTags(name string) []string {
	if g.covers(name, nil) {
		return nil
	}
	return append([]string{}, g.Tags...)
}
