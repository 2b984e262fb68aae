//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/wait"
)

// A transcript knows what must be true of the lines that a program has read: each writer's lines
// are there once and in order, as long as the program could read them.
type transcript struct {
	sent map[string][]attempt // by writer
}

// An attempt is a line that a writer has tried to type.
type attempt struct {
	text  string
	acked bool
}

// check compares the lines that the program has read. alive means that it has had the time to read
// everything. At the end of a program the last lines may be unread.
func (c transcript) check(lines []string, alive bool) (wrong []string) {
	next := map[string]int{} // the attempt after the last one that was read, by writer
	for _, line := range lines {
		writer, _, _ := strings.Cut(line, ":")
		found := slices.IndexFunc(c.sent[writer][min(next[writer], len(c.sent[writer])):], func(a attempt) bool { return a.text == line })
		if found < 0 {
			wrong = append(wrong, fmt.Sprintf("%q was read, which %q has not typed, or not then", line, writer))
			continue
		}
		for _, a := range c.sent[writer][next[writer] : next[writer]+found] {
			if a.acked {
				wrong = append(wrong, fmt.Sprintf("%q was read, but %q, typed before it, was not", line, a.text))
			}
		}
		next[writer] += found + 1
	}
	if !alive {
		return wrong
	}
	for writer, list := range c.sent {
		for _, a := range list[next[writer]:] {
			if a.acked {
				wrong = append(wrong, fmt.Sprintf("%q was typed, and never read", a.text))
			}
		}
	}
	return wrong
}

// The transcript accepts what may happen, and reports everything else.
func TestTranscript(t *testing.T) {
	c := transcript{sent: map[string][]attempt{
		"a": {{"a:1", true}, {"a:2", false}, {"a:3", true}},
		"b": {{"b:1", true}},
	}}
	for _, test := range []struct {
		name  string
		lines []string
		alive bool
		want  string // part of the only report; "" means no report
	}{
		{"everything", []string{"a:1", "a:2", "b:1", "a:3"}, true, ""},
		{"without the unanswered one", []string{"b:1", "a:1", "a:3"}, true, ""},
		{"an end", []string{"a:1"}, false, ""},
		{"an unread line", []string{"a:1", "a:3"}, true, `"b:1" was typed, and never read`},
		{"a hole", []string{"a:3", "b:1"}, false, `"a:3" was read, but "a:1"`},
		{"another's line", []string{"c:1"}, false, `"c:1" was read`},
		{"twice", []string{"a:1", "a:1"}, false, `"a:1" was read`},
		{"another order", []string{"a:1", "a:3", "a:2"}, false, `"a:2" was read`},
		{"a torn line", []string{"a:1", "a:"}, false, `"a:" was read`},
	} {
		t.Run(test.name, func(t *testing.T) {
			wrong := c.check(test.lines, test.alive)
			if test.want == "" && len(wrong) > 0 || test.want != "" && (len(wrong) != 1 || !strings.HasPrefix(wrong[0], test.want)) {
				t.Errorf("it reports %q, want %q", wrong, test.want)
			}
		})
	}
}

// A terminal is a session under one name, whose program is started again whenever it has ended. The
// program writes each line that it reads to a file, or floods.
type terminal struct {
	x      *shellServer
	name   string
	floods bool

	mu   sync.Mutex // guards the fields below
	n    int        // how often it was started
	life *life      // nil while none runs
}

// A life is one run of the program. Its fields are guarded by the terminal's mu.
type life struct {
	file       string
	pid        int
	killed     bool // by us
	transcript transcript
	typing     sync.WaitGroup // attempts under way; Add only while it is the terminal's life
}

// tend keeps the program running.
func (t *terminal) tend(ctx context.Context) {
	r := stream(t.x.s.seed, t.name)
	for ctx.Err() == nil {
		call, leave, err := t.x.enter(ctx)
		if err != nil {
			return
		}
		if err := t.begin(call); err != nil {
			t.x.s.note("unknown", "%s is not started: %v", t.name, err)
			_ = t.x.do(call, t.x.addr, "DELETE", "/sessions/"+t.name, nil, nil) // it may exist nevertheless
		} else {
			t.watch(call)
		}
		leave()
		if !sleep(ctx, pause(r, 500*time.Millisecond)) {
			return
		}
	}
}

