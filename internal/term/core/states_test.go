package core

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// ticks returns when the timer rings within a time, and lets it pass.
func (s *story) ticks(within time.Duration) (list []time.Duration) {
	s.t.Helper()
	start := s.now
	for end := start.Add(within); !s.session.Due.IsZero() && !s.session.Due.After(end); {
		s.now = s.session.Due
		list = append(list, s.now.Sub(start))
		if err := s.apply(Tick{}, &s.f); err != nil {
			s.t.Fatal(err)
		}
	}
	s.now = start.Add(within)
	return list
}

// A session looks again after activity, and then after pauses that grow with the silence: those of
// a second and more end when those of other sessions do. Activity during a long pause begins again,
// and during a short one changes nothing. While a caller waits for a state, pauses stay short.
func TestPausesOfLooks(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	s := newStory(t)
	s.now = epoch.Add(300 * ms)
	s.f.Reading = tty.ReadsNot // so that only a look can find out more
	running(s)
	check := func(what string, got []time.Duration, want ...time.Duration) {
		t.Helper()
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
	// 1.28 s end at a multiple of that, and so do those after them.
	s.then(0, Output{})
	list := s.ticks(2 * time.Minute)
	check("after output", list[:6], 20*ms, 60*ms, 140*ms, 300*ms, 620*ms, 1260*ms)
	for i, at := range list[6:] {
		pause := min(1280*ms<<i, lookPause)
		if rest := time.Duration(epoch.Add(300*ms).Add(at).UnixNano()) % pause; rest != 0 {
			t.Errorf("look %d, after %v, is %v late", i+6, at, rest)
		}
	}
	if n := len(list); list[n-1]-list[n-2] != lookPause {
		t.Errorf("the last pause is %v", list[n-1]-list[n-2])
	}
	s.then(time.Second, Output{})
	check("after output in a long pause", s.ticks(100*ms), 20*ms, 60*ms)
	s.then(10*ms, Output{}) // 30 ms before the next look
	check("after output in a short pause", s.ticks(50*ms), 20*ms)
	s.then(0, Output{})
	s.then(10*ms, Output{})
	check("while there is more", s.ticks(10*ms), 10*ms)
	s.ticks(time.Minute)
	s.then(0, AwaitState{ID: 1, States: []State{StateSecret}})
	check("while a state is waited for", s.ticks(time.Second), 20*ms, 60*ms, 140*ms, 300*ms, 550*ms, 800*ms)
	s.then(0, End{tty.Exit{}})
	s.then(0, Output{})
	check("after the end, when the timer that was set rings", s.ticks(time.Hour), 50*ms)
}

// A line that will be read in a moment is looked at often at first, then less often, even while
// there is output all the time.
func TestPausesBeforeLine(t *testing.T) {
	t.Parallel()
	for name, output := range map[string]bool{"silence": false, "steady output": true} {
		s := newStory(t)
		prompted(s)
		s.wait(time.Second)
		s.f.TheMode = tty.ModeLines // a hook works
		s.then(0, Output{})
		s.then(0, Run{ID: 1, Line: "make", Timeout: time.Minute})
		looks := func(within time.Duration) (n int) {
			for end := s.now.Add(within); s.now.Before(end); {
				if output {
					s.session.Idle.At = s.now
				}
				if n++; s.session.Due.IsZero() {
					t.Fatalf("%s: nobody looks", name)
				}
				s.now = s.session.Due
				if err := s.apply(Tick{}, &s.f); err != nil {
					t.Fatal(err)
				}
			}
			return n
		}
		if first, later := looks(5*time.Millisecond), looks(time.Second); first < 3 || later < 10 || later > 220 {
			t.Errorf("%s: %d looks in 5ms, then %d in a second", name, first, later)
		}
	}
}

// The state that marks and the screen show is known at once; it is reported later, once.
func TestStateAtOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	prompted(s)
	s.wait(time.Second)
	before := s.session.Reports
	for _, alternate := range []vt.Modes{1 << vt.ModeAltScreen, 0} {
		s.f.Modes = alternate
		s.then(0, Output{})
		want := StatePrompt
		if alternate != 0 {
			want = StateFullScreen
		}
		if s.session.State != want || s.session.Reports != before {
			t.Errorf("at once: %+v", s.session.Public)
		}
		s.wait(settleTime)
		if before++; s.session.Reports != before || s.session.Reported != want {
			t.Errorf("%+v", s.session.Public)
		}
	}
}

