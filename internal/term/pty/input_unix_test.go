//go:build linux || darwin

package pty_test

import (
	"bufio"
	"io"
	"syscall"
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
	must(t, p.Close())
	if p.HasOutput() {
		t.Error("HasOutput of a closed terminal")
	}
}

// Input is there from the moment it is written until a program reads it. A line that is not whole
// is there only where the terminal hands over keys.
func TestHasInput(t *testing.T) {
	for _, tt := range []struct {
		name, setting string
		keys          bool
	}{
		{"lines", "icanon", false},
		{"keys", "-icanon", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := sh(t, "stty "+tt.setting+" -echo; trap 'exec cat' USR1; sleep 1000 & echo ready; wait; wait")
			out := bufio.NewReader(p)
			await(t, out, "ready")
			if p.HasInput() {
				t.Error("HasInput before there is any")
			}
			for _, in := range []struct {
				text string
				want bool
			}{{"wo", tt.keys}, {"rd\n", true}} {
				if _, err := p.Write([]byte(in.text)); err != nil {
					t.Fatal(err)
				}
				if got := p.HasInput(); got != in.want {
					t.Errorf("HasInput = %t after %q", got, in.text)
				}
			}
			must(t, syscall.Kill(p.PID(), syscall.SIGUSR1))
			await(t, out, "word")
			if p.HasInput() {
				t.Error("HasInput when all has been read")
			}
			must(t, p.Close())
			if p.HasInput() {
				t.Error("HasInput of a closed terminal")
			}
		})
	}
}
