package pty

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
