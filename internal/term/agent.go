package term

import (
	"context"
	"slices"
	"strings"

	"ui-mcp/internal/term/cells"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/render"
	"ui-mcp/internal/term/vt"
)

// leastAgentRows is how many rows a terminal must have to give one to the agent.
const leastAgentRows = 4

// AgentRows returns how many of a terminal's rows are for the agent.
func (o ViewerOptions) AgentRows(rows int) int {
	if o.ShowAgent && rows >= leastAgentRows {
		return 1
	}
	return 0
}

// ToggleAgent shows or hides the row for the agent: see [ViewerOptions]. A first Ctrl+\, which
// waits for a second one, is forgotten. It does nothing while the size of the terminal is unknown,
// or too small.
func (v *Viewer) ToggleAgent(ctx context.Context) error {
	return v.session.doRunning(ctx, func(st *state) error {
		t := &v.terminal
		t.greeting = ""
		t.keyboard.Forget()
		rows := t.rows
		if t.agent {
			rows++
		}
		if v.follows || t.cols == 0 || rows < leastAgentRows {
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

// agentView returns what there is to see of the agent.
func (st *state) agentView() *agentView {
	a := &agentView{typed: "no program has typed", state: st.status.state, captured: st.model.InputMode() == overlay.Captured, asks: len(st.questions) > 0}
	for _, e := range slices.Backward(st.ledger.entries) {
		if e.From.Kind != SenderAttach && e.From.Kind != SenderQuestion {
			a.typed = e.From.describe() + " typed " + e.describe()
			break
		}
	}
	return a
}

// stateNames say what the program does, for persons.
var stateNames = map[State]string{
	StateRunning: "running", StatePrompt: "at the prompt", StateLine: "waits for a line", StateSecret: "asks for a secret", StateFullScreen: "full screen", StateEnded: "ended",
}

// row returns the row, in a style.
func (a *agentView) row(cols int, style vt.Style) cells.Row {
	loud := vt.Style{FG: vt.Indexed(16), BG: vt.Indexed(220)}
	var right []cells.Piece
	if a.asks {
		right = append(right, cells.Piece{Text: " a question waits ", Style: loud})
	}
	if a.captured {
		right = append(right, cells.Piece{Text: ` keys captured: Ctrl+\ takes them back `, Style: loud})
	}
	right = append(right, cells.Piece{Text: " " + stateNames[a.state] + " ", Style: style})
	width, _ := cells.Measure(right)
	var p cells.Painter
	p.Reset(cols)
	p.Fill(0, cols, style)
	for _, row := range cells.Shape([]cells.Piece{{Text: " " + strings.TrimSpace(a.typed), Style: style}}, max(cols-width, 0), 1) {
		p.Paint(row, 0, 0, cols, 0)
	}
	for _, row := range cells.Shape(right, cols, 1) {
		p.Paint(row, max(cols-width, 0), 0, cols, 0)
	}
	return p.Row()
}

// withRow returns a picture with a row more, below the others.
func withRow(f *render.Frame, row cells.Row) *render.Frame {
	out := *f
	out.Lines = append(f.Lines[:len(f.Lines):len(f.Lines)], row)
	out.Rows++
	out.Bottom++
	return &out
}
