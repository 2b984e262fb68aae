package core

import (
	"slices"
	"time"

	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A State says what a session is doing. The comment of package term defines the states.
type State string

const (
	StateRunning    State = "running"
	StatePrompt     State = "prompt"
	StateLine       State = "line"
	StateSecret     State = "secret"
	StateFullScreen State = "fullscreen"
	StateEnded      State = "ended"
)

// How the state is followed. Marks, output and input change it at once. Nothing announces what only
// the terminal and the system know, such as that a program has changed a mode of the terminal: the
// session looks after activity, and then after pauses that grow with the silence. It stops when
// only activity can change the state.
const (
	settleTime   = 20 * time.Millisecond  // of silence, after which the state is looked up and reported
	lookPause    = 30 * time.Second       // the longest pause between two looks
	awaitedTime  = 250 * time.Millisecond // the same while a caller waits for a state
	togetherFrom = time.Second            // the shortest pause at whose end idle sessions look at the same moment
	keysSilence  = 500 * time.Millisecond // of a program that takes keys, before it counts as waiting
)

type follower struct {
	Due      time.Time     // when to look next; zero: after activity
	Pause    time.Duration // before that look; 0: there is none
	Commands int           // how many have ended
}

// instant returns the state that marks, the screen and the terminal's mode show. The state is
// unknown if only something else can show it.
func (s *Session) instant(mode tty.Mode) (_ State, known bool) {
	p := &s.Shell
	switch {
	case s.Exit != nil:
		return StateEnded, true
	case mode == tty.ModeSecret:
		if s.sys.Pending() { // the secret, which was entered
			return StateRunning, false
		}
		return StateSecret, true
	case s.sys.Input().Modes.Has(vt.ModeAltScreen):
		return StateFullScreen, true
	case p.Phase == PhaseEditing || p.Phase == PhaseMore:
		if p.Editor.unread(s.now) > 0 {
			return StateRunning, false
		}
		return StatePrompt, true
	}
	return StateRunning, false
}

// lookUp returns the state, as far as it can be found out, and when to look again even without
// activity: 0 means never.
func (s *Session) lookUp() (State, time.Duration) {
	mode, quiet := s.sys.Mode(), s.now.Sub(s.Idle.At)
	found, known := s.instant(mode)
	switch {
	case found == StateSecret: // programs switch the echo on again without a word
		return found, lookPause
	case known:
		return found, 0
	case quiet < settleTime || s.sys.Behind():
		return StateRunning, settleTime
	case s.Shell.Phase == PhaseEditing || s.Shell.Phase == PhaseMore:
		return StateRunning, settleTime // for as long as the shell may take to read the line
	case s.Shell.Phase == PhaseHooks && s.Shell.Marked && mode == tty.ModeKeys:
		return StatePrompt, 0 // its end is not marked
	case s.sys.Pending():
		return StateRunning, lookPause // the program has not read what was typed
	}
	patience, asks := DefaultSilence, s.sys.Screen().asks()
	if mode == tty.ModeKeys {
		patience, asks = keysSilence, true
	}
	switch reads := s.sys.Reads(); {
	case s.sys.Behind():
		return StateRunning, settleTime
	case reads == tty.ReadsNot:
		return StateRunning, lookPause
	case mode == tty.ModeSecret:
		return StateSecret, lookPause
	case reads == tty.Reads && mode != tty.ModeKeys, asks && quiet >= patience:
		if s.isIdleShell() {
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
// something, as the script of an installer does. So does the session's own shell while its marks
// say that it runs a command: a builtin reads.
func (s *Session) isIdleShell() bool {
	if s.Shell.Phase == PhaseRunning && s.sys.Foreground().PID == s.PID {
		return false
	}
	began, ok := s.sys.Shell()
	last := s.Shell.Editor.Entered
	return ok && (last.IsZero() || last.Before(began))
}

// stir follows activity: the state is looked up when it is over.
func (s *Session) stir() {
	s.State, _ = s.instant(s.sys.Mode())
	s.followIn(settleTime)
}

func (AgentReported) apply(s *Session) error {
	s.stir()
	return nil
}

// followIn looks the state up after a time, or sooner if that is planned already.
func (s *Session) followIn(d time.Duration) {
	f := &s.Follower
	if f.Pause != 0 && f.Pause <= d || s.Exit != nil {
		return
	}
	f.Pause = d
	if d >= togetherFrom {
		d = together(d, s.now)
	}
	f.Due = s.now.Add(d)
}

// together returns how long it is until all sessions look that pause for d: at most d. Waking the
// process takes ten times as long as a look, so it wakes once for all of them.
func together(d time.Duration, now time.Time) time.Duration {
	return d - time.Duration(now.UnixNano())%d
}

// followState looks the state up, reports it if it has changed, and decides when to look again.
func (s *Session) followState() {
	f := &s.Follower
	was := f.Pause
	f.Pause, f.Due = 0, time.Time{}
	s.followExec()
	again := s.reportState()
	if again == 0 {
		return
	}
	if slices.ContainsFunc(s.Waits, func(w *wait) bool { return w.State != nil }) {
		again = min(again, awaitedTime)
	}
	s.followIn(min(again, max(2*was, settleTime)))
}

// followAgent looks up what an agent does that is in a state, and reports whether that has changed.
// While the screen changes, what it shows may be half of a picture.
func (s *Session) followAgent(in State) (changed, unsettled bool) {
	var a agents.Agent
	if in == StateRunning || in == StateLine || in == StateFullScreen {
		a = s.sys.Agent()
	}
	if a == s.Agent {
		return false, false
	}
	if a.Name != "" && s.now.Sub(s.Idle.At) < settleTime {
		return false, true
	}
	s.Agent = a
	return true, false
}

// reportState looks the state up and reports it. It returns when to look again.
func (s *Session) reportState() time.Duration {
	found, again := s.lookUp()
	changed, unsettled := s.followAgent(found)
	if again == 0 && s.Agent.State == agents.Working { // that may end without activity
		again = lookPause
	}
	if unsettled {
		again = settleTime
	}
	s.State = found
	if found != s.Reported {
		s.Reported = found
		s.Reports++
		s.emit(Reported{found})
	} else if !changed {
		return again
	}
	s.notify()
	s.emit(Listed{})
	return again
}

// followExec forgets a shell that another program has replaced, by exec. What marks that makes is
// its own affair.
func (s *Session) followExec() {
	p := &s.Shell
	if p.Phase != PhaseRunning || p.Image == 0 {
		return
	}
	if image := s.sys.Image(); image == 0 || image == p.Image {
		return
	}
	if w := p.Watch; w != nil && w.State == lineOffered {
		i := slices.IndexFunc(s.Waits, func(w *wait) bool { return w.Run != nil })
		s.withdraw(s.Waits[i].Run)
	}
	s.Shell = shell{}
	s.emit(Forget{})
	s.commandOver(vt.Mark{Kind: vt.MarkOutput})
	s.notify()
}
