package term

import (
	"context"
	"slices"
	"strings"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/lookback"
	"ui-mcp/internal/term/vt"
)

// Commands are the commands of a session, where its shell marks them: see [lookback.Commands].
type Commands struct {
	List   []lookback.Command
	Layout uint64 // of the line numbers
}

// Commands returns the commands whose prompts are kept in the history and on the primary screen.
func (s *Session) Commands(ctx context.Context) (Commands, error) {
	return read(ctx, s, func(st *state) (Commands, error) {
		return Commands{lookback.Commands(st.term), st.term.Snapshot().Layout}, nil
	})
}

// A CommandOutput is the output of one command as text.
type CommandOutput struct {
	Prompt  uint64 // number of the line with the command's prompt
	Text    string // without empty lines at its end
	TooLong bool   // Text is left out, because it would have more than 1 MiB
	// FullScreen says that the command also had the alternate screen, which Text does not have.
	FullScreen bool
}

// CommandOutput returns the output of the command whose prompt is at a line, or of the last command
// with output if line is nil. The error is of kind NotFound if there is none, or if its output is
// not kept any more: the last megabytes are.
func (s *Session) CommandOutput(ctx context.Context, line *uint64) (CommandOutput, error) {
	return read(ctx, s, func(st *state) (CommandOutput, error) {
		for _, c := range slices.Backward(lookback.Commands(st.term)) {
			if !c.HasOutput || line != nil && c.Prompt.Line != *line {
				continue
			}
			if p, ok := lookback.Output(st.term, c); ok {
				return CommandOutput{c.Prompt.Line, p.Output, p.Cut, p.Alternate}, nil
			}
			break
		}
		return CommandOutput{}, fault.With(UnknownCommand, fault.New(fault.NotFound, "session %q knows of no such command with output: commands are known where the shell marks its prompts, and the last megabytes of output are kept", s.Name()))
	})
}

// maxCommandLine is how much of a command line is kept, in bytes.
const maxCommandLine = 1 << 10

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
		if taken || m.Variant != "" { // the answer to a key of ours, wherever the cursor was
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
