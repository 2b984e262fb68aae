package vt

// An Effect is something for the terminal's owner to do. It is one of the types below.
type Effect any

type (
	// Reply answers the program: write it to the program's input, in order with other input.
	Reply struct{ Data []byte }

	// Bell is BEL.
	Bell struct{}

	// Title reports a new window title, without control characters.
	Title struct{ Text string }

	// Clipboard is a request to set the clipboard, or to send its contents to the program if Query
	// is set (OSC 52). The terminal answers neither: the owner decides whether a program may read
	// the clipboard. Selection holds letters such as "c" (clipboard) and "p" (primary). Without
	// Data and Query, it is a request to clear.
	Clipboard struct {
		Selection string
		Data      []byte
		Query     bool
	}

	// Prompt reports a shell's mark.
	Prompt struct{ Mark Mark }

	// Healed reports that the terminal has carried out Undo by itself, as if a program had written
	// it before the sequence that ends with Mark. After that, it has the same effect.
	Healed struct{ Mark, Undo []byte }

	// Notification is a message for the person (OSC 9, OSC 99, OSC 777), without control
	// characters. Title may be empty.
	Notification struct{ Title, Body string }

	// Progress is the program's progress (OSC 9;4).
	Progress struct {
		State   ProgressState
		Percent int // 0 to 100
	}
)

// A ProgressState is the meaning of a progress report.
type ProgressState uint8

const (
	ProgressNone ProgressState = iota // no progress to report
	ProgressNormal
	ProgressError
	ProgressIndeterminate
	ProgressPaused
)
