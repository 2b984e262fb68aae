package term

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/core"
	"ui-mcp/internal/term/vt"
)

// AgentStates are all states of agents.
var AgentStates = []agents.State{agents.Working, agents.Asks, agents.Idle}

// ReportAgent takes what the hooks of an agent say that it does, given its process, which is in the
// foreground. [agents.Sight] says for how long that counts. The error is of kind Precondition if
// there is no such agent.
func (s *Session) ReportAgent(ctx context.Context, pid int, does agents.State) error {
	if !slices.Contains(AgentStates, does) {
		return fault.New(fault.Invalid, "there is no state %.40q: an agent is working, asks or is idle", string(does))
	}
	return s.doRunning(ctx, func(st *state) error {
		if st.facts.Agent() == (agents.Agent{}) || st.facts.agent.pid != pid {
			return fault.New(fault.Precondition, "process %d is no agent in the foreground of session %q", pid, s.Name())
		}
		st.facts.agent.Said, st.facts.agent.saidAt = does, time.Now()
		return s.apply(st, core.AgentReported{})
	})
}

// States are all states.
var States = []core.State{core.StateRunning, core.StatePrompt, core.StateLine, core.StateSecret, core.StateFullScreen, core.StateEnded}

// StateOptions say which states to wait for.
type StateOptions struct {
	// States are the states to wait for. Without any, the wait ends when the session needs
	// somebody: in StateLine or StateSecret, unless a person is being asked, or in StatePrompt
	// after a command has ended.
	States []core.State
	// LastGeneration, if not nil, is a generation that does not count: the wait is for a newer one.
	LastGeneration *uint64
	// MaxWait is how long to wait; 0 means DefaultWait. It is at most MaxWait.
	MaxWait time.Duration
}

// An Attained is the result of waiting for a state.
type Attained struct {
	core.Attained
	Screen     *vt.Snapshot
	Generation uint64 // for LastGeneration
}

// WaitState waits until the session is in one of the states. The error is of kind Timeout after
// MaxWait, and Gone when the program ends, unless that was waited for.
func (s *Session) WaitState(ctx context.Context, o StateOptions) (Attained, error) {
	for _, state := range o.States {
		if !slices.Contains(States, state) {
			return Attained{}, fault.New(fault.Invalid, "there is no state %.40q: states are running, prompt, line, secret, fullscreen and ended", string(state))
		}
	}
	ctx, cancel := s.within(ctx, o.MaxWait, "session %q was in none of the states within %v: look at its screen", s.Name())
	defer cancel()
	got, err := awaitAnswer(ctx, s, func(id uint64) core.Input {
		return core.AwaitState{ID: id, States: o.States, Known: o.LastGeneration}
	}, func(st *state, r core.Attained) Attained {
		return Attained{r, st.snapshot(), st.core.Idle.Count}
	})
	if fault.KindOf(err) == fault.Gone && slices.Contains(o.States, core.StateEnded) {
		// The session was removed, maybe before the wait has seen the end of its program.
		select {
		case <-s.ended:
			return s.last, nil
		default:
		}
	}
	return got, err
}
