package vt

// An Effect is something that must happen outside the terminal. It is one of
// the types below.
type Effect interface{ effect() }

type (
	// Reply is what the terminal answers to the program: write it to the
	// program's input, in order with other input.
	Reply struct{ Data []byte }

	// Bell is BEL.
	Bell struct{}

	// Title says that the window's title changed. Control characters are removed.
	Title struct{ Text string }

	// IconName says that the icon's name changed. Control characters are removed.
	IconName struct{ Text string }

	// WorkingDirectory says that the program reported its directory (OSC 7, or
	// OSC 9;9).
	WorkingDirectory struct{ Directory }

	// Clipboard is a request to set the clipboard, or, when Query is set, to
	// tell the program what is in it (OSC 52). The terminal answers neither:
	// whether a program may read the clipboard is the owner's decision.
	// Selection holds letters such as "c" (clipboard) and "p" (primary).
	// No Data and no Query asks to clear it.
	Clipboard struct {
		Selection string
		Data      []byte
		Query     bool
	}

	// Prompt is a shell's mark: see [Mark].
	Prompt struct{ Mark Mark }

	// Notification is a message for the person (OSC 9, OSC 777). Control
	// characters are removed. Title may be empty.
	Notification struct{ Title, Body string }

	// Progress is how far the program says it is (OSC 9;4).
	Progress struct {
		State   ProgressState
		Percent int // 0 to 100
	}
)

// A ProgressState says what a progress report means.
type ProgressState uint8

const (
	ProgressNone ProgressState = iota // nothing is going on
	ProgressNormal
	ProgressError
	ProgressIndeterminate
	ProgressPaused
)

func (Reply) effect()            {}
func (Bell) effect()             {}
func (Title) effect()            {}
func (IconName) effect()         {}
func (WorkingDirectory) effect() {}
func (Clipboard) effect()        {}
func (Prompt) effect()           {}
func (Notification) effect()     {}
func (Progress) effect()         {}
