package term

import (
	"context"
	"slices"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/lookback"
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
	Text    string // see [lookback.Output]
	TooLong bool   // Text is left out, because it would have more than 1 MiB
}

// CommandOutput returns the output of the command whose prompt is at a line, or of the last command
// with output if line is nil. The error is of kind NotFound if there is none.
func (s *Session) CommandOutput(ctx context.Context, line *uint64) (CommandOutput, error) {
	return read(ctx, s, func(st *state) (CommandOutput, error) {
		for _, c := range slices.Backward(lookback.Commands(st.term)) {
			if !c.HasOutput || line != nil && c.Prompt.Line != *line {
				continue
			}
			text, ok := lookback.Output(st.term, c)
			return CommandOutput{c.Prompt.Line, text, !ok}, nil
		}
		return CommandOutput{}, fault.With(UnknownCommand, fault.New(fault.NotFound, "session %q knows of no such command with output: commands are known where the shell marks its prompts", s.Name()))
	})
}
