//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
)

// A multiplexer is a program with sessions to which terminals attach: wsh, or tmux beside it.
type multiplexer struct {
	name   string
	env    map[string]string
	create func(session, command string)
	attach func(session string) []string // a command line
	remove func(session string)
}

// multiplexers starts a server of each program. They end with the benchmark.
func multiplexers(b *testing.B) []multiplexer {
	b.Helper()
	h := startHost(b)
	list := []multiplexer{{"wsh", h.env, h.session, h.attach, func(session string) { h.run(h.program, "kill", "--yes", session) }}}
	if _, err := exec.LookPath("tmux"); err != nil {
		return list
	}
	b.Cleanup(func() { h.run("tmux", "kill-server") })
	return append(list, multiplexer{"tmux", h.env, h.tmuxSession,
		func(session string) []string {
			return []string{"tmux", "-f", "/dev/null", "attach-session", "-t", session}
		},
		func(session string) { h.run("tmux", "kill-session", "-t", session) },
	})
}

// tmuxSession starts a session of tmux.
func (h *host) tmuxSession(name, command string) {
	h.run("tmux", "-f", "/dev/null", "new-session", "-d", "-s", name, "-x", strconv.Itoa(termCols), "-y", strconv.Itoa(termRows), command,
		";", "set-option", "-g", "status", "off", ";", "set-option", "-g", "prefix", "None", ";", "set-option", "-s", "escape-time", "0", ";", "set-option", "-g", "history-limit", strconv.Itoa(termHistory))
}

// A look is a terminal on which a client runs.
type look struct {
	process *pty.Process
	over    chan struct{} // closed when the client has ended
	changed chan struct{} // capacity 1

	mu   sync.Mutex // guards the fields below
	term *vt.Terminal
	n    int
	last []byte // the end of the output
}

