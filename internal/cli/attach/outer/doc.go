// Package outer handles the person's own terminal, on which an attached client draws: how to
// prepare and restore it, and which of its input is for the client rather than for the session.
//
// The package does no I/O, starts no goroutine and reads no clock.
package outer
