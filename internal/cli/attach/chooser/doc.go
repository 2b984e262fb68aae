// Package chooser is what a client displays of its own on a person's terminal: a list of sessions
// from which the person chooses one, a line in which they give the session another name, and the
// keys. It takes keys and lists, and makes pictures of the size of the terminal.
//
// It does no I/O, starts no goroutine and reads no clock. It neither attaches nor renames: it says
// what the person wants.
package chooser
