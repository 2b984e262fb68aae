// Package term has the terminals that an agent and a person share: sessions, each a program on a
// pseudo-terminal with the screen that it draws. A [Registry] holds them by name.
//
// A session whose program has ended can still be read, with its exit status, until it is removed or
// has lingered long enough.
package term

import (
	"io"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
)

// A Process is a program on a terminal, as returned by [pty.Start]. A session reads from one
// goroutine and writes from another.
type Process interface {
	io.ReadWriter
	PID() int
	// Resize must not block.
	Resize(cols, rows int) error
	// Asks reports whether the program reads the keyboard itself.
	Asks() bool
	// Ended returns a channel that is closed when the program has ended.
	Ended() <-chan struct{}
	// Exit returns how it ended, and blocks until then.
	Exit() pty.Exit
	// Signal sends a signal to the job in the foreground. It may wait while the program is killed.
	Signal(name string) error
	// SignalKey sends the signal that the terminal has for a key, and reports whether there is one.
	// It drops unread input, interrupts Write, and must not block.
	SignalKey(key byte) bool
	// Foreground describes the job in the foreground. It must not block.
	Foreground() pty.Foreground
	// Kill ends the program and all its processes, and returns when they have ended.
	Kill(grace time.Duration) error
	// Close releases the terminal, and interrupts Read and Write.
	Close() error
}

// Limits.
const (
	MaxName      = 64      // bytes of a session's name, or of a tag
	MaxTags      = 64      // for each session
	MaxInput     = 1 << 20 // bytes of input that wait for the program to read them
	MaxWait      = 5 * time.Minute
	readSize     = 16 << 10 // bytes of output that are read at once: 4 KiB cost a coloured flood a third more processor time
	killGrace    = 3 * time.Second
	syncPatience = time.Second // how long a program may hold back its picture
)

// Defaults.
const (
	DefaultCols, DefaultRows = 80, 24
	DefaultScrollback        = 10_000
	DefaultSessions          = 256
	DefaultClients           = 64
	DefaultLinger            = 10 * time.Minute
	DefaultSilence           = 2 * time.Second
	DefaultWait              = 30 * time.Second
)

// Details of errors.
const (
	InvalidName      fault.Detail = "invalid_session_name"
	InvalidTag       fault.Detail = "invalid_tag"
	TooManySessions  fault.Detail = "max_sessions_reached"
	CreateFailed     fault.Detail = "session_create_failed" // by no fault of the request
	NotTyped         fault.Detail = "line_not_typed"
	Stopping         fault.Detail = "server_unavailable" // the registry is being closed
	NotAllowed       fault.Detail = "not_allowed"        // the caller's rights do not cover the session
	NotQuiet         fault.Detail = "idle_timeout"
	NoRecording      fault.Detail = "no_recording"
	AlreadyRecording fault.Detail = "already_recording"
	NoPrompts        fault.Detail = "no_prompts"  // the program marks none
	NoSessions       fault.Detail = "no_sessions" // to wait for
)
