// Package overlay is the model of what an agent shows on a terminal beside the
// program's own screen, and of who gets the person's keys.
//
// An overlay floats above the screen. A panel takes rows at the top or bottom
// away from the program. Both belong to the screen, primary or alternate, that
// showed when they were made, and are seen with it only; those of the alternate
// screen go when it closes. The model only says what is where: the program's
// screen is never written to, so what an overlay covered is there again when the
// overlay moves or goes. Package render makes the picture.
//
// The package does no I/O, starts no goroutine and reads no clock. A [Model]
// belongs to one goroutine at a time; a [View] never changes and may be read
// anywhere.
package overlay
