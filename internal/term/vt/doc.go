// Package vt turns a program's output into screens. It implements the part of
// ECMA-48, DEC's VT420 and xterm's control sequences that programs use today.
//
// It does no I/O, starts no goroutine and reads no clock. Bytes go in through
// [Terminal.Write]; what the terminal must say back to the program, and what
// happens beside the screen (a title, a bell, a request for the clipboard),
// comes out as an [Effect]; and pictures come out as [Snapshot] values, which
// never change and may be read anywhere.
//
// A terminal cannot refuse input. What is malformed or unknown is ignored, as
// terminals do, and everything that a program can make grow has a limit: so
// any bytes at all are harmless.
//
// # Lines
//
// A line of the primary screen has a number that counts from the first line the
// terminal ever had. Output moves lines from the screen into the history and,
// when it is full, out of it, but never renumbers what is in the history: see
// [Terminal.Lines]. Only a change of width does, since it cuts wrapped text
// anew, and it counts that in [Snapshot.Layout].
//
// # Widths
//
// A cell holds a grapheme cluster, one or two columns wide, by the tables of
// github.com/clipperhouse/displaywidth. Mode 2027 (grapheme clustering) is on
// from the start: a pictograph with its skin tone, pictographs joined by ZERO
// WIDTH JOINER, and the two letters of a flag take one cell each, and VARIATION
// SELECTOR-16 makes a pictograph wide. When a program turns the mode off, each
// code point counts for itself, as wcwidth counts it. In both, what has no width
// joins the cell before it, and marks that take room of their own (THAI SARA AM,
// DEVANAGARI VISARGA) have their own cell, since every program that counts
// columns counts them.
package vt
