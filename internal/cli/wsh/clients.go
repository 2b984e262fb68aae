package wsh

import (
	"fmt"
	"slices"
	"strings"

	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/terminals/wire"
)

func printClients(e caller.Env, sessions []wire.Session) error {
	var t caller.Table
	for _, s := range sessions {
		for _, c := range s.Attached {
			size := "-"
			if c.Rows > 0 {
				size = fmt.Sprintf("%dx%d", c.Cols, c.Rows)
			}
			t.Add(s.Name, c.Name, c.Kind, size, "for "+caller.Ago(c.AttachedMS), describeClient(s, c))
		}
	}
	return t.Print(e.Out)
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
		parts = append(parts, "typed "+caller.Ago(*c.LastTypedMS)+" ago")
	}
	return strings.Join(parts, ", ")
}

func canType(c wire.Client) bool { return slices.Contains(c.Rights, "type") }