// begin starts the program.
func (t *terminal) begin(ctx context.Context) error {
	t.mu.Lock()
	t.n++
	l := &life{file: filepath.Join(t.x.s.dir, "typed", fmt.Sprintf("%s.%d", t.name, t.n)), transcript: transcript{map[string][]attempt{}}}
	t.mu.Unlock()
	// It echoes: what is typed where it does not is a secret, for which persons are asked.
	command := fmt.Sprintf(`: >%[1]s; while IFS= read -r line; do printf '%%s\n' "$line" >>%[1]s; printf 'got %%s\n' "$line"; done`, l.file)
	if !t.floods {
		command = filling + command
	} else {
		command = "while :; do echo " + strings.Repeat("flood ", 20) + "; done # " + l.file
	}
	var session struct{ Pid int }
	if err := t.x.do(ctx, t.x.addr, "POST", "/sessions", map[string]any{"name": t.name, "command": command, "scrollback": historyLines}, &session); err != nil {
		return err
	}
	if !t.floods {
		if err := t.x.fill(ctx, t.name); err != nil {
			return err
		}
	}
	l.pid = session.Pid
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life = l
	return nil
}

// watch waits until the program has ended, and checks how.
func (t *terminal) watch(ctx context.Context) {
	for {
		var exit struct {
			Code   int
			Signal string
		}
		err := t.x.do(ctx, t.x.addr, "GET", "/sessions/"+t.name+"/wait/exit?max_wait_ms=20000", nil, &exit)
		switch {
		case ctx.Err() != nil:
			return // the server ends, or the soak
		case isError(err, "timeout"):
		case err != nil:
			t.x.s.note("unknown", "%s: the end of the program: %v", t.name, err)
			if isError(err, "session_not_found") {
				t.over("its session is gone")
				return
			}
			sleep(ctx, time.Second)
		default:
			t.mu.Lock()
			killed := t.life != nil && t.life.killed
			t.mu.Unlock()
			if !killed || exit.Signal != "SIGKILL" || exit.Code != 137 {
				t.x.s.wrong("%s ended with %v, and was killed: %t", t.name, exit, killed)
			}
			t.over("it was killed")
			if err := t.x.do(ctx, t.x.addr, "DELETE", "/sessions/"+t.name, nil, nil); err != nil {
				t.x.s.note("unknown", "%s cannot be removed: %v", t.name, err)
			}
			return
		}
	}
}

// over checks what a program has read that has ended, and that it has ended.
func (t *terminal) over(why string) {
	t.mu.Lock()
	l := t.life
	t.life = nil
	t.mu.Unlock()
	if l == nil {
		return
	}
	l.typing.Wait()
	for begin := time.Now(); l.runs(); wait.Pause(20 * time.Millisecond) {
		if time.Since(begin) > t.x.s.patience {
			t.x.s.wrong("%s, process %d, is left although %s", t.name, l.pid, why)
			_ = syscall.Kill(l.pid, syscall.SIGKILL) // it may have ended
			break
		}
	}
	t.check(l, false)
}

// runs reports whether the program runs.
func (l *life) runs() bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", l.pid))
	return err == nil && strings.Contains(string(command), l.file)
}

