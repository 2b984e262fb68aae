package caller

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/term/clients"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

func SessionsOf(ctx context.Context, r *Remote) ([]wire.Session, error) {
	return terminals.ListSessions.Do(ctx, r, terminals.Everything, terminals.SessionFilter{})
}

// OfHere returns the sessions that are not on another server.
func OfHere(list []wire.Session) (own []wire.Session) {
	for _, s := range list {
		if wire.HostOf(s.Name) == "" {
			own = append(own, s)
		}
	}
	return own
}

func SharesTag(s wire.Session, tags []TagName) bool {
	for _, tag := range tags {
		if host, rest, ok := strings.Cut(string(tag), "/"); ok {
			if !strings.EqualFold(host, wire.HostOf(s.Name)) {
				continue
			}
			tag = TagName(rest)
		}
		if slices.Contains(s.Tags, string(tag)) {
			return true
		}
	}
	return false
}

// StateOf is a session's state in a word or two.
func StateOf(s wire.Session) string {
	switch {
	case s.Agent != nil:
		return s.Agent.String()
	case s.Exit == nil:
		return s.State
	case s.Exit.Signal != "":
		return "ended " + s.Exit.Signal
	}
	return fmt.Sprintf("ended %d", s.Exit.Code)
}

// Ago is a duration for people, in its largest unit.
func Ago(ms int64) string {
	switch d := time.Duration(ms) * time.Millisecond; {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd", int(d.Hours()/24))
	}
}

// PersonsAt returns how many terminals of persons are attached to a session. Programs that only
// follow it, as pages do with all that they list, are no such.
func PersonsAt(s wire.Session) (n int) {
	for _, c := range s.Attached {
		if c.Kind != string(clients.KindWebSocket) && c.Kind != string(clients.KindRaw) {
			n++
		}
	}
	return n
}

func TagsOf(s wire.Session) string {
	if len(s.Tags) == 0 {
		return ""
	}
	return "[" + strings.Join(s.Tags, " ") + "]"
}