// The agent that runs is known once the screen is quiet. That it runs, and that it has gone, is
// listed once.
func TestAgentOfAQuietScreen(t *testing.T) {
	t.Parallel()
	for _, modes := range []vt.Modes{0, 1 << vt.ModeAltScreen} {
		s := newStory(t)
		s.f.Reading, s.f.Modes = tty.ReadsNot, modes
		running(s)
		s.wait(time.Second)
		s.seesAgents()
	}
}

func (s *story) seesAgents() {
	t := s.t
	for i, now := range []agents.Agent{{Name: "claude", State: agents.Working}, {Name: "claude", State: agents.Idle}, {}} {
		s.f.TheAgent, s.out = now, nil
		s.then(0, Output{})
		s.ticks(settleTime - time.Millisecond)
		if i == 1 { // just before the look that the first one has begun
			s.then(0, Output{})
			s.ticks(settleTime - time.Millisecond)
		}
		if got := s.session.Agent; i < 2 && got == now {
			t.Errorf("%+v is known while the screen changes", got)
		}
		s.ticks(time.Duration(1+i) * time.Millisecond)
		listed := 0
		for _, line := range s.out {
			if line == "core.Listed{}" {
				listed++
			}
		}
		if got := s.session.Agent; got != now || listed != 1 {
			t.Errorf("%+v: the agent is %+v after %v", now, got, s.out)
		}
	}
	s.out = nil
	if s.ticks(time.Hour); slices.Contains(s.out, "core.Listed{}") {
		t.Errorf("it is listed again: %v", s.out)
	}
}

// An agent that works is looked at again without activity, and not less often than other programs.
func TestAgentThatWorks(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.f.Modes, s.f.TheAgent = 1<<vt.ModeAltScreen, agents.Agent{Name: "claude", State: agents.Working}
	running(s)
	s.wait(time.Second)
	s.f.TheAgent.State = agents.Idle
	if s.ticks(2 * lookPause); s.session.Agent.State != agents.Idle {
		t.Errorf("%+v", s.session.Public)
	}
	if looks := s.ticks(time.Hour); len(looks) > 0 {
		t.Errorf("one that is idle is looked at: %v", looks)
	}
	s.f.Modes, s.f.TheAgent.State = 0, agents.Working
	s.then(0, Output{})
	if s.ticks(keysSilence); s.session.Reported != StateLine {
		t.Errorf("it waits for a key: %+v", s.session.Public)
	}
}

// A program that asks for a secret again, without a word, is noticed.
func TestSecretAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	running(s)
	s.f.TheMode, s.f.Reading, s.f.Held = tty.ModeSecret, tty.Reads, true
	types("x\r")(s)
	if s.ticks(time.Second); s.session.Reported != StateRunning {
		t.Errorf("before it has read the answer: %+v", s.session.Public)
	}
	s.f.Held = false
	if s.ticks(lookPause); s.session.Reported != StateSecret {
		t.Errorf("%+v", s.session.Public)
	}
}

// A program that takes the place of the shell ends the command, and the marks that follow count no
// more. It is recognised by what the process executes, once that is known.
func TestShellIsReplaced(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		before func(*story)
		after  uint64
		want   bool
	}{
		"replaced":               {inOrder(executes(1), running), 2, true},
		"the same":               {inOrder(executes(1), running), 1, false},
		"not known any more":     {inOrder(executes(1), running), 0, false},
		"not known before":       {inOrder(executes(0), running), 2, false},
		"at a prompt":            {inOrder(executes(1), prompted), 2, false},
		"in a second command":    {inOrder(executes(1), ended, says("A2 B2 C2")), 2, true},
		"before its command":     {inOrder(executes(1), prompted, executes(2), says("C1")), 2, true},
		"whose line is awaited":  {inOrder(executes(1), prompted, begins(line), says("C1")), 2, true},
		"with no more commands":  {inOrder(executes(1), running, says("D1")), 2, false},
		"by one that makes some": {inOrder(executes(1), running, executes(2), says("A1 B1")), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			tt.before(s)
			s.wait(time.Second)
			s.f.Code = tt.after
			s.says("")
			s.wait(time.Second)
			forgotten := slices.Contains(s.out, "core.Forget{}")
			if forgotten != tt.want || forgotten != (s.session.Shell.Phase == PhaseUnmarked) {
				t.Errorf("forgotten: %t, in phase %d", forgotten, s.session.Shell.Phase)
			}
			if last := s.session.LastCommand; tt.want && !last.Ended {
				t.Errorf("the command has not ended: %+v", last)
			}
		})
	}
}