// check checks what the program has read so far.
func (t *terminal) check(l *life, alive bool) {
	if t.floods {
		return
	}
	lines := func() []string {
		b, _ := os.ReadFile(l.file) // a program may end before it makes the file
		return strings.FieldsFunc(string(b), func(r rune) bool { return r == '\n' })
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	wrong := l.transcript.check(lines(), alive)
	for begin := time.Now(); alive && len(wrong) > 0 && time.Since(begin) < t.x.s.patience; wait.Pause(20 * time.Millisecond) {
		wrong = l.transcript.check(lines(), alive)
	}
	if len(wrong) > 0 {
		t.x.s.wrong("%s: %s; read: %q", t.name, strings.Join(wrong, "; "), lines())
	}
	if !alive {
		_ = os.Remove(l.file) // a program may end before it makes the file
	}
}

// attempt is one attempt to type a line. send reports whether it was acknowledged.
func (t *terminal) attempt(writer string, n int, send func(text string) (bool, error)) {
	t.mu.Lock()
	l := t.life
	if l == nil {
		t.mu.Unlock()
		return
	}
	l.typing.Add(1)
	defer l.typing.Done()
	text := fmt.Sprintf("%s:%d", writer, n)
	i := len(l.transcript.sent[writer])
	l.transcript.sent[writer] = append(l.transcript.sent[writer], attempt{text: text})
	t.mu.Unlock()
	acked, err := send(text)
	if err != nil {
		t.x.s.note("unknown", "typing %s into %s: %v", text, t.name, err)
	}
	if acked {
		t.x.s.note("typed", "%s into %s", text, t.name)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	l.transcript.sent[writer][i].acked = acked
}

// killProgram kills the program, unless it has ended.
func (t *terminal) killProgram() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if l := t.life; l != nil && l.runs() {
		l.killed = true
		_ = syscall.Kill(l.pid, syscall.SIGKILL) // it may have ended
	}
}

// quiet returns a random terminal that does not flood.
func (x *shellServer) quiet(n int) *terminal { return x.terminals[n%settings.sessions] }

// typist types lines into random terminals.
func (x *shellServer) typist(ctx context.Context, name string, send func(ctx context.Context, session, text string) error) {
	r := stream(x.s.seed, name)
	for n := 1; sleep(ctx, pause(r, settings.pace/2)); n++ {
		t := x.quiet(r.IntN(settings.sessions))
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		t.attempt(name, n, func(text string) (bool, error) {
			err := send(call, t.name, text)
			return err == nil, err
		})
		leave()
	}
}

func (x *shellServer) typeOverHTTP(address string) func(ctx context.Context, session, text string) error {
	return func(ctx context.Context, session, text string) error {
		return x.do(ctx, address, "POST", "/sessions/"+session+"/input", text+"\n", nil)
	}
}

func (b *bridge) typeLine(ctx context.Context, session, text string) error {
	_, err := must(b.call(ctx, "wsh_send_input", map[string]any{"session": session, "input": text + "\n"}))
	return err
}

// The frames of attached terminals: see docs/terminal.md.
const (
	frameAttach   = 0x03
	frameAttached = 0x04
	frameDetach   = 0x05
	frameFailed   = 0x07
	frameInput    = 0x11
	frameTyped    = 0x1e
)

// person is attached to one terminal after another, and types into it if it does not flood.
func (x *shellServer) person(ctx context.Context, name string) {
	r := stream(x.s.seed, name)
	n := 0
	for sleep(ctx, pause(r, settings.pace)) {
		t := x.terminals[r.IntN(len(x.terminals))]
		lines := 1 + r.IntN(20)
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		if err := x.attach(call, t, name, &n, lines, func() bool { return sleep(ctx, pause(r, settings.pace)) }); err != nil {
			x.s.note("away", "%s at %s: %v", name, t.name, err)
		}
		leave()
	}
}

// attach is attached to a terminal while it types some lines.
func (x *shellServer) attach(ctx context.Context, t *terminal, name string, n *int, lines int, goesOn func() bool) error {
	conn, _, err := websocket.Dial(ctx, "ws://"+x.proxy.address()+"/sessions/"+t.name+"/ws/attach", nil)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(-1)
	hello := `{"scrollback":"none","rows":24,"cols":80,"client":{"escape":"passes","kind":"attach","counts":true,"name":"` + name + `"}}`
	if err := conn.Write(ctx, websocket.MessageBinary, append([]byte{frameAttach}, hello...)); err != nil {
		return err
	}
	var taken atomic.Int64 // bytes of what was typed
	ended := make(chan error, 1)
	attached := make(chan struct{})
	changed := make(chan struct{}, 1)
	reading, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for {
			_, frame, err := conn.Read(reading)
			if err != nil {
				ended <- err
				return
			}
			switch frame[0] {
			case frameAttached:
				close(attached)
			case frameDetach, frameFailed:
				ended <- fmt.Errorf("frame %#x: %.200s", frame[0], frame[1:])
				return
			case frameTyped:
				var count struct{ Bytes int64 }
				if json.Unmarshal(frame[1:], &count) == nil {
					taken.Store(count.Bytes)
					select {
					case changed <- struct{}{}:
					default:
					}
				}
			}
		}
	}()
	select {
	case <-attached:
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
	var typed int64
	for range lines {
		if !goesOn() || ctx.Err() != nil {
			return nil
		}
		if t.floods {
			continue
		}
		*n++
		var failed error
		t.attempt(name, *n, func(text string) (bool, error) {
			typed += int64(len(text)) + 1
			if failed = conn.Write(ctx, websocket.MessageBinary, append([]byte{frameInput}, text+"\r"...)); failed != nil {
				return false, failed
			}
			for taken.Load() < typed {
				select {
				case <-changed:
				case failed = <-ended:
					return false, failed
				case <-ctx.Done():
					failed = ctx.Err()
					return false, failed
				}
			}
			return true, nil
		})
		if failed != nil {
			return failed
		}
	}
	return nil
}
