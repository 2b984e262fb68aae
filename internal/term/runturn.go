package term

import (
	"strconv"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
)

// maxQuotedLine bounds the part of a command line that an error quotes, in bytes.
const maxQuotedLine = 60

// whyNotTyped returns the error about a line that was not typed in time, which says what it has
// waited for. turn says that no other caller was running a command.
func (s *Session) whyNotTyped(turn bool, o RunOptions) error {
	info := s.Info()
	last, line := info.LastCommand, ""
	runs := last != nil && !last.Ended
	if runs && last.Line != "" {
		line = ": " + quoteLine(last.Line)
	}
	waits := map[State]string{StateLine: "a line", StateSecret: "a secret"}[info.State]
	switch {
	case turn && !runs:
		return fault.With(NotTyped, fault.New(fault.Timeout,
			"the shell in session %q has not prompted for %v; your line was not typed: look at the screen", info.Name, o.MaxWait))
	case waits != "":
		return fault.With(NotTyped, fault.New(fault.Timeout,
			"another command in session %q waits for %s%s; yours is for the shell, and was not typed: answer that command or press C-c, then run yours again", info.Name, waits, line))
	}
	return fault.With(NotTyped, fault.New(fault.Timeout, "another command is running in session %q%s; yours was not typed", info.Name, line))
}

// quoteLine quotes the start of a command line.
func quoteLine(line string) string {
	start, _, more := strings.Cut(line, "\n")
	if len(start) > maxQuotedLine {
		start, more = safetext.Cut(start, maxQuotedLine), true
	}
	if more {
		start += "…"
	}
	return strconv.Quote(start)
}
