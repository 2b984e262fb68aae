package term

import (
	"context"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A Job is what a session is busy with.
type Job struct {
	Foreground tty.Foreground // its PID is 0 when the program has ended
	Title      string
	// Reported is the directory that the program has reported last. It may be one of another
	// machine, and need not exist.
	Reported vt.Directory
	Shell    ShellState
}

// A ShellState is what a shell does, as its marks tell.
type ShellState string

const (
	ShellUnknown  ShellState = ""        // the program marks no prompts
	ShellPrompts  ShellState = "prompt"  // a line can be typed
	ShellContinue ShellState = "more"    // the rest of an unfinished line can be typed
	ShellRuns     ShellState = "command" // it runs a command, or is about to prompt
)

// Job tells what the session is busy with. It works for ended sessions, too.
func (s *Session) Job(ctx context.Context) (Job, error) {
	j, err := read(ctx, s, func(st *state) (Job, error) {
		screen := st.term.Snapshot()
		j := Job{Title: screen.Title, Reported: screen.WorkingDirectory}
		if st.core.Exit != nil {
			return j, nil
		}
		switch st.core.Shell.Phase {
		case core.PhaseUnmarked:
		case core.PhaseEditing:
			j.Shell = ShellPrompts
		case core.PhaseMore:
			j.Shell = ShellContinue
		default:
			j.Shell = ShellRuns
		}
		return j, nil
	})
	if err == nil {
		j.Foreground = s.process.Foreground()
	}
	return j, err
}
