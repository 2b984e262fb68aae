// Package lookback lets a person look back at a terminal's text without a mouse: scroll, search,
// jump between commands, select and copy, with the keys of less and tmux. It takes keys and text,
// and makes pictures of the size of the person's terminal. The text stays still while output goes
// on.
//
// It does no I/O, starts no goroutine and reads no clock. It does not know how its pictures reach
// the person, and puts nothing on a clipboard itself.
//
// A [vt.Terminal] has the text: history and screen. A [Model] begins with one and takes keys
// and reports of the mouse; each returns what is to happen outside, such as text to copy, and Frame
// draws what the person sees then. A [Finder] searches in steps, between which the model takes
// keys. Positions are as in package vt: a change of width moves them with the text, and what has
// been dropped from the history ends at its oldest line.
package lookback
