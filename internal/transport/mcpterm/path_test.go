package mcpterm_test

import (
	"context"
	"log/slog"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/overlay"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/mcpterm"
)

// A traced program keeps the stacks of all goroutines when it is first written to.
type traced struct {
	term.Process
	once   sync.Once
	stacks chan []string // capacity 1
}

func (p *traced) WriteNow(b []byte) int {
	p.once.Do(func() { p.stacks <- allStacks() })
	return len(b)
}

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

// pathOfALine returns the calls from the handler of wsh_run_command to the first write on the
// program's terminal. A busy session takes the line from a queue, on another goroutine, whose calls
// follow those of the handler.
func pathOfALine(t *testing.T, busy bool) []frame {
	p := &traced{stacks: make(chan []string, 1)}
	r := opcases.Sessions(t, registry.Config{Start: func(o pty.Options) (_ term.Process, err error) {
		p.Process, err = opcases.Start(o)
		return p, err
	}, Log: slog.New(slog.DiscardHandler)})
	s, err := r.Create(t.Context(), registry.CreateOptions{Name: "a", Command: "x"})
	if err != nil {
		t.Fatal(err)
	}
	c := connectTo(t, mcpterm.New(mcpterm.Options{
		Terminals: terminals.NewLocal(r, terminals.Host{}), Grant: func(context.Context) terminals.Grant { return terminals.Everything },
	}))
	var all sync.WaitGroup
	defer all.Wait()
	release := make(chan struct{})
	defer sync.OnceFunc(func() { close(release) })()
	if began := make(chan struct{}); busy {
		all.Go(func() {
			_, _ = term.ReadElements(t.Context(), s, func(*overlay.Model) (any, error) {
				close(began)
				<-release
				return nil, nil
			})
		})
		<-began
	}
	all.Go(func() {
		if res, err := call(t, c, "wsh_run_command", `{"session":"a","input":"ls","timeout_ms":1}`); err != nil || res.IsError {
			t.Errorf("wsh_run_command: %v, %v", res, err)
			p.stacks <- nil
		}
	})
	if busy {
		wait.Until(t, "the line is queued", func() bool {
			_, queued := find(allStacks(), handler, "executor.(*Executor).Do(")
			return queued
		})
		release <- struct{}{}
	}
	stacks := wait.For(t, "the write", p.stacks) // the first is of the goroutine that writes
	stack, ok := find(stacks, handler)
	if !ok {
		t.Fatal("no goroutine runs the handler")
	}
	list := framesOf(stack)
	list = list[slices.IndexFunc(list, func(f frame) bool { return strings.HasPrefix(handler, f.function) }):]
	if stack != stacks[0] {
		list = append(list, framesOf(stacks[0])...)
	} else if busy {
		t.Fatal("the line did not wait")
	}
	return slices.DeleteFunc(list, func(f frame) bool { return strings.HasSuffix(f.file, "_test.go") })
}

// handler is the call of the handler on a stack.
const handler = "transport/mcpterm.(*Face).addRun.func1("

func allStacks() []string {
	buf := make([]byte, 1<<20)
	return strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")
}

// find returns the stack that has all of the calls.
func find(stacks []string, calls ...string) (string, bool) {
	i := slices.IndexFunc(stacks, func(stack string) bool {
		return !slices.ContainsFunc(calls, func(call string) bool { return !strings.Contains(stack, call) })
	})
	if i < 0 {
		return "", false
	}
	return stacks[i], true
}

// From the handler of wsh_run_command to the write on the program's terminal, a line takes few
// turns, so that a reader can follow it: at most ten functions in other packages or files, none
// entered twice, whether the session is idle or busy. The test counts the calls that go into
// another file.
func TestPathOfALine(t *testing.T) {
	for name, busy := range map[string]bool{"idle": false, "busy": true} {
		t.Run(name, func(t *testing.T) { checkPath(t, pathOfALine(t, busy)) })
	}
}

func checkPath(t *testing.T, all []frame) {
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
	if len(turns) == 0 || turns[len(turns)-1].file != "typeahead/typeahead.go" {
		t.Errorf("the path does not end at the write: %v", turns)
	}
}
