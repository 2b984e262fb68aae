package term

import (
	"context"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
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
// see [ViewerOptions]. A first Ctrl+\, which
// waits for a second one, is forgotten. It does nothing while the size of the terminal is unknown,
// or too small.
func (v *Viewer) ToggleAgent(ctx context.Context) error {
	return v.session.doRunning(ctx, func(st *state) error {
		t := &v.terminal
		t.greeting = ""
		t.keyboard.Forget()
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

// An agentView is what a person sees of the agent, in the last row of a terminal that wants it (see
// [ViewerOptions.ShowAgent]).
type agentView struct {
	typed    string // who has typed, and what
	state    State
	captured bool // what the person types goes to the agent
	asks     bool // a question waits for the person
}

func (st *state) agentView() *agentView {
	a := &agentView{typed: "no program has typed", state: st.core.State, captured: st.model.InputMode() == overlay.Captured, asks: len(st.questions) > 0}
	if e, ok := st.core.Ledger.NewestOfPrograms(); ok {
		a.typed = e.From.Describe() + " typed " + e.Describe()
	}
	return a
}

// stateNames say what the program does, for persons.
var stateNames = map[State]string{
	StateRunning: "running", StatePrompt: "at the prompt", StateLine: "waits for a line", StateSecret: "asks for a secret", StateFullScreen: "full screen", StateEnded: "ended",
}

func (a *agentView) row(cols int, style, loud vt.Style) cells.Row {
	var right []cells.Piece
	if a.asks {
		right = append(right, cells.Piece{Text: " a question waits ", Style: loud})
	}
	if a.captured {
		right = append(right, cells.Piece{Text: ` keys captured: Ctrl+\ takes them back `, Style: loud})
	}
	right = append(right, cells.Piece{Text: " " + stateNames[a.state] + " ", Style: style})
	return cells.Bar(cols, style, []cells.Piece{{Text: " " + strings.TrimSpace(a.typed), Style: style}}, right)
}

// withRow returns a picture with a row more, below the others.
func withRow(f *render.Frame, row cells.Row) *render.Frame {
	out := *f
	out.Lines = append(f.Lines[:len(f.Lines):len(f.Lines)], row)
	out.Rows++
	out.Bottom++
	return &out
}
