package registry_test

import (
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A script is a program in memory that reads nothing, and writes and ends as the test says.
type script struct {
	term.Process // nil: what is not below is not asked for
	out          chan string
	ended        chan struct{}
	end          func(tty.Exit)
	exit         tty.Exit
}

func newScript() *script {
	p := &script{out: make(chan string), ended: make(chan struct{})}
	var once sync.Once
	p.end = func(e tty.Exit) { once.Do(func() { p.exit = e; close(p.ended) }) }
	return p
}

// say writes output, and returns when that is read.
func (p *script) say(s string) {
	select {
	case p.out <- s:
	case <-p.ended:
	}
}

func (p *script) Read(b []byte) (int, error) {
	select {
	case s := <-p.out:
		return copy(b, s), nil
	case <-p.ended:
		return 0, io.EOF
	}
}

func (p *script) Kill(time.Duration) error {
	p.end(tty.Exit{Signal: "SIGHUP"})
	return nil
}

func (p *script) Ended() <-chan struct{}               { return p.ended }
func (p *script) Exit() tty.Exit                       { <-p.ended; return p.exit }
func (*script) Close() error                           { return nil }
func (*script) Write(b []byte) (int, error)            { return len(b), nil }
func (*script) WriteNow(b []byte) int                  { return len(b) }
func (*script) PID() int                               { return 4242 }
func (*script) Mode() (m tty.Mode)                     { return m }
func (*script) Reads() (r tty.Reading)                 { return r }
func (*script) HasInput() bool                         { return false }
func (*script) HasOutput() bool                        { return false }
func (*script) HasSignalKey([]byte) bool               { return false }
func (*script) Image() uint64                          { return 0 }
func (*script) Command() (c tty.Command)               { return c }
func (*script) Foreground() (f tty.Foreground)         { return f }
func (*script) FindInJob(int, func([]string) bool) int { return 0 }

// scripted returns a registry of programs in memory, which ends with the test, or with its bubble.
// What it logs above Info fails the test.
func scripted(t *testing.T, change func(*registry.Config), programs ...*script) *registry.Registry {
	t.Helper()
	cfg := registry.Config{Log: slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn}))}
	cfg.Start = func(pty.Options) (term.Process, error) {
		if len(programs) == 0 {
			return nil, fault.New(fault.Invalid, "all programs were started")
		}
		p := programs[0]
		programs = programs[1:]
		return p, nil
	}
	if change != nil {
		change(&cfg)
	}
	r := registry.New(cfg)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

type testLog struct{ t *testing.T }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Errorf("logged: %s", b)
	return len(b), nil
}

func create(t *testing.T, r *registry.Registry, o registry.CreateOptions) *term.Session {
	t.Helper()
	s, err := r.Create(t.Context(), o)
	must(t, err)
	return s
}

// must ends a test in which something has failed that the rest needs.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
