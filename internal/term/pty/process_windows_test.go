package pty_test

import (
	"bufio"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
)

func start(t *testing.T, args ...string) *pty.Process {
	t.Helper()
	p, err := pty.Start(pty.Options{
		Path: "cmd.exe", Args: append([]string{"/d"}, args...), Env: pty.Environment(os.Environ(), nil), Cols: 80, Rows: 24,
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExit(t *testing.T) {
	p := start(t, "/c", "echo hello& exit 7")
	out, err := io.ReadAll(p)
	if err != nil || !strings.Contains(string(out), "hello") {
		t.Errorf("output %q, %v", out, err)
	}
	if e := p.Exit(); e.Code != 7 {
		t.Errorf("exit %+v", e)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestTypeResizeKill(t *testing.T) {
	p := start(t)
	over := make(chan struct{})
	seen := make(chan struct{})
	go func() {
		defer close(over)
		r := bufio.NewReader(p)
		var all strings.Builder
		for told := false; ; {
			b, err := r.ReadByte()
			if err != nil {
				return
			}
			all.WriteByte(b)
			if !told && strings.Contains(all.String(), "typedword") {
				told = true
				close(seen)
			}
		}
	}()
	if err := p.Resize(100, 30); err != nil {
		t.Error(err)
	}
	if _, err := p.Write([]byte("echo typed^word\r")); err != nil {
		t.Error(err)
	}
	select {
	case <-seen:
	case <-time.After(20 * time.Second):
		t.Error("what was typed did not run")
	}
	if err := p.Kill(0); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	<-over
}

func TestStartRefuses(t *testing.T) {
	for _, o := range []pty.Options{
		{Path: "cmd.exe", Dir: `C:\does\not\exist`, Cols: 80, Rows: 24},
		{Path: "no-such-program", Cols: 80, Rows: 24},
	} {
		if _, err := pty.Start(o); fault.KindOf(err) != fault.Invalid {
			t.Errorf("Start(%+v) = %v", o, err)
		}
	}
}
