package term

import (
	"context"
	"time"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
)

// A Prompt is what WaitPrompt has found.
type Prompt struct {
	Screen     *vt.Snapshot
	Generation uint64 // for Quiesce
	More       bool   // the shell asks for the rest of an unfinished line
	ExitCode   *int   // of the last command, if the shell reported one
}

// WaitPrompt waits until the shell prompts for a line, and has read the lines that were typed
// before. A line that was typed but not entered does not matter. The error is of kind Timeout after
// maxWait (0 means DefaultWait), Gone when the program ends, and of kind Precondition with the
// detail [NoPrompts] if the program marks no prompts.
func (s *Session) WaitPrompt(ctx context.Context, maxWait time.Duration) (Prompt, error) {
	ctx, cancel := within(ctx, maxWait, "the shell in session %q did not prompt within %v: look at its screen", s.Name())
	defer cancel()
	return awaitAnswer(ctx, s, func(id uint64) core.Input { return core.AwaitPrompt{ID: id} }, func(st *state, r core.Prompted) Prompt {
		return Prompt{st.snapshot(), st.core.Idle.Generation(), r.More, r.ExitCode}
	})
}
