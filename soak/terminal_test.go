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
	"syscall"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit/wait"
)

// A session keeps the newest of its output, of what was typed and of its shell's marks. Where all
// of it is full from the beginning, what grows afterwards is a leak.
const (
	historyLines    = 1000 // above the screen, as the soak's sessions are created
	historyTyped    = 1000 // entries of what was typed
	historyCommands = 1024 // of which each has four marks
)

// click is what the mouse sends for a click, in the form that the program asks for.
const click = "\x1b[<0;1;1M"

// filling is what a program does first: it takes clicks, of which each is an entry, and displays
// lines like those that will be typed.
var filling = fmt.Sprintf(`stty raw -echo; printf '\033[?1000h\033[?1006h'; head -c %d >/dev/null; printf '\033[?1000l\033[?1006l'; stty sane; seq -f 'got typist%%g:100' %d; `,
	historyTyped*len(click), historyLines+100)

// fill sends the clicks, as soon as the program asks for them, and waits until it has displayed the
// lines: from then on it reads lines.
func (x *shellServer) fill(ctx context.Context, session string) error {
	clicks := slices.Repeat([]any{map[string]any{"action": "press", "button": "left", "row": 0, "col": 0}}, historyTyped)
	for begin := time.Now(); ; {
		err := x.request(ctx, x.addr, "POST", "/sessions/"+session+"/input/keys", map[string]any{"keys": []string{}, "mouse": clicks}, nil)
		if err == nil {
			last := fmt.Sprintf("typist%d:100", historyLines+100)
			return x.request(ctx, x.addr, "GET", "/sessions/"+session+"/wait/text?max_wait_ms=60000&text="+last, nil, nil)
		}
		if !isError(err, "precondition_failed") || time.Since(begin) > patience || !sleep(ctx, 20*time.Millisecond) {
			return err
		}
	}
}

// beginShell creates a session of a shell, and fills its histories.
func (x *shellServer) beginShell(ctx context.Context, name string) error {
	at := "/sessions/" + name
	prompt := func() error { return x.request(ctx, x.addr, "GET", at+"/wait/prompt?max_wait_ms=60000", nil, nil) }
	err := x.request(ctx, x.addr, "POST", "/sessions", map[string]any{"name": name, "cwd": x.s.dir, "tags": []string{"soak"}, "scrollback": historyLines}, nil)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error {
			return x.request(ctx, x.addr, "POST", at+"/run", map[string]any{"line": filling, "background": true, "max_wait_ms": 60_000}, nil)
		},
		func() error { return x.fill(ctx, name) },
		prompt,
		func() error {
			return x.request(ctx, x.addr, "POST", at+"/input", strings.Repeat(":\n", historyCommands), nil)
		},
		prompt,
	} {
		if err := step(); err != nil {
			x.s.note("unknown", "the histories of %s: %v", name, err) // the runs in it are checked all the same
			break
		}
	}
	return nil
}

// A terminal is a session under one name, whose program is started again whenever it has ended. The
// program writes each line that it reads to a file, or floods.
type terminal struct {
	x      *shellServer
	name   string
	floods bool

	mu   sync.Mutex // guards the fields below, and killed of life
	n    int        // how often it was started
	life *life      // nil while none runs
}

// A life is one run of the program.
type life struct {
	file   string
	pid    int
	killed bool           // by us
	typed  *ledger        // of the lines that the program reads
	typing sync.WaitGroup // attempts under way; Add only while it is the terminal's life
}

