//go:build linux || darwin

package pty_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
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

// Programs heed the signals that their server was started to ignore.
func TestSignalsAreNotInherited(t *testing.T) {
	const again = "PTY_TEST_IGNORES"
	if os.Getenv(again) == "" {
		cmd := exec.Command("/bin/sh", "-c", `trap '' HUP INT; exec "$0" -test.run='^TestSignalsAreNotInherited$'`, os.Args[0])
		cmd.Env = append(os.Environ(), again+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with ignored signals: %v\n%s", err, out)
		}
		return
	}
	for _, name := range []string{"HUP", "INT"} {
		p := sh(t, "echo ready; kill -"+name+" $$; echo survived; read x")
		out := bufio.NewReader(p)
		await(t, out, "ready")
		if line, err := out.ReadString('\n'); err == nil {
			t.Errorf("after SIG%s: %q", name, line)
		}
	}
}
