// Package picture draws frames of sessions for people and models that look at them: as HTML, SVG
// and PNG. All three have the same geometry and colours. Backgrounds, lines below text, cursors,
// box drawing, blocks and braille are drawn by code, so that they join exactly whatever the font;
// only the rest is text.
//
// The package does no I/O, starts no goroutine and reads no clock. Its fonts are embedded; see
// fonts/README.md for their origin and licences.
package picture
