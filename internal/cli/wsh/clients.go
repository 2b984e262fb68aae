package wsh

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals/wire"
)

func (e env) printClients(sessions []wire.Session) error {
	var t table
	for _, s := range sessions {
		for _, c := range s.Attached {
			size := "-"
			if c.Rows > 0 {
				size = fmt.Sprintf("%dx%d", c.Cols, c.Rows)
			}
			t.add(s.Name, c.Name, c.Kind, size, "for "+ago(c.AttachedMS), describeClient(s, c))
		}
	}
	return t.print(e.Out)
}

// personsAt returns how many terminals of persons are attached to a session. Programs that only
// follow it, as pages do with all that they list, are no such.
func personsAt(s wire.Session) (n int) {
	for _, c := range s.Attached {
		if c.Kind != string(term.ClientWebSocket) && c.Kind != string(term.ClientRaw) {
			n++
		}
	}
	return n
}

// describeClient says what a client may do, and whether it leads.
func describeClient(s wire.Session, c wire.Client) string {
	var parts []string
	if s.Leader != nil && *s.Leader == c.Name {
		parts = append(parts, "leads")
	}
	switch {
	case !canType(c):
		parts = append(parts, "only looks")
	case c.LastTypedMS != nil:
		parts = append(parts, "typed "+ago(*c.LastTypedMS)+" ago")
	}
	return strings.Join(parts, ", ")
}

func canType(c wire.Client) bool { return slices.Contains(c.Rights, "type") }

// ago is a duration for people, in its largest unit.
func ago(ms int64) string {
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
