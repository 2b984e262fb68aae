//go:build linux || darwin

package pty_test

import (
	"io"
	"testing"

	"ui-mcp/internal/testkit/wait"
)

func TestHasOutput(t *testing.T) {
	p := sh(t, "read a; echo $a; exec sleep 1000")
	if p.HasOutput() {
		t.Error("HasOutput before there is any")
	}
	if _, err := p.Write([]byte("word\n")); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "there is output", p.HasOutput)
	if _, err := io.ReadFull(p, make([]byte, len("word\r\nword\r\n"))); err != nil {
		t.Fatal(err)
	}
	if p.HasOutput() {
		t.Error("HasOutput when all has been read")
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if p.HasOutput() {
		t.Error("HasOutput of a closed terminal")
	}
}