// present returns the program that runs, or nil.
func (t *terminal) present() *life {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life
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
			_ = t.x.request(call, t.x.addr, "DELETE", "/sessions/"+t.name, nil, nil) // it may exist nevertheless
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
	l := &life{file: filepath.Join(t.x.s.dir, "typed", fmt.Sprintf("%s.%d", t.name, t.n))}
	t.mu.Unlock()
	l.typed = newLedger(func(format string, args ...any) {
		t.x.s.wrong("%s, process %d: "+format, append([]any{t.name, l.pid}, args...)...)
	})
	l.typed.ordered = true
	// It echoes: what is typed where it does not is a secret, for which persons are asked.
	command := fmt.Sprintf(`: >%[1]s; while IFS= read -r line; do printf '%%s\n' "$line" >>%[1]s; printf 'got %%s\n' "$line"; done`, l.file)
	if !t.floods {
		command = filling + command
	} else {
		command = "while :; do echo " + strings.Repeat("flood ", 20) + "; done # " + l.file
	}
	var session struct{ Pid int }
	if err := t.x.request(ctx, t.x.addr, "POST", "/sessions", map[string]any{"name": t.name, "command": command, "scrollback": historyLines}, &session); err != nil {
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
		err := t.x.request(ctx, t.x.addr, "GET", "/sessions/"+t.name+"/wait/exit?max_wait_ms=20000", nil, &exit)
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
			if err := t.x.request(ctx, t.x.addr, "DELETE", "/sessions/"+t.name, nil, nil); err != nil {
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
		if time.Since(begin) > patience {
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

// check checks what the program has read so far. alive means that it has had the time to read
// everything; when it has ended, the last lines may be unread.
func (t *terminal) check(l *life, alive bool) {
	if t.floods {
		return
	}
	begin := time.Now()
	for {
		b, _ := os.ReadFile(l.file) // a program may end before it makes the file
		var lines []numbered
		for _, text := range strings.FieldsFunc(string(b), func(r rune) bool { return r == '\n' }) {
			lines = append(lines, numbered{len(lines) + 1, text})
		}
		l.typed.read(len(lines), lines, mark{}, time.Now())
		if !alive {
			_ = os.Remove(l.file) // a program may end before it makes the file
			return
		}
		if len(l.typed.mark().owed) == 0 || time.Since(begin) > patience/time.Duration(1+t.x.s.failures()) {
			l.typed.complete()
			return
		}
		wait.Pause(20 * time.Millisecond)
	}
}

// attempt is one attempt to type a line. send says whether it was not acknowledged.
func (t *terminal) attempt(writer string, n int, send func(text string) error) error {
	t.mu.Lock()
	l := t.life
	if l == nil {
		t.mu.Unlock()
		return nil
	}
	l.typing.Add(1)
	t.mu.Unlock()
	defer l.typing.Done()
	text := fmt.Sprintf("%s:%d", writer, n)
	l.typed.try(text)
	err := send(text)
	if err != nil {
		l.typed.unanswered()
		t.x.s.note("unknown", "typing %s into %s: %v", text, t.name, err)
		return err
	}
	l.typed.wrote(text, 0, time.Now())
	t.x.s.note("typed", "%s into %s", text, t.name)
	return nil
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

// typist types lines into random terminals that do not flood.
func (x *shellServer) typist(ctx context.Context, name string, send func(ctx context.Context, session, text string) error) {
	r := stream(x.s.seed, name)
	for n := 1; sleep(ctx, pause(r, pace/2)); n++ {
		t := x.terminals[r.IntN(x.quiet)]
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		_ = t.attempt(name, n, func(text string) error { return send(call, t.name, text) }) // it is noted
		leave()
	}
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
	for sleep(ctx, pause(r, pace)) {
		t := x.terminals[r.IntN(len(x.terminals))]
		lines := 1 + r.IntN(20)
		call, leave, err := x.enter(ctx)
		if err != nil {
			return
		}
		a, err := x.attach(call, t, name)
		if err == nil {
			for range lines {
				if err != nil || !sleep(ctx, pause(r, pace)) || call.Err() != nil {
					break
				}
				if !t.floods {
					n++
					err = t.attempt(name, n, func(text string) error { return a.line(call, text) })
				}
			}
			_ = a.conn.CloseNow() // as when a window is closed
		}
		if err != nil {
			x.s.note("away", "%s at %s: %v", name, t.name, err)
		}
		leave()
	}
}

// An attached terminal is a connection to a session.
type attached struct {
	conn  *websocket.Conn
	typed int64      // bytes
	taken chan int64 // how many of them the program's terminal has taken, the newest number only
	ended chan error
}

func (x *shellServer) attach(ctx context.Context, t *terminal, name string) (*attached, error) {
	conn, _, err := websocket.Dial(ctx, "ws://"+x.proxy.address()+"/sessions/"+t.name+"/ws/attach", nil)
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	a := &attached{conn: conn, taken: make(chan int64, 1), ended: make(chan error, 1)}
	hello := `{"scrollback":"none","rows":24,"cols":80,"client":{"escape":"passes","kind":"attach","counts":true,"name":"` + name + `"}}`
	if err := conn.Write(ctx, websocket.MessageBinary, append([]byte{frameAttach}, hello...)); err != nil {
		_ = conn.CloseNow()
		return nil, err
	}
	go a.read(ctx) // until the connection ends
	if err := a.await(ctx, 0); err != nil {
		_ = conn.CloseNow()
		return nil, err
	}
	return a, nil
}

// read takes what the server sends.
func (a *attached) read(ctx context.Context) {
	for {
		_, frame, err := a.conn.Read(ctx)
		if err != nil {
			a.ended <- err
			return
		}
		var count struct{ Bytes int64 }
		switch frame[0] {
		case frameDetach, frameFailed:
			a.ended <- fmt.Errorf("frame %#x: %.200s", frame[0], frame[1:])
			return
		case frameTyped:
			if json.Unmarshal(frame[1:], &count) != nil {
				continue
			}
		case frameAttached:
		default:
			continue
		}
		select {
		case <-a.taken:
		default:
		}
		a.taken <- count.Bytes
	}
}

// await waits until the program's terminal has taken as many bytes; 0 waits for the attachment.
func (a *attached) await(ctx context.Context, typed int64) error {
	for {
		select {
		case taken := <-a.taken:
			if taken >= typed {
				return nil
			}
		case err := <-a.ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// line types a line, and waits until the program's terminal has it.
func (a *attached) line(ctx context.Context, text string) error {
	a.typed += int64(len(text)) + 1
	if err := a.conn.Write(ctx, websocket.MessageBinary, append([]byte{frameInput}, text+"\r"...)); err != nil {
		return err
	}
	return a.await(ctx, a.typed)
}
