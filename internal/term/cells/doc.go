// Package cells holds rows of text as terminals show them: in columns, where a
// character may take two. It lays out text that does not come from a program,
// and lays rows over one another without leaving halves of wide characters.
//
// It does no I/O, starts no goroutine and reads no clock. How wide characters
// are is decided by package vt alone, which does the layout.
package cells
