package mcpui

import (
	"fmt"
	"strings"

	"ui-mcp/internal/ui/problem"
)

func lines(list []problem.Problem) string {
	var b strings.Builder
	for i, p := range list {
		if i == problem.PerResult {
			fmt.Fprintf(&b, "\n… and %d more", len(list)-i)
			break
		}
		b.WriteString("\n" + p.String())
		if p.Trace != "" && i == 0 {
			b.WriteString("\n\t" + p.Trace)
		}
	}
	return b.String()
}
