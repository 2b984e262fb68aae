// Package vt turns a program's output into screens. It implements the part of ECMA-48, DEC's VT420
// and xterm's control sequences that programs use today. It does no I/O, starts no goroutine and
// reads no clock. Bytes go in through [Terminal.Write]. Replies to the program and events outside
// the screen (a title, a bell, a clipboard request) come out as an [Effect]. Pictures come out as
// [Snapshot] values, which are immutable and may be read from any goroutine. A terminal cannot
// refuse input. Malformed and unknown sequences are ignored, as in other terminals, and everything
// that a program can make grow has a limit, so arbitrary bytes are harmless.
//
// # Lines
// Each line of the primary screen has a number, counted from the first line the terminal ever had.
// Output moves lines from the screen into the history and, when that is full, drops the oldest, but
// never renumbers the lines of the history: see [Terminal.Lines]. Only a change of width renumbers
// lines, because it rewraps text; [Snapshot.Layout] counts these.
//
// # Widths
//
// A cell holds a grapheme cluster, one or two columns wide, by the tables of
// github.com/clipperhouse/displaywidth, with the combining marks of Unicode 17. SOFT HYPHEN and the
// format characters that are drawn before digits take one column. Mode 2027 (grapheme clustering)
// is on initially: a pictograph with its skin tone, pictographs joined by ZERO WIDTH JOINER, and
// the two letters of a flag take one cell each, and VARIATION SELECTOR-16 makes a pictograph wide.
// When a program turns the mode off, each code point has its own width, as in wcwidth. In both
// modes, zero-width characters join the cell before them, and spacing marks (THAI SARA AM,
// DEVANAGARI VISARGA) have a cell of their own, because every program that counts columns counts
// them.
package vt
