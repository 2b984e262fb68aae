// Package core is the model of a terminal session: what its program does, which input came from
// whom, and who waits for what. [Session.Apply] takes what happens, one input after the other, and
// returns what is to be done about it. It does no I/O, starts no goroutine and reads no clock, so
// that a test can replay whatever has happened. A [Session] is plain data, which encoding/json
// writes and reads again.
//
// The screen is not here: package vt is a model of its own. What Apply must know of it, and of the
// system, it asks a [System].
//
// # What passes through
//
// An [Input] is output, a shell's mark, something typed, a caller that begins to wait, or the
// timer. Apply lets it change the state, then looks at who waits (a [Run], for silence, for a
// prompt, for a permission), and returns each [Action] in its order: write, answer, set the timer.
// The state of a run has three parts: the shell as its marks describe it, what hinders a line from
// being read, and the fate of the line that the shell's editor has taken:
//
//	Run → hinders → offer, or write → marks, or silence → Ran
//
// What always holds: no line is typed where it may not be read, no outcome is reported that no mark
// has shown, and a list of inputs with the answers of the system gives the same actions again.
package core

import (
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/agents"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/vt"
)

// A Session is what is known of a terminal session. Create it with [New]. Only Apply changes it;
// other packages read its fields.
type Session struct {
	Public

	PID         int    // of the program
	Interactive bool   // the program is the person's shell, and not a command
	MaxLine     int    // the longest line that the terminal hands over whole, in bytes; 0: unlimited
	Creator     Sender // who has created the session
	Created     time.Time

	Follower  follower
	Shell     shell
	CommandAt time.Time // when the command that runs began
	Inputs    uint64    // how often input was sent
	Paste     openPaste // of a person
	Requests  requests
	Ledger    Ledger
	Absent    time.Time // when the keyboard is given back if no person comes; zero: never
	Terminals []terminal
	Waits     []*wait   // in the order in which they began
	Unready   time.Time // since when nothing but a moment hinders a line; zero: something else did
	Due       time.Time // when the timer rings; zero: it is not set

	// The following is there during a call of Apply only.
	sys     System
	now     time.Time
	out     []Action
	changed bool // something has happened that a wait may be for
}

// A Public is what describes a session to everybody. What it points to never changes.
type Public struct {
	State State
	// Reported is the newest state that watchers get, once it has lasted for a moment, and Reports
	// how many they have got so far: events and what describes a session may reach a caller in any
	// order.
	Reported    State
	Reports     uint64
	Agent       agents.Agent // in the foreground, with what it seems to do
	Exit        *tty.Exit    // nil while the program runs
	Idle        Activity
	LastCommand *Command  // the newest of its shell; nil before the first
	PersonAsked bool      // a person is being asked for what the program waits for
	Persons     int       // how many terminals are attached on which a person may type
	Keyboard    *Keyboard // nil unless only persons may type now
	Sizing
}

// Activity is the last sign of it: output or input.
type Activity struct {
	At    time.Time
	Count uint64 // of such signs: the generation
}

// Options are what a session begins with.
type Options struct {
	PID         int
	Interactive bool
	MaxLine     int // of a line that the terminal hands over, in bytes; 0: unlimited
	Creator     Sender
	Shell       string // name of the program that marks its prompts, or ""
	Cols, Rows  int    // of the whole screen
}

// New returns the session of a program that has just started.
func New(o Options, now time.Time) *Session {
	return &Session{
		PID: o.PID, Interactive: o.Interactive, MaxLine: o.MaxLine, Creator: o.Creator, Created: now,
		Public: Public{State: StateRunning, Reported: StateRunning, Idle: Activity{At: now}, Sizing: Sizing{Cols: o.Cols, Rows: o.Rows, SizeRule: SizeLeader}},
		Shell:  shell{Program: o.Shell},
	}
}

