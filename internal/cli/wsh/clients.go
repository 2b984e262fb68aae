package wsh

import (
	"fmt"
	"slices"
	"strings"

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
