// Package lookback lets a person look back at a terminal's text without a mouse: scroll, search,
// jump between commands, select and copy, with the keys of less and tmux. It takes keys and text,
// and makes pictures of the size of the person's terminal. The text stays still while output goes
// on.
//
// It does no I/O, starts no goroutine and reads no clock. It does not know how its pictures reach
// the person, and puts nothing on a clipboard itself.
package lookback
