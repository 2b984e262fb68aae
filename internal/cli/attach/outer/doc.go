// Package outer handles the person's own terminal, on which an attached client draws: which
// questions to ask it first, how to restore it afterwards, and which of its input is for the client
// rather than for the session. Terminals answer the questions whenever they like, among the
// person's keys, and the client draws without waiting for that.
//
// The package does no I/O, starts no goroutine and reads no clock.
package outer
