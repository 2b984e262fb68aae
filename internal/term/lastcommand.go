package term

import (
	"slices"
	"strings"

	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
)

// maxCommandLine is how much of a command line is kept, in bytes.
const maxCommandLine = 1 << 10

// A Command is a command that a shell has run.
type Command = core.Command

// commandLine returns the line that was typed before the mark of a command's output. The shell
// marks where each part of the line begins: after its prompt, and after the prompts for the rest of
// an unfinished line. It marks that again when it draws the prompt again.
func (st *state) commandLine(output vt.Mark) string {
	if output.Alternate {
		return ""
	}
	var parts []string
	end := output
	for id, taken := output.ID-1, false; ; id-- {
		m, ok := st.term.Mark(id)
		if !ok || m.Alternate || m.Kind == vt.MarkOutput || m.Kind == vt.MarkEnd {
			break
		}
		if m.Kind == vt.MarkPrompt {
			if m.Variant != core.VariantMore {
				break
			}
			end, taken = m, false
			continue
		}
		if taken {
			continue
		}
		taken = true
		if m.At.Line < end.At.Line || m.At.Line == end.At.Line && m.At.Col <= end.At.Col {
			e := st.term.Excerpt(m.At, end.At, maxCommandLine, maxCommandLine)
			parts = append(parts, strings.TrimSpace(e.Text))
		}
	}
	slices.Reverse(parts)
	line := strings.TrimSpace(strings.Join(parts, "\n"))
	return safetext.Cut(line, maxCommandLine)
}
