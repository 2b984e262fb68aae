package term

import (
	"context"
	"slices"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A State says what a session is doing. The package comment defines the states.
type State string

const (
	StateRunning    State = "running"
	StatePrompt     State = "prompt"
	StateLine       State = "line"
	StateSecret     State = "secret"
	StateFullScreen State = "fullscreen"
	StateEnded      State = "ended"
)

// States are all states.
var States = []State{StateRunning, StatePrompt, StateLine, StateSecret, StateFullScreen, StateEnded}

// How the state is followed. Marks, output and input change it at once. Nothing announces what only
// the terminal and the system know, such as that a program has changed a mode of the terminal: a
// timer looks after activity, and then after pauses that grow with the silence. It stops when only
// activity can change the state.
const (
	settleTime   = 20 * time.Millisecond  // of silence, after which the state is looked up and reported
	lookPause    = 30 * time.Second       // the longest pause between two looks
	awaitedTime  = 250 * time.Millisecond // the same while somebody waits for a state
	togetherFrom = time.Second            // the shortest pause at whose end idle sessions look at the same moment
	keysSilence  = 500 * time.Millisecond // of a program that takes keys, before it counts as waiting
)

// A follower follows the state of a session.
type follower struct {
	timer    *time.Timer
	pause    time.Duration // 0: the timer does not run
	reported State
	awaited  int // calls of WaitState
	commands int // how many have ended
}

// instant returns the state that marks, the screen and the terminal's mode show. The state is
// unknown if only something else can show it.
func (s *Session) instant(st *state, mode tty.Mode, now time.Time) (_ State, known bool) {
	p := &st.shell
	switch {
	case st.status.exit != nil:
		return StateEnded, true
	case mode == tty.ModeSecret:
		return StateSecret, true
	case st.term.Modes().Has(vt.ModeAltScreen):
		return StateFullScreen, true
	case p.phase == phaseEditing || p.phase == phaseMore:
		if p.lines.wait(now) > 0 {
			return StateRunning, false
		}
		return StatePrompt, true
	}
	return StateRunning, false
}

// lookUp returns the state, as far as it can be found out, and when to look again even without
// activity: 0 means never.
func (s *Session) lookUp(st *state, now time.Time) (State, time.Duration) {
	mode, quiet := s.process.Mode(), now.Sub(st.idle.Last())
	found, known := s.instant(st, mode, now)
	switch {
	case found == StateSecret: // programs switch the echo on again without a word
		return found, lookPause
	case known:
		return found, 0
	case quiet < settleTime || s.isBehind():
		return StateRunning, settleTime
	case st.shell.phase == phaseEditing || st.shell.phase == phaseMore:
		return StateRunning, settleTime // for as long as the shell may take to read the line
	case st.shell.phase == phaseHooks && st.shell.marked && mode == tty.ModeKeys:
		return StatePrompt, 0 // its end is not marked
	}
	patience, asks := DefaultSilence, st.asksOnScreen()
	if mode == tty.ModeKeys {
		patience, asks = keysSilence, true
	}
	switch reads := s.process.Reads(); {
	case s.isBehind():
		return StateRunning, settleTime
	case reads == tty.ReadsNot:
		return StateRunning, lookPause
	case reads == tty.Reads && mode != tty.ModeKeys, asks && quiet >= patience:
		if s.isIdleShell(st) {
			return StatePrompt, lookPause
		}
		return StateLine, lookPause
	case asks:
		return StateRunning, patience - quiet
	}
	return StateRunning, lookPause
}

// isIdleShell reports whether the job in the foreground is an interactive shell that was given no
// line: what it waits for is a command. A shell that gets its commands from elsewhere asks for
// something, as the script of an installer does.
func (s *Session) isIdleShell(st *state) bool {
	job := s.process.Command()
	last := st.shell.lines.last
	return !job.Fed && shell.IsInteractive(job.Args) && (last.IsZero() || last.Before(job.Started))
}

// stir follows activity: the state is looked up when it is over.
func (s *Session) stir(st *state, now time.Time) {
	if now, _ := s.instant(st, s.process.Mode(), now); now != st.status.state {
		st.status.state = now
		s.publishStatus(st)
	}
	s.followIn(st, settleTime)
}

// followIn looks the state up after a time, or sooner if that is planned already.
func (s *Session) followIn(st *state, d time.Duration) {
	f := &st.follower
	if f.pause != 0 && f.pause <= d {
		return
	}
	f.pause = d
	if d >= togetherFrom {
		d = together(d, time.Now())
	}
	if f.timer == nil {
		f.timer = time.AfterFunc(d, func() { s.exec.Post(func() { s.followState(st) }) })
	} else {
		f.timer.Reset(d)
	}
}

// together returns how long it is until all sessions look that pause for d: at most d. Waking the
// process takes ten times as long as a look, so it wakes once for all of them.
func together(d time.Duration, now time.Time) time.Duration {
	return d - time.Duration(now.UnixNano())%d
}

// followState looks the state up, reports it if it has changed, and decides when to look again.
func (s *Session) followState(st *state) {
	f := &st.follower
	was := f.pause
	f.pause = 0
	if st.status.exit != nil {
		return
	}
	now := time.Now()
	s.followExec(st, now)
	again := s.reportState(st, now)
	if again == 0 {
		return
	}
	if f.awaited > 0 {
		again = min(again, awaitedTime)
	}
	s.followIn(st, min(again, max(2*was, settleTime)))
}

// reportState looks the state up and reports it. It returns when to look again.
func (s *Session) reportState(st *state, now time.Time) time.Duration {
	found, again := s.lookUp(st, now)
	if found != st.status.state {
		st.status.state = found
		s.publishStatus(st)
	}
	f := &st.follower
	if found == f.reported {
		return again
	}
	f.reported = found
	st.report(WatchState, Event{State: found})
	st.notify()
	if s.onState != nil {
		s.onState()
	}
	return again
}

// stopFollowing reports the end of the program, the last state.
func (s *Session) stopFollowing(st *state) {
	f := &st.follower
	if f.timer != nil {
		f.timer.Stop()
	}
	st.status.state, f.reported = StateEnded, StateEnded
	st.report(WatchState, Event{State: StateEnded})
}

// StateOptions say which states to wait for.
type StateOptions struct {
	// States are the states to wait for. Without any, the wait ends when the session needs
	// somebody: in StateLine or StateSecret, unless a person is being asked, or in StatePrompt
	// after a command has ended.
	States []State
	// LastGeneration, if not nil, is a generation that the caller knows: the wait lasts until there
	// is something newer.
	LastGeneration *uint64
	// MaxWait is how long to wait; 0 means DefaultWait. It is at most MaxWait.
	MaxWait time.Duration
}

// An Attained is the result of waiting for a state.
type Attained struct {
	State      State
	Screen     *vt.Snapshot
	Generation uint64 // for LastGeneration
	ExitCode   *int   // at a prompt: of the command before, if the shell reported one
}

// WaitState waits until the session is in one of the states. The error is of kind Timeout after
// MaxWait, and Gone when the program ends, unless that was waited for.
func (s *Session) WaitState(ctx context.Context, o StateOptions) (Attained, error) {
	for _, state := range o.States {
		if !slices.Contains(States, state) {
			return Attained{}, fault.New(fault.Invalid, "there is no state %.40q: states are running, prompt, line, secret, fullscreen and ended", string(state))
		}
	}
	ctx, cancel := within(ctx, o.MaxWait, "session %q was in none of the states within %v: look at its screen", s.Name())
	defer cancel()
	err := s.do(ctx, func(st *state) error {
		st.follower.awaited++
		if st.status.exit == nil {
			s.reportState(st, time.Now())
			s.followIn(st, settleTime)
		}
		return nil
	})
	if err != nil {
		return Attained{}, err
	}
	defer s.exec.Post(func() { s.st.follower.awaited-- })
	var got Attained
	err = s.await(ctx, func(st *state) (verdict, error) {
		f := &st.follower
		known := o.LastGeneration != nil && st.idle.Generation() <= *o.LastGeneration
		if !known && o.accept(f) && !(len(o.States) == 0 && st.status.asked && isRequestState(f.reported)) {
			got = Attained{State: f.reported, Screen: st.snapshot(), Generation: st.idle.Generation()}
			if f.reported == StatePrompt {
				got.ExitCode = st.shell.exit
			}
			return verdict{over: true}, nil
		}
		if st.status.exit != nil {
			return verdict{}, s.goneError(*st.status.exit)
		}
		return verdict{}, nil
	})
	if fault.KindOf(err) == fault.Gone && o.accept(&follower{reported: StateEnded}) {
		// The session was removed, maybe before the wait has seen the end of its program.
		select {
		case <-s.ended:
			return s.last, nil
		default:
		}
	}
	return got, err
}

// accept reports whether the reported state is waited for.
func (o *StateOptions) accept(f *follower) bool {
	if len(o.States) > 0 {
		return slices.Contains(o.States, f.reported)
	}
	switch f.reported {
	case StateLine, StateSecret:
		return true
	case StatePrompt:
		return f.commands > 0
	}
	return false
}
