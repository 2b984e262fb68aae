package term

import (
	"strings"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/typeahead"
	"ui-mcp/internal/term/vt"
)

// facts are what a session's model must know of its screen and of the system: see [core.System].
// They are asked for on the executor.
type facts struct {
	Process
	session *Session
	state   *state
	agent   agent
}

// An agent is a process in the foreground, or the zero value.
type agent struct {
	pid  int
	name string
	agents.Sight
	saidAt time.Time
}

func (f *facts) Name() string    { return f.session.Name() }
func (f *facts) Unread() bool    { return f.session.unread.Load() }
func (f *facts) Behind() bool    { return f.Unread() || f.HasOutput() }
func (f *facts) Busy() bool      { return f.session.input.IsBusy() }
func (f *facts) Pending() bool   { return f.Busy() || f.HasInput() } // in the order of its way
func (f *facts) Input() vt.Input { return f.state.term.Input() }

// Agent implements [core.System]. All agents take pastes: of other programs, the system is not
// asked.
func (f *facts) Agent() agents.Agent {
	if !f.Input().Modes.Has(vt.ModeBracketedPaste) {
		return agents.Agent{}
	}
	var name string
	pid := f.FindInJob(f.agent.pid, func(args []string) bool {
		name = agents.Named(args)
		return name != ""
	})
	if pid == 0 {
		f.agent = agent{}
		return agents.Agent{}
	}
	if pid != f.agent.pid || name != f.agent.name {
		f.agent = agent{pid: pid, name: name}
	}
	var rows []string
	for _, line := range f.state.term.Snapshot().Lines {
		rows = append(rows, line.Plain())
	}
	still := time.Since(f.state.core.Idle.At)
	f.agent.Sight = f.agent.See(agents.Doing(name, f.state.title, rows), min(still, time.Since(f.agent.saidAt)))
	return agents.Agent{Name: name, State: f.agent.State()}
}

func (f *facts) Shell() (began time.Time, ok bool) {
	job := f.Command()
	return job.Started, !job.Fed && shell.IsInteractive(job.Args)
}

func (f *facts) Accepts(input []byte) error {
	s := f.session
	if err := typeahead.CheckSize(input); err != nil {
		return err
	}
	if s.input.IsStuck() && s.process.HasSignalKey(input) {
		return nil // what is queued will be dropped
	}
	switch s.input.Refuses(len(input)) {
	case typeahead.ErrClosed: // its last output is being read
		return fault.New(fault.Gone, "the program of session %q has just ended", s.Name())
	case typeahead.ErrFull:
		return s.fullError()
	}
	return nil
}

func (f *facts) Screen() core.Screen {
	p := f.state.term.Place()
	return core.Screen{Alternate: p.Alternate, Cursor: p.At, Layout: p.Layout}
}

func (f *facts) Prompt() string {
	screen := f.state.term.Snapshot()
	c := screen.Cursor
	if c.Row >= len(screen.Lines) || c.Col == 0 {
		return ""
	}
	return strings.TrimSpace(screen.Lines[c.Row].Plain())
}

func (f *facts) CommandLine(output vt.Mark) string { return f.state.commandLine(output) }

func (f *facts) Offer(n int, line string) error { return f.session.o.How.Offers.Offer(n, line) }
func (f *facts) Withdraw() bool                 { return f.session.o.How.Offers.Withdraw() }

func (f *facts) Permitted(run uint64, input []byte) error {
	if p := f.state.callers[run]; p != nil && p.permitted != nil {
		return p.permitted(f.state, input)
	}
	return nil
}
