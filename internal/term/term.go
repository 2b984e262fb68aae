// Package term has the terminals that an agent and a person share: sessions, each a program on a
// pseudo-terminal with the screen that it draws. Package registry holds them by name. A session
// whose program has ended can still be read, with its exit status, until its registry discards it.
//
// # The state of a session
// A session is in the first of these states that applies. No state is guessed from the text on the
// screen.
//
//   - StateEnded: the program has ended, and all its output is on the screen.
//   - StateSecret: the terminal hands over whole lines that it does not echo (ICANON on, ECHO
//     off), as programs set it for passwords.
//   - StateFullScreen: the program uses the alternate screen.
//   - StatePrompt: the shell has marked its prompt (OSC 133), and has read the lines that were
//     typed before. Or the job in the foreground is an interactive shell to which no line was typed
//     since it has begun, and StateLine would apply otherwise.
//   - StateLine: a process of the job in the foreground is blocked in reading from the terminal.
//     On Linux the system tells that. It does not for processes of other users, for those that
//     wait for several things at once, and on other systems; then the cursor must stand after
//     text, and nothing may have happened for 2 seconds. If the program takes keys one by one
//     (ICANON off), half a second of silence is enough, unless the system tells that it does not
//     wait.
//   - StateRunning: anything else.
//
// Beside that, an agent such as claude is known by its command line, and what it does by its title
// and last rows (package agents). That is a guess, for persons, and for callers that wait until the
// session needs somebody.
//
// A prompt that takes keys one by one and hides them, as "read -s -n 1" and sudo with
// pwfeedback have, looks like any other program that takes keys: it is not StateSecret. A program
// that has switched the echo off and works is StateSecret nevertheless.
//
// Changes by output and input are known at once, and reported when nothing has happened for 20 ms.
// Others, such as a mode that a program sets without a word, are found after at most the time that
// the session has been silent, or half a minute, and within 250 ms while a caller waits for a
// state.
//
// # One flow
//
// A [Session] is one program with its screen (vt), its elements (overlay) and its model (core). A
// [Viewer] is a person's attached terminal; a [Watcher] gets the changes since its last update.
//
//	program → pty → vt ─┐                      ┌→ watchers, viewers
//	                    ├→ executor: core.Apply ┤
//	callers: Input, Run ┘                      └→ actions: write, signal, answer
//
// Everything about a session happens on its executor, in one order. The model decides, given facts
// of the system and the time, and returns actions, which apply.go carries out; so a recorded list
// of inputs replays a session. Nothing on the executor waits for a program, a person or a caller.
package term

import (
	"io"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/term/typeahead"
)

// A Process is a program on a terminal, as returned by [pty.Start], which says what its methods do.
// A session reads from one goroutine and writes from another.
type Process interface {
	io.Reader
	typeahead.Program
	PID() int

	// These must not block.
	Resize(cols, rows int) error
	Mode() tty.Mode
	HasOutput() bool
	HasInput() bool
	Reads() tty.Reading
	Ended() <-chan struct{}
	HasSignalKey(input []byte) bool
	Foreground() tty.Foreground
	Command() tty.Command
	FindInJob(known int, match func(args []string) bool) int
	Image() uint64

	Exit() tty.Exit
	Signal(name string) error
	Kill(grace time.Duration) error
	Close() error // interrupts Read and Write
}

// Limits.
const (
	MaxWait      = 5 * time.Minute
	readSize     = 16 << 10         // bytes of output that are read at once: 4 KiB cost a coloured flood a third more processor time
	floodChunk   = 1 << 10          // bytes from which on a chunk of output is one of a flood
	turnBytes    = 64 << 10         // of a flood before that of others
	turnPatience = time.Millisecond // how long a reader keeps its slot without output
	killGrace    = 3 * time.Second
	syncPatience = time.Second // how long a program may hold back its picture
)

// Defaults.
const (
	DefaultWait = 30 * time.Second
)

// Details of errors.
const (
	NotQuiet       fault.Detail = "idle_timeout"
	UnknownCommand fault.Detail = "command_not_found"
)
