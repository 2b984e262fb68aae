package term

import (
	"slices"
	"strings"
	"time"

	"ui-mcp/internal/term/vt"
)

// maxCommandLine is how much of a command line is kept, in bytes.
const maxCommandLine = 1 << 10

// A Command is a command that a shell has run, as its marks tell.
type Command struct {
	// N is its number in the session, from 1.
	N uint64
	// Line is what was typed at the prompt, as the screen displayed it: "" if it was not visible,
	// and at most 1 KiB.
	Line     string
	Ended    bool
	ExitCode *int          // nil while it runs, and if the shell has not reported it
	Duration time.Duration // of a command that has ended
}

// began records the start of a command, at the mark of its output, and returns it.
func (st *state) began(m vt.Mark, now time.Time) *Command {
	n := uint64(1)
	if last := st.status.last; last != nil {
		n = last.N + 1
	}
	st.commandAt = now
	st.status.last = &Command{N: n, Line: st.commandLine(m)}
	return st.status.last
}

// over records the end of the command that runs, and returns it.
func (st *state) over(m vt.Mark, now time.Time) *Command {
	c := *st.status.last // callers of Info may have the old one
	c.Ended, c.Duration = true, now.Sub(st.commandAt)
	if m.Kind == vt.MarkEnd && m.HasExitCode {
		c.ExitCode = new(m.ExitCode)
	}
	st.status.last = &c
	return &c
}

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
			if m.Variant != variantMore {
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
	return strings.ToValidUTF8(line[:min(len(line), maxCommandLine)], "")
}
