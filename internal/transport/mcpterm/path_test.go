package mcpterm_test

import (
	"context"
	"io"
	"log/slog"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/tty"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpterm"
)

// A traced program keeps the stacks of all goroutines when it is first written to.
type traced struct {
	term.Process // what the test does not expect

	once   sync.Once
	stacks chan string // capacity 1
	ended  chan struct{}
	end    func()
}

func (p *traced) WriteNow(b []byte) int {
	p.once.Do(func() {
		buf := make([]byte, 1<<20)
		p.stacks <- string(buf[:runtime.Stack(buf, true)])
	})
	return len(b)
}

func (p *traced) Read([]byte) (int, error) {
	<-p.ended
	return 0, io.EOF
}

func (p *traced) Kill(time.Duration) error {
	p.end()
	return nil
}

func (p *traced) Write(b []byte) (int, error) { return len(b), nil }
func (p *traced) PID() int                    { return 4242 }
func (p *traced) Mode() tty.Mode              { return tty.ModeLines }
func (p *traced) Reads() tty.Reading          { return tty.Reads }
func (p *traced) Foreground() tty.Foreground  { return tty.Foreground{} }
func (p *traced) HasOutput() bool             { return false }
func (p *traced) HasSignalKey([]byte) bool    { return false }
func (p *traced) Image() uint64               { return 0 }
func (p *traced) Command() tty.Command        { return tty.Command{} }
func (p *traced) Ended() <-chan struct{}      { return p.ended }
func (p *traced) Exit() tty.Exit              { <-p.ended; return tty.Exit{} }
func (p *traced) Close() error                { return nil }

// A frame is a call on a stack.
type frame struct{ function, file string }

// framesOf returns the calls of this module on one goroutine's stack, the outermost first.
func framesOf(stack string) (list []frame) {
	lines := strings.Split(stack, "\n")
	for i := 1; i+1 < len(lines); i += 2 {
		file, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), ":")
		function := lines[i][:max(strings.LastIndexByte(lines[i], '('), 0)] // without its arguments
		if name, ok := strings.CutPrefix(function, "ui-mcp/internal/"); ok {
			list = append(list, frame{name, path.Base(path.Dir(file)) + "/" + path.Base(file)})
		}
	}
	slices.Reverse(list)
	return list
}

// stacksOfALine returns the stacks of all goroutines when a line reaches a program, the one that
// writes first, and which of them runs the handler.
func stacksOfALine(t *testing.T) (stacks []string, handler int) {
	ended := make(chan struct{})
	p := &traced{stacks: make(chan string, 1), ended: ended, end: sync.OnceFunc(func() { close(ended) })}
	r := term.NewRegistry(term.Config{Start: func(pty.Options) (term.Process, error) { return p, nil }, Log: slog.New(slog.DiscardHandler)})
	defer r.Close()
	if _, err := r.Create(t.Context(), term.CreateOptions{Name: "a", Command: "x"}); err != nil {
		t.Fatal(err)
	}
	c := connectTo(t, mcpterm.New(mcpterm.Options{
		Terminals: terminals.NewLocal(r, terminals.Host{}), Grant: func(context.Context) terminals.Grant { return terminals.Everything },
	}))
	mustCall(t, c, "wsh_run_command", `{"session":"a","input":"ls","timeout_ms":1}`)
	stacks = strings.Split(<-p.stacks, "\n\n")
	handler = slices.IndexFunc(stacks, func(s string) bool { return strings.Contains(s, "mcpterm.(*Face).addRun.func1(") })
	if handler < 0 {
		t.Fatal("no goroutine runs the handler")
	}
	return stacks, handler
}

// From the handler of wsh_run_command to the write on the program's terminal, a line takes few
// turns, so that a reader can follow it: at most ten functions in other packages or files, none
// entered twice. The test counts the calls that go into another file. A session that is doing
// something else, as when it has just begun, takes the line from a queue, on its own goroutine:
// then the test tries another one.
func TestPathOfALine(t *testing.T) {
	stacks, handler := stacksOfALine(t)
	for range 20 {
		if handler == 0 {
			break
		}
		stacks, handler = stacksOfALine(t)
	}
	all := framesOf(stacks[handler])
	all = all[slices.IndexFunc(all, func(f frame) bool { return f.function == "transport/mcpterm.(*Face).addRun.func1" }):]
	all = slices.DeleteFunc(all, func(f frame) bool { return strings.HasSuffix(f.file, "_test.go") })
	turns, files := []frame{}, []string{all[0].file}
	for _, f := range all[1:] {
		if f.file == files[len(files)-1] {
			continue
		}
		if slices.Contains(files, f.file) {
			t.Errorf("%s returns to %s", f.function, f.file)
		}
		turns, files = append(turns, f), append(files, f.file)
	}
	if len(turns) > 10 {
		t.Errorf("the line passes %d functions in other files: %v", len(turns), turns)
	}
	for i, f := range all {
		if slices.Contains(all[:i], f) {
			t.Errorf("%s is called twice", f.function)
		}
	}
	if len(turns) == 0 || turns[len(turns)-1].file != "term/input_queue.go" {
		t.Errorf("the path does not end at the write: %v", turns)
	}
}