// A System tells what the system, the screen and callers know. It must not block, nor call Apply.
type System interface {
	// Name is what the session is called in errors.
	Name() string
	// Mode is what the terminal does with what is typed.
	Mode() tty.Mode
	// Reads reports whether the program waits for input.
	Reads() tty.Reading
	// Unread reports whether output has been read that is not on the screen yet.
	Unread() bool
	// Behind reports whether the program has written something that is not on the screen yet. Who
	// asks whether the program waits must ask this afterwards: otherwise a program that has written
	// and gone on to wait in between seems to wait at the old screen.
	Behind() bool
	// Foreground describes the job in the foreground.
	Foreground() tty.Foreground
	// Agent returns which agent that job is and what it does, or the zero value.
	Agent() agents.Agent
	// Shell returns when the first process of that job began, if that is an interactive shell which
	// reads from the terminal.
	Shell() (began time.Time, ok bool)
	// Image returns a number for what the program's process executes, or 0 if it is not known.
	Image() uint64
	// Accepts returns why input cannot be queued now, or nil.
	Accepts(input []byte) error
	// Busy reports whether there is input that the program's terminal has not taken.
	Busy() bool
	// Pending reports whether there is input that no program has read, as far as the system tells.
	// Who asks whether the program waits for more must ask this before: a program that has not got
	// its input yet seems to wait, too.
	Pending() bool
	// Input is the program's input mode.
	Input() vt.Input
	// Screen describes the program's screen.
	Screen() Screen
	// Prompt returns the text before the cursor.
	Prompt() string
	// CommandLine returns the line that was typed before the mark of a command's output.
	CommandLine(output vt.Mark) string
	// Offer lets the shell's editor take a line: see [readyKey]. Offers have numbers from 1.
	Offer(n int, line string) error
	// Withdraw ends the newest offer, unless the editor has taken the line, of which the mark may
	// still be to come: then it reports false.
	Withdraw() bool
	// Permitted returns why the line of a [Run] must not be typed any more, or nil.
	Permitted(run uint64, input []byte) error
}

// A Screen is what a model of the session must know of its screen.
type Screen struct {
	Alternate bool
	Cursor    vt.Position // in the text
	Layout    uint64      // of the line numbers
}

// asks reports whether the screen looks like a question: a program that works ends its lines.
func (s Screen) asks() bool { return s.Alternate || s.Cursor.Col > 0 }

// DefaultSilence is the silence after which a program counts as waiting, where nothing else tells.
const DefaultSilence = 2 * time.Second

// How long to wait for overdue marks.
const (
	silentGrace = 300 * time.Millisecond // for a command that shows nothing at all
	markGrace   = 200 * time.Millisecond // between marks that belong together
	beginGrace  = DefaultSilence         // for a shell to begin a command
	forkGrace   = time.Second            // for a shell to start the program of a command
	beginPause  = 5 * time.Millisecond   // between looks whether it has
	startGrace  = 5 * time.Second        // for a program to start, if nothing reveals when it has
	editorGrace = time.Second            // for a line editor that has started to mark its prompt, or to answer a key of ours
	answerGrace = 5 * time.Second        // for the shell to drop a line, and for a hook to go on
)

// lateTime is by how much the timer is late when this process was stopped, or had no processor. A
// line may have been typed only after that, and the program may have been stopped, too.
const lateTime = 500 * time.Millisecond

// recheck is how often to check conditions that no input announces, at the most.
const recheck = 50 * time.Millisecond

// soonest is how often to look, while there is output, for what has been about to be for some time.
const soonest = 5 * time.Millisecond

// soon is recheck for what is about to be: the longer nothing has happened, the longer it takes. It
// grows also while there is output all the time.
func (s *Session) soon() time.Duration {
	if s.Unready.IsZero() {
		s.Unready = s.now
	}
	least := min(max(s.now.Sub(s.Unready)/4, time.Millisecond), soonest)
	return min(max(s.now.Sub(s.Idle.At), least), recheck)
}

// Details of errors.
const (
	NotTyped     fault.Detail = "line_not_typed"
	NotPermitted fault.Detail = "not_permitted" // to type
	RequestOver  fault.Detail = "request_over"  // the program does not ask for that any more
)

func (s *Session) gone() error { return Gone(s.sys.Name(), *s.Exit) }

// Gone returns the error of what needs a session's program after it has ended.
func Gone(session string, e tty.Exit) error {
	if e.Signal != "" {
		return fault.New(fault.Gone, "the program of session %q was ended by %s; its last screen can still be read", session, e.Signal)
	}
	return fault.New(fault.Gone, "the program of session %q has exited with status %d; its last screen can still be read", session, e.Code)
}
