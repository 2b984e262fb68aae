// Package tty has the words for what a system tells about a terminal and the programs on it. It
// asks no system: package pty does, and models take the answers as values.
package tty

import "time"

// A Mode is what a terminal does with what is typed on it, as the program has set it.
type Mode uint8

const (
	ModeUnknown Mode = iota // the system does not tell, or the terminal is closed
	ModeLines               // the program gets whole lines, which the terminal echoes
	ModeSecret              // the program gets whole lines, which nobody sees
	ModeKeys                // the program gets keys one by one
)

// A Reading says whether a program waits for input from its terminal.
type Reading uint8

const (
	// ReadingUnknown: the system does not tell, or the program waits for several things at once, of
	// which the terminal may be one.
	ReadingUnknown Reading = iota
	// Reads: a process of the job in the foreground is blocked in reading from the terminal.
	Reads
	// ReadsNot: no process of the job in the foreground waits for input.
	ReadsNot
)

// An Exit is the way a program ended.
type Exit struct {
	// Code is the exit status, or 128 plus the number of the signal, as in shells.
	Code int
	// Signal is the signal that ended the program, such as "SIGTERM", or "" if it exited.
	Signal string
}

// A Foreground describes the job in the foreground of a terminal, as far as the system tells.
type Foreground struct {
	PID  int    // of its first process; 0 if nothing is known
	Name string // of the program, or ""
	Dir  string // its working directory, or ""
}

// A Command is what the first process of a job executes, as far as the system tells.
type Command struct {
	Args    []string  // its name and its arguments; nil if they are not known
	Started time.Time // when the process began, or a hundredth of a second later; zero if not known
	Fed     bool      // what it reads is known not to be the terminal, but a file or the output of another process
}
