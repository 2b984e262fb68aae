package term

import (
	"context"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/sgr"
)

// leastTakenRows is how many rows a terminal must have so that the session does not get the last.
const leastTakenRows = 4

// TakenRows returns how many of a terminal's rows the session does not get.
func (o ViewerOptions) TakenRows(rows int) int {
	if (o.ShowAgent || o.Bar) && rows >= leastTakenRows {
		return 1
	}
	return 0
}

// ToggleAgent shows or hides the row for the agent, which is in place of the bar if there is one:
// see [ViewerOptions]. It does nothing while the size of the terminal is unknown,
// or too small.
func (v *Viewer) ToggleAgent(ctx context.Context) error {
	return v.session.doRunning(ctx, func(st *state) error {
		t := &v.terminal
		t.greeting = ""
		rows := t.rows
		if t.taken {
			rows++
		}
		if v.o.Follows || t.cols == 0 || rows < leastTakenRows {
			return nil
		}
		t.showAgent = !t.showAgent
		return v.resize(st, t.cols, rows)
	})
}

// agentRow returns what a person sees of the agent, in the last row of terminals that want it (see
// [ViewerOptions.ShowAgent]): who has typed what, and at the right what the program does.
func (st *state) agentRow() rowBelow {
	typed, state := "no program has typed", stateNames[st.core.State]
	if e, ok := st.core.Ledger.NewestOfPrograms(); ok {
		typed = strings.TrimSpace(e.From.Describe() + " typed " + e.Describe())
	}
	if a := st.core.Agent; a.Name != "" {
		state = a.Name + " " + string(a.State)
	}
	asks, captured := len(st.questions) > 0, st.model.InputMode() == overlay.Captured
	return func(cols int, style, loud sgr.Style) cells.Row {
		var right []cells.Piece
		if asks {
			right = append(right, cells.Piece{Text: " a question waits ", Style: loud})
		}
		if captured {
			right = append(right, cells.Piece{Text: ` keys captured: Ctrl+\ takes them back `, Style: loud})
		}
		right = append(right, cells.Piece{Text: " " + state + " ", Style: style})
		return cells.Bar(cols, style, []cells.Piece{{Text: " " + typed, Style: style}}, right)
	}
}

// stateNames say what the program does, for persons.
var stateNames = map[core.State]string{
	core.StateRunning: "running", core.StatePrompt: "at the prompt", core.StateLine: "waits for a line", core.StateSecret: "asks for a secret", core.StateFullScreen: "full screen", core.StateEnded: "ended",
}

// withRow returns a picture with a row more, below the others.
func withRow(f *render.Frame, row cells.Row) *render.Frame {
	out := *f
	out.Lines = append(f.Lines[:len(f.Lines):len(f.Lines)], row)
	out.Rows++
	out.Bottom++
	return &out
}
