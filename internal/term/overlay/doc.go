// Package overlay models the elements that agents show on a terminal in addition to the program's
// screen, and decides who gets the person's keys. An overlay floats above the screen. A panel takes
// rows at the top or bottom away from the program. Both belong to the screen, primary or alternate,
// that was active when they were created, and are visible only with it; those of the alternate
// screen are removed when it closes. The model never writes to the program's screen, so the text
// under an overlay reappears when the overlay moves or goes. Package render makes the picture. The
// package does no I/O, starts no goroutine and reads no clock. A [Model] is not safe for concurrent
// use; a [Snapshot] is immutable.
//
// An [Op] creates, changes or removes an element, or gives it the focus; a list of them happens as
// one or not at all. Keys arrive as bytes: a [Splitter] for each person divides them into keys, and
// Input gives each key to the element that has the focus or captures input, or else to the program.
package overlay