// lookAt starts a client on a terminal.
func lookAt(b *testing.B, env map[string]string, args []string) *look {
	b.Helper()
	l := &look{over: make(chan struct{}), changed: make(chan struct{}, 1)}
	path, err := exec.LookPath(args[0])
	if err != nil {
		b.Fatal(err)
	}
	l.process, err = pty.Start(pty.Options{Path: path, Args: args[1:], Env: pty.Environment(os.Environ(), env), Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	l.term, err = vt.New(vt.Options{Cols: termCols, Rows: termRows, Effect: func(e vt.Effect) {
		if r, ok := e.(vt.Reply); ok {
			_, _ = l.process.Write(r.Data)
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	go func() {
		defer close(l.over)
		buf := make([]byte, 64<<10)
		for {
			n, err := l.process.Read(buf)
			l.mu.Lock()
			_, _ = l.term.Write(buf[:n])
			l.n += n
			l.last = append(l.last, buf[:n]...)
			l.last = l.last[max(0, len(l.last)-4096):]
			l.mu.Unlock()
			select {
			case l.changed <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	b.Cleanup(func() {
		_ = l.process.Close()
		<-l.over
	})
	return l
}

func (l *look) bytes() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// until waits for a condition of the terminal.
func (l *look) until(b *testing.B, what string, holds func(*vt.Terminal) bool) {
	b.Helper()
	end := time.After(peerPatience)
	for {
		l.mu.Lock()
		ok := holds(l.term)
		l.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-l.changed:
		case <-end:
			b.Fatalf("waited in vain until %s; the end of the output is %q", what, l.last)
		}
	}
}

// shows waits until a row of the screen has a text.
func (l *look) shows(b *testing.B, text string) {
	b.Helper()
	l.until(b, fmt.Sprintf("the screen has %q", text), func(t *vt.Terminal) bool {
		for _, line := range t.Snapshot().Lines {
			if strings.Contains(line.Text, text) {
				return true
			}
		}
		return false
	})
}

// quiet waits until there has been no output for a time.
func (l *look) quiet(d time.Duration) {
	for {
		select {
		case <-l.changed:
		case <-time.After(d):
			return
		}
	}
}

func (l *look) types(b *testing.B, keys string) {
	b.Helper()
	if _, err := io.WriteString(l.process, keys); err != nil {
		b.Fatal(err)
	}
}

// ended waits until the client has ended.
func (l *look) ended(b *testing.B) {
	b.Helper()
	select {
	case <-l.over:
	case <-time.After(peerPatience):
		b.Fatalf("the client runs on after %q", l.last)
	}
}

// fullScreen is a command that fills the screen.
const fullScreen = `i=10; while [ $i -lt 59 ]; do printf '\033[%dmrow %0180d\033[m\n' $((31 + i % 7)) $i; i=$((i+1)); done; printf last; exec sleep 1000`

// showsAll waits until the terminal displays all that fullScreen has displayed.
func (l *look) showsAll(b *testing.B) {
	b.Helper()
	l.until(b, "the screen is there", func(t *vt.Terminal) bool {
		s := t.Snapshot()
		for y := range 49 {
			if !strings.HasSuffix(s.Lines[y].Plain(), fmt.Sprintf("%03d", y+10)) {
				return false
			}
		}
		return s.Lines[49].Plain() == "last" && s.Cursor.Row == 49 && s.Cursor.Col == 4
	})
}

// BenchmarkAttach measures the time from starting a client until the terminal displays the screen
// of a session, all of it.
func BenchmarkAttach(b *testing.B) {
	list := multiplexers(b)
	took := map[string]stopwatch{}
	for _, m := range list {
		m.create("full", fullScreen)
	}
	for b.Loop() {
		for _, m := range list {
			start := time.Now()
			l := lookAt(b, m.env, m.attach("full"))
			l.showsAll(b)
			took[m.name] = append(took[m.name], time.Since(start))
			if err := l.process.Close(); err != nil {
				b.Fatal(err)
			}
			start = time.Now() // what a process of the program takes that only starts
			bare := exec.Command(m.attach("full")[0], map[string]string{"wsh": "--version", "tmux": "-V"}[m.name])
			output(b, bare)
			took[m.name+"-start"] = append(took[m.name+"-start"], time.Since(start))
		}
	}
	for name, list := range took {
		list.report(b, name+"-")
	}
}

// echo types the nth key at a terminal that echoes, and returns after which time the echo is on it.
func (l *look) echo(b *testing.B, n int) time.Duration {
	b.Helper()
	if n%100 == 99 {
		l.types(b, "\r")
	}
	l.quiet(20 * time.Millisecond)
	key := string(rune('a' + n%26))
	start := time.Now()
	l.types(b, key)
	l.until(b, "the echo", func(*vt.Terminal) bool {
		return bytes.HasSuffix(bytes.TrimSuffix(l.last, []byte("\x1b[?2026l")), []byte(key))
	})
	return time.Since(start)
}

// BenchmarkAttachEcho measures the time from a key on the terminal until its echo is on it.
func BenchmarkAttachEcho(b *testing.B) {
	list := multiplexers(b)
	took := map[string]stopwatch{}
	var looks []*look
	for _, m := range list {
		m.create("echo", "echo ready; exec cat >/dev/null")
		l := lookAt(b, m.env, m.attach("echo"))
		l.shows(b, "ready")
		looks = append(looks, l)
	}
	for n := 0; b.Loop(); n++ {
		for i, m := range list {
			l := looks[i]
			took[m.name] = append(took[m.name], l.echo(b, n))
		}
	}
	for name, list := range took {
		list.report(b, name+"-")
	}
}

// BenchmarkAttachFlood measures how fast a flood passes to an attached client, and how soon Ctrl-C
// ends one.
func BenchmarkAttachFlood(b *testing.B) {
	payloads, err := termPayloads()
	if err != nil {
		b.Fatal(err)
	}
	list := multiplexers(b)
	took, ends := map[string]time.Duration{}, map[string]stopwatch{}
	p := payloads["plain"]
	for b.Loop() {
		for _, m := range list {
			m.create("flood", `stty -echo; echo ready; read go; head -c 20000000 `+p.path+`; echo; echo passed; trap 'echo; echo stopped' INT; read go; yes "$(printf '%0150d' 7)"; exec sleep 1000`)
			l := lookAt(b, m.env, m.attach("flood"))
			l.shows(b, "ready")
			start := time.Now()
			l.types(b, "\r")
			l.shows(b, "passed")
			took[m.name] += time.Since(start)
			l.types(b, "\r")
			l.shows(b, "0007")
			time.Sleep(500 * time.Millisecond) // so that what waits on the way has its full size
			start = time.Now()
			l.types(b, "\x03")
			l.shows(b, "stopped")
			ends[m.name] = append(ends[m.name], time.Since(start))
			m.remove("flood")
			l.ended(b)
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, d := range took {
		b.ReportMetric(20*float64(b.N)/d.Seconds(), name+"-MB/s")
		b.ReportMetric(ends[name].ms(0.5), name+"-ctrl-c-ms")
	}
}
