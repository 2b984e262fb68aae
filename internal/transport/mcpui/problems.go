package mcpui

import (
	"fmt"
	"strings"

	"ui-mcp/internal/ui/problem"
)

// maxProblems is how many problems one result lists at most.
const maxProblems = 20

// lines formats problems, one on a line.
func lines(list []problem.Problem) string {
	var b strings.Builder
	for i, p := range list {
		if i == maxProblems {
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
