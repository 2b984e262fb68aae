package core

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// answer returns the answer to a wait, or nil.
func (s *story) answer(id uint64) Result { return s.answers[id].Result }

// A caller waits for given states, or until the session needs somebody: a program that asks, unless
// a person is being asked, or a prompt after a command. The generation that it knows does not
// count.
func TestAwaitState(t *testing.T) {
	t.Parallel()
	line := func(s *story) { s.f.TheMode, s.f.Reading = tty.ModeLines, tty.Reads }
	command := inOrder(prompted, types("x\r"), says("C1 D1=3 A2 B2"))
	for name, tt := range map[string]struct {
		before func(*story)
		states []State
		known  int // generations before the present one; -1: none is known
		want   Result
	}{
		"a prompt":                      {prompted, []State{StatePrompt}, -1, Attained{State: StatePrompt}},
		"one of two":                    {prompted, []State{StateLine, StatePrompt}, -1, Attained{State: StatePrompt}},
		"another one":                   {prompted, []State{StateLine}, -1, nil},
		"a prompt after a command":      {command, []State{StatePrompt}, -1, Attained{State: StatePrompt, ExitCode: new(3)}},
		"the first prompt":              {prompted, nil, -1, nil},
		"needed after a command":        {command, nil, -1, Attained{State: StatePrompt, ExitCode: new(3)}},
		"needed by a program":           {inOrder(running, line), nil, -1, Attained{State: StateLine}},
		"a program, by name":            {inOrder(command, running, line), []State{StateLine}, -1, Attained{State: StateLine}},
		"a person is asked":             {inOrder(running, line, asking), nil, -1, nil},
		"a person is asked, by name":    {inOrder(running, line, asking), []State{StateLine}, -1, Attained{State: StateLine}},
		"a person is asked at a prompt": {inOrder(command, asking), nil, -1, Attained{State: StatePrompt, ExitCode: new(3)}},
		"an agent works":                {inOrder(running, line, agent(agents.Working)), nil, -1, nil},
		"an agent asks":                 {inOrder(running, line, agent(agents.Asks)), nil, -1, Attained{State: StateLine, Agent: agents.Agent{Name: "claude", State: agents.Asks}}},
		"an agent waits, full screen":   {inOrder(running, agent(agents.Idle), func(s *story) { s.f.Modes |= 1 << vt.ModeAltScreen }), nil, -1, Attained{State: StateFullScreen, Agent: agents.Agent{Name: "claude", State: agents.Idle}}},
		"a running program":             {inOrder(running, func(s *story) { s.f.Reading = tty.ReadsNot }), nil, -1, nil},
		"a known generation":            {prompted, []State{StatePrompt}, 0, nil},
		"a later one":                   {prompted, []State{StatePrompt}, 1, Attained{State: StatePrompt}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			tt.before(s)
			s.says("")
			s.wait(time.Second)
			in := AwaitState{ID: 1, States: tt.states}
			if tt.known >= 0 {
				in.Known = new(s.session.Idle.Count - uint64(tt.known))
			}
			s.then(0, in)
			s.wait(time.Second)
			if d := cmp.Diff(tt.want, s.answer(1)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

func asking(s *story) { s.then(0, Asking{true}) }

// agent puts an agent into the foreground.
func agent(does agents.State) func(*story) {
	return func(s *story) { s.f.TheAgent = agents.Agent{Name: "claude", State: does} }
}

// The state at the end is an answer, too. After that, no state is followed.
func TestAwaitStateAtTheEnd(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.then(0, AwaitState{ID: 1, States: []State{StateEnded}})
	s.then(0, AwaitState{ID: 2, States: []State{StateSecret}})
	s.wait(time.Minute)
	reports := s.session.Reports
	if s.then(0, End{tty.Exit{Code: 3}}); s.session.Reports != reports+1 {
		t.Errorf("%d states are reported, and then %d", reports, s.session.Reports)
	}
	s.then(0, AwaitState{ID: 3, States: []State{StateEnded}})
	if got, want := s.answer(1), (Attained{State: StateEnded}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if err := s.answers[2].Err; fault.KindOf(err) != fault.Gone {
		t.Errorf("a state that will not come: %v", err)
	}
	if s.session.Follower.Pause != 0 || s.answer(3) == nil {
		t.Errorf("%+v", s.session.Follower)
	}
}

// Entries of the ledger are settled when none of them will change: those that come key by key join
// for a while. At the end of the program, all are.
func TestSettled(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	log := func(kind SenderKind) {
		s.then(0, Log{[]Typed{{From: Sender{Kind: kind}, Kind: InputText, Text: "x", Count: 1}}})
	}
	is := func(seq uint64, want int, rest time.Duration) {
		t.Helper()
		if list, got := s.session.Settled(seq, s.now); len(list) != want || got != rest {
			t.Errorf("%+v, and the next after %v", list, got)
		}
	}
	is(0, 0, 0)
	log(SenderMCP)
	is(0, 1, 0)
	log(SenderAttach)
	s.wait(time.Second)
	log(SenderAttach)
	is(0, 1, SenderAttach.joins())
	s.wait(SenderAttach.joins() - 1)
	is(1, 0, 1)
	s.wait(1)
	is(1, 1, 0)
	log(SenderAttach)
	s.then(0, End{})
	is(2, 1, 0)
	is(3, 0, 0)
}

// Silence counts since the last activity, or since a time that is later. That of a known generation
// does not count.
func TestCheck(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		q     Quiet
		quiet bool
		again time.Duration
	}{
		"long enough":              {Quiet{Timeout: 3 * time.Second}, true, 0},
		"not yet":                  {Quiet{Timeout: 4 * time.Second}, false, time.Second},
		"no silence asked for":     {Quiet{}, true, 0},
		"a known generation":       {Quiet{Timeout: time.Second, Known: new(uint64(2))}, false, 0},
		"another generation":       {Quiet{Timeout: time.Second, Known: new(uint64(1))}, true, 0},
		"of the future":            {Quiet{Timeout: time.Second, Known: new(uint64(7))}, true, 0},
		"since a later time":       {Quiet{Timeout: 3 * time.Second, Since: epoch.Add(4 * time.Second)}, false, 2 * time.Second},
		"since an earlier time":    {Quiet{Timeout: 3 * time.Second, Since: epoch}, true, 0},
		"for long, since a moment": {Quiet{Timeout: time.Second, Since: epoch.Add(4 * time.Second)}, true, 0},
	} {
		s := newStory(t)
		s.then(time.Second, Output{})
		s.then(time.Second, Output{})
		s.session.sys, s.session.now = &facts{}, epoch.Add(5*time.Second)
		if quiet, again := s.session.check(tt.q); quiet != tt.quiet || !quiet && again != tt.again {
			t.Errorf("%s: %t, %v", name, quiet, again)
		}
	}
}
