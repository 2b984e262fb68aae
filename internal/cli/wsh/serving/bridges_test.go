package serving

import (
	"bufio"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/opcases"
)

// The answer that tells a client of a session comes after the line that tells the bridge, also
// where nothing has reported the session before.
func TestPresentBeforeAnswers(t *testing.T) {
	sessions := registry.New(registry.Config{Start: opcases.Start, Shell: "shell", Log: slog.New(slog.DiscardHandler)})
	defer sessions.Close()
	here, there := net.Pipe()
	defer here.Close()
	p := &presenter{Conn: here, id: "s", sessions: sessions}
	lines := bufio.NewReader(there)
	for i, want := range []string{`"sessions":null`, "", `"sessions":["a"]`, ""} {
		if i == 2 {
			if _, err := sessions.Create(t.Context(), registry.CreateOptions{Name: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		written := make(chan error, 1)
		go func() {
			_, err := p.Write([]byte("answer\n"))
			written <- err
		}()
		if want != "" {
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, want) {
				t.Errorf("%d: %s, %v; want %s", i, line, err, want)
			}
		}
		if line, err := lines.ReadString('\n'); err != nil || line != "answer\n" {
			t.Errorf("%d: %s, %v", i, line, err)
		}
		if err := <-written; err != nil {
			t.Error(err)
		}
	}
}

// A bridge learns of new sessions however long its connection has been idle, and what could not be
// written is written again.
func TestPresentAfterIdleness(t *testing.T) {
	sessions := registry.New(registry.Config{Start: opcases.Start, Shell: "shell", Log: slog.New(slog.DiscardHandler)})
	defer sessions.Close()
	here, there := net.Pipe()
	defer there.Close()
	over := &overdue{Conn: here}
	p := &presenter{Conn: over, id: "s", sessions: sessions}
	lines := bufio.NewReader(there)
	p.mu.Lock()
	over.failing = true
	if err := p.reportLocked(); err == nil {
		t.Error("a failure is not told")
	}
	over.failing = false
	p.mu.Unlock()
	stop := p.follow()
	defer stop()
	for i, want := range []string{`"sessions":null`, `"sessions":["a"]`} {
		if i == 1 {
			_ = p.SetWriteDeadline(time.Unix(1, 0)) // as ServeLines has left it
			_ = here.SetWriteDeadline(time.Unix(1, 0))
			if _, err := sessions.Create(t.Context(), registry.CreateOptions{Name: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		_ = there.SetReadDeadline(time.Now().Add(time.Minute)) // a pipe has it
		if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Fatalf("%d: %s, %v; want %s", i, line, err, want)
		}
	}
}

// An overdue connection fails to write when it is told to.
type overdue struct {
	net.Conn
	failing bool
}

// Write implements [net.Conn].
func (o *overdue) Write(b []byte) (int, error) {
	if o.failing {
		return 0, os.ErrDeadlineExceeded
	}
	return o.Conn.Write(b)
}
