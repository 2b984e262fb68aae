//go:build linux || darwin

package pty_test

import (
	"bufio"
	"bytes"
	"testing"
)

// WriteNow writes what there is room for, and returns although the program reads nothing.
func TestWriteNow(t *testing.T) {
	p := sh(t, "stty raw -echo; echo ready; exec sleep 1000")
	await(t, bufio.NewReader(p), "ready")
	if p.WriteNow([]byte("x")) != 1 {
		t.Skip("on this system, all input is left to Write")
	}
	all := bytes.Repeat([]byte("x"), 1<<20)
	if n := p.WriteNow(all); n < 1000 || n == len(all) {
		t.Errorf("a program that reads nothing has got %d bytes of %d", n, len(all))
	}
}
