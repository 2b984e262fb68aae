package term_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/tty"
)

// A script is a program in memory: the test says what it writes, and sees what it is sent. It lets
// tests of time run in a bubble, which no process can enter.
type script struct {
	out   chan []byte
	taken chan struct{} // capacity 1: what was written is on the screen
	given bool          // something was read that is not there yet
	ended chan struct{}
	keeps bool          // what KeepsSignalKey returns
	stuck chan struct{} // when not nil, Write blocks until it is closed
	rest  []byte

	key    string // of its marks
	prompt int    // the number of the last one
	ran    bool   // the last mark is of a command

	mu      sync.Mutex // guards the fields below
	in      bytes.Buffer
	sent    func(string) // called with each input
	size    [2]int
	mode    tty.Mode
	reads   tty.Reading
	signals []string
	exit    tty.Exit
	isOver  bool
	args    []string // of the command in the foreground
}

func newScript() *script {
	return &script{key: "k", prompt: 1, out: make(chan []byte), taken: make(chan struct{}, 1), ended: make(chan struct{})}
}

// MarkKey is the key of the marks that say completes.
func (p *script) MarkKey() string { return p.key }

var bareMark = regexp.MustCompile(`\x1b\]133;([A-D])([^\a]*)\a`)

// marked gives marks without a key the program's key and the number of the prompt, as our start-up
// files do.
func (p *script) marked(s string) string {
	return bareMark.ReplaceAllStringFunc(s, func(mark string) string {
		if strings.Contains(mark, "wsh=") {
			return mark
		}
		if p.ran && strings.HasPrefix(mark, "\x1b]133;A\a") { // without a mark of the command's end
			p.prompt++
		}
		p.ran = strings.HasPrefix(mark, "\x1b]133;C")
		mark = fmt.Sprintf("%s;wsh=%s.%d\a", strings.TrimSuffix(mark, "\a"), p.key, p.prompt)
		if strings.HasPrefix(mark, "\x1b]133;D") {
			p.prompt++
		}
		return mark
	})
}

// say writes output. It waits until that is on the screen: then the session reads again.
func (p *script) say(s string) {
	select {
	case p.out <- []byte(p.marked(s)):
	case <-p.ended:
		return
	}
	select {
	case <-p.taken:
	case <-p.ended:
	}
}

func (p *script) end(e tty.Exit) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isOver {
		p.isOver, p.exit = true, e
		close(p.ended)
	}
}

func (p *script) input() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.in.String()
}

// forget drops the input that has arrived.
func (p *script) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in = bytes.Buffer{}
}

// signalled returns the signals that the program has got.
func (p *script) signalled() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.signals)
}

func (p *script) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		if p.given {
			p.given = false
			p.taken <- struct{}{}
		}
		select {
		case p.rest = <-p.out:
			p.given = true
		case <-p.ended:
			return 0, io.EOF
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *script) Write(b []byte) (int, error) {
	p.mu.Lock()
	stuck := p.stuck
	p.mu.Unlock()
	if stuck != nil {
		<-stuck
	}
	p.mu.Lock()
	p.in.Write(b)
	sent := p.sent
	p.mu.Unlock()
	if sent != nil {
		sent(string(b))
	}
	return len(b), nil
}

func (p *script) Resize(cols, rows int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.size = [2]int{cols, rows}
	return nil
}

func (p *script) Mode() tty.Mode {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mode
}

func (p *script) Reads() tty.Reading {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reads
}

func (p *script) HasOutput() bool { return false }

// become changes what the terminal and the system tell about the program.
func (p *script) become(m tty.Mode, r tty.Reading) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mode, p.reads = m, r
}

func (p *script) HasSignalKey(input []byte) bool { return bytes.IndexByte(input, 3) >= 0 }

func (p *script) SignalKey(key byte) bool {
	if key != 3 {
		return false
	}
	_ = p.Signal("key INT")
	return true
}

// WriteNow leaves all input to Write.
func (p *script) WriteNow([]byte) int { return 0 }

func (p *script) Image() uint64 { return 0 }

func (p *script) Command() tty.Command {
	p.mu.Lock()
	defer p.mu.Unlock()
	return tty.Command{Args: p.args}
}

func (p *script) FindInJob(_ int, match func([]string) bool) int {
	if match(p.Command().Args) {
		return p.Foreground().PID
	}
	return 0
}

func (p *script) KeepsSignalKey() bool { return p.keeps }

// HasInput is unknown here.
func (p *script) HasInput() bool { return false }

func (p *script) Signal(name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.signals = append(p.signals, name)
	return nil
}

func (p *script) Kill(time.Duration) error {
	p.end(tty.Exit{Code: 129, Signal: "SIGHUP"})
	return nil
}

func (p *script) Close() error {
	p.unstick()
	return nil
}

// unstick lets Write go on.
func (p *script) unstick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stuck != nil {
		close(p.stuck)
		p.stuck = nil
	}
}

func (p *script) Foreground() tty.Foreground {
	select {
	case <-p.ended:
		return tty.Foreground{}
	default:
		return tty.Foreground{PID: 4243, Name: "job", Dir: "/dir"}
	}
}

func (p *script) PID() int               { return 4242 }
func (p *script) Ended() <-chan struct{} { return p.ended }
func (p *script) Exit() tty.Exit         { <-p.ended; return p.exit }

// scripted returns a registry of programs in memory, which ends with the test, or with its bubble.
func scripted(t testing.TB, change func(*registry.Config), programs ...*script) *registry.Registry {
	t.Helper()
	cfg := registry.Config{
		Start: func(pty.Options) (term.Process, error) {
			if len(programs) == 0 {
				return nil, fault.New(fault.Invalid, "no more programs")
			}
			p := programs[0]
			programs = programs[1:]
			return p, nil
		},
		Log: slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	if change != nil {
		change(&cfg)
	}
	r := registry.New(cfg)
	t.Cleanup(func() { _ = r.Close() })
	return r
}
