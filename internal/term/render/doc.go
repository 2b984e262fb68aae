// Package render makes the picture of a session: its program's screen, with
// panels around it and overlays above. A [Frame] is the picture; it can be read
// as text, or shown on a real terminal by [AppendDiff], which writes what has
// changed since another frame.
//
// The picture is made from the model each time, so nothing is ever lost under an
// overlay. The package does no I/O, starts no goroutine and reads no clock.
package render
