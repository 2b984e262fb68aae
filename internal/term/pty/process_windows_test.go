package pty_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term/pty"
)

// Most commands here name the console, although they would write to it anyway, because under Wine
// programs do not get handles of a pseudo-console by default, and it cannot be resized.
// TestStandardHandles and TestResize do not name it, so they need Windows.

// patience is how long a test waits for an event that must happen.
const patience = 2 * time.Minute

func start(t *testing.T, args ...string) *pty.Process {
	t.Helper()
	p, err := pty.Start(pty.Options{
		Path: "cmd.exe", Args: append([]string{"/d"}, args...), Cols: 80, Rows: 24,
		Env: pty.Environment(os.Environ(), map[string]string{"GREETING": "hällo"}),
	})
	must(t, err)
	return p
}

// A screen collects the output of a process until it ends.
type screen struct {
	t    *testing.T
	over chan struct{}

	mu   sync.Mutex // guards the fields below
	text bytes.Buffer
	more chan struct{} // closed and replaced with each piece of text
}

func watch(t *testing.T, p *pty.Process) *screen {
	s := &screen{t: t, over: make(chan struct{}), more: make(chan struct{})}
	go func() {
		defer close(s.over)
		buf := make([]byte, 4096)
		for {
			n, err := p.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.text.Write(buf[:n])
			close(s.more)
			s.more = make(chan struct{})
			s.mu.Unlock()
		}
	}()
	return s
}

// shows waits until the output contains a text.
func (s *screen) shows(text string) {
	s.t.Helper()
	late := time.After(patience)
	for {
		s.mu.Lock()
		all, more := s.text.String(), s.more
		s.mu.Unlock()
		if strings.Contains(all, text) {
			return
		}
		select {
		case <-more:
		case <-s.over:
			s.t.Fatalf("%q never appeared: %q", text, all)
		case <-late:
			s.t.Fatalf("%q did not appear: %q", text, all)
		}
	}
}

// within fails the test when f takes too long.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s takes longer than %v", what, patience)
	}
}

func TestExit(t *testing.T) {
	p := start(t, "/c", `echo "two words" %GREETING%>con& exit 7`)
	within(t, "reading to the end", func() {
		out, err := io.ReadAll(p)
		if err != nil || !strings.Contains(string(out), `"two words" hällo`) {
			t.Errorf("output %q, %v", out, err)
		}
	})
	if e := p.Exit(); e.Code != 7 {
		t.Errorf("exit %+v", e)
	}
	if err := p.Resize(100, 30); fault.KindOf(err) != fault.Gone {
		t.Errorf("Resize = %v", err)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := p.Kill(0); err != nil {
		t.Errorf("Kill after the end = %v", err)
	}
	if _, err := p.Write([]byte("x")); err == nil {
		t.Error("Write after the end succeeds")
	}
}

func TestStandardHandles(t *testing.T) {
	p := start(t, "/c", "echo plain& set /p word=& exit 3")
	s := watch(t, p)
	s.shows("plain")
	if _, err := p.Write([]byte("word\r")); err != nil {
		t.Error(err)
	}
	within(t, "the end", func() { <-s.over })
	if e := p.Exit(); e.Code != 3 {
		t.Errorf("exit %+v", e)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestResize(t *testing.T) {
	p := start(t, "/c", "cmd /d <con >con")
	s := watch(t, p)
	if err := p.Resize(100, 30); err != nil {
		t.Error(err)
	}
	if _, err := p.Write([]byte("mode con\r")); err != nil {
		t.Error(err)
	}
	s.shows("100")
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	<-s.over
}

func TestTypeKill(t *testing.T) {
	p := start(t, "/c", "cmd /d <con >con")
	s := watch(t, p)
	if _, err := p.Write([]byte("echo typed^word\r")); err != nil {
		t.Error(err)
	}
	s.shows("typedword")
	within(t, "Kill", func() {
		if err := p.Kill(0); err != nil {
			t.Error(err)
		}
	})
	if e := p.Exit(); e.Code != 1 {
		t.Errorf("exit %+v", e)
	}
	within(t, "the end of output", func() { <-s.over })
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

// Killing a program ends the processes that it started.
func TestKillReachesChildren(t *testing.T) {
	alive := filepath.Join(t.TempDir(), "alive")
	p := start(t, "/c", `cmd /d /c "echo there>con& pause <con >"`+alive+`""`)
	s := watch(t, p)
	s.shows("there")
	late := time.After(patience)
	for { // until the inner program holds the file open
		if _, err := os.Stat(alive); err == nil {
			break
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-late:
			t.Fatal("the inner program does not begin")
		}
	}
	within(t, "Kill", func() {
		if err := p.Kill(0); err != nil {
			t.Error(err)
		}
	})
	if err := os.Remove(alive); err != nil {
		t.Errorf("a process still has the file open: %v", err)
	}
	within(t, "Close", func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	<-s.over
}

// Close does not need a reader, even if there is more output than pipes hold.
func TestCloseUnread(t *testing.T) {
	p := start(t, "/c", "for /l %i in (1,1,100000) do @echo %i>con")
	buf := make([]byte, 10)
	if _, err := p.Read(buf); err != nil {
		t.Fatal(err)
	}
	within(t, "Close", func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Close interrupts a write to a program that does not read.
func TestCloseInterruptsWrite(t *testing.T) {
	p := start(t, "/c", "ping -n 1000 127.0.0.1 >nul")
	s := watch(t, p)
	written := make(chan struct{})
	go func() {
		defer close(written)
		for {
			if _, err := p.Write(make([]byte, 64<<10)); err != nil {
				return
			}
		}
	}()
	within(t, "Close", func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	within(t, "Write", func() { <-written })
	<-s.over
}

// Closed processes leave no handles behind.
func TestHandles(t *testing.T) {
	cycle := func() {
		p := start(t, "/c", "exit 0")
		s := watch(t, p)
		<-s.over
		must(t, p.Close())
	}
	for range 3 {
		cycle() // once, for what stays
	}
	before := handles(t)
	for range 20 {
		cycle()
	}
	if after := handles(t); after > before+5 {
		t.Errorf("%d handles, %d before", after, before)
	}
}

var getProcessHandleCount = syscall.NewLazyDLL("kernel32.dll").NewProc("GetProcessHandleCount")

func handles(t *testing.T) int {
	t.Helper()
	self, err := syscall.GetCurrentProcess()
	must(t, err)
	var n uint32
	if ok, _, err := getProcessHandleCount.Call(uintptr(self), uintptr(unsafe.Pointer(&n))); ok == 0 {
		t.Fatal(err)
	}
	return int(n)
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
