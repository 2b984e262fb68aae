// Package render makes the picture of a session: the program's screen, with panels around it and
// overlays above it. A [Frame] is the picture. It can be read as text, or shown on a real terminal
// by a [Display], which writes the difference from the frame before. The picture is composed from
// the screen and the model each time, so no text is ever lost under an overlay. The package does no
// I/O, starts no goroutine and reads no clock.
//
// # What passes through
//
//	vt.Snapshot and overlay.View → Composer → Frame → Display → bytes for the person's terminal
//	                                                → text, or package picture
//
// A [Composer] reuses the rows that have not changed, and a Frame is immutable: who displays it may
// take as long as it needs. A Display knows what it has drawn before, and moves rows where that
// takes fewer bytes. What a terminal shows after the difference is what it would show after the
// whole picture, whatever the frame before. [Foreign] lets pictures of other hosts do no more.
package render
