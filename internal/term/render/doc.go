// Package render makes the picture of a session: the program's screen, with panels around it and
// overlays above it. A [Frame] is the picture. It can be read as text, or shown on a real terminal
// by a [Display], which writes the difference from the frame before. The picture is composed from
// the screen and the model each time, so no text is ever lost under an overlay. The package does no
// I/O, starts no goroutine and reads no clock.
package render
