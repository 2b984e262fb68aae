// Package cells has rows of text as terminals show them: in columns, where a character can take
// two. It lays out text that does not come from a program, and paints rows over one another without
// leaving halves of wide characters. It does no I/O, starts no goroutine and reads no clock.
// Package vt does the layout: it alone knows the width of characters.
package cells
