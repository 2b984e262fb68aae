//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/vt"
	"ui-mcp/internal/testkit/wait"
)

// A multiplexer is a program with sessions to which terminals attach: wsh, or tmux beside it.
type multiplexer struct {
	name   string
	create func(b *testing.B, session, command string)
	attach func(session string) []string // a command line
	remove func(b *testing.B, session string)
	env    map[string]string
	keep   bool // looks keep all output
}

// multiplexers starts a server of each program. They end with the benchmark.
func multiplexers(b *testing.B) []multiplexer {
	b.Helper()
	program := buildShell(b)
	dir, env := hostAt(b)
	run := func(b *testing.B, args ...string) { runAt(b, env, args...) }
	startShell(b, program, env)
	list := []multiplexer{{
		name:   "wsh",
		create: func(b *testing.B, session, command string) { newSession(b, program, env, session, command) },
		attach: func(session string) []string {
			return []string{program, "attach", "--scrollback", "none", "--status", "none", session}
		},
		remove: func(b *testing.B, session string) { run(b, program, "kill", "--yes", session) },
		env:    env,
	}}
	if _, err := exec.LookPath("tmux"); err != nil {
		return list
	}
	tmux := []string{"tmux", "-f", "/dev/null"}
	b.Cleanup(func() { _ = exec.Command("env", "TMUX_TMPDIR="+dir, "tmux", "kill-server").Run() })
	return append(list, multiplexer{
		name: "tmux",
		create: func(b *testing.B, session, command string) {
			run(b, append(tmuxSession(session), command,
				";", "set-option", "-g", "status", "off", ";", "set-option", "-g", "prefix", "None", ";", "set-option", "-s", "escape-time", "0", ";", "set-option", "-g", "history-limit", strconv.Itoa(termHistory))...)
		},
		attach: func(session string) []string { return append(tmux, "attach-session", "-t", session) },
		remove: func(b *testing.B, session string) { run(b, append(tmux, "kill-session", "-t", session)...) },
		env:    env,
	})
}

// tmuxSession begins a command line that starts a session of tmux: what it runs follows.
func tmuxSession(name string) []string {
	return []string{"tmux", "-f", "/dev/null", "new-session", "-d", "-s", name, "-x", strconv.Itoa(termCols), "-y", strconv.Itoa(termRows)}
}

// buildShell builds wsh as in releases, and returns where it is.
func buildShell(b *testing.B) string {
	b.Helper()
	program := filepath.Join(scratch, "wsh")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", program, "ui-mcp/cmd/wsh")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return program
}

// hostAt returns a folder of a host of its own on this machine, and the variables of its programs.
func hostAt(b *testing.B) (dir string, env map[string]string) {
	b.Helper()
	dir, err := os.MkdirTemp("", "w") // short enough for sockets
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	return dir, map[string]string{
		"XDG_RUNTIME_DIR": dir, "XDG_CONFIG_HOME": dir, "TMUX_TMPDIR": dir, "HOME": dir, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/sh", "TMUX": "",
	}
}

// runAt runs a program of a host, and returns its output.
func runAt(b *testing.B, env map[string]string, args ...string) string {
	b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = pty.Environment(os.Environ(), env)
	return output(b, cmd)
}

// startShell starts the server of a host. It ends with the benchmark.
func startShell(b *testing.B, program string, env map[string]string, args ...string) {
	b.Helper()
	server := exec.Command(program, append([]string{"server", "--bind", "127.0.0.1:0"}, args...)...)
	server.Stderr = os.Stderr
	server.Env = pty.Environment(os.Environ(), env)
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	wait.Until(b, "the server of wsh listens", func() bool {
		_, err := os.Stat(filepath.Join(env["XDG_RUNTIME_DIR"], "wsh", "default.sock"))
		return err == nil
	})
}

// newSession has a client of wsh create a session and leave at once.
func newSession(b *testing.B, program string, env map[string]string, session, command string) {
	b.Helper()
	look := lookAt(b, multiplexer{env: env}, []string{program, "--name", session, "-c", command}, termCols, termRows)
	wait.Until(b, "the session is there", func() bool { return look.bytes() > 0 })
	runAt(b, env, program, "detach", session)
	look.ended(b)
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
	keep bool   // keeps all in kept
	kept []byte
}

// lookAt starts a client on a terminal.
func lookAt(b *testing.B, m multiplexer, args []string, cols, rows int) *look {
	b.Helper()
	l := &look{keep: m.keep, over: make(chan struct{}), changed: make(chan struct{}, 1)}
	path, err := exec.LookPath(args[0])
	if err != nil {
		b.Fatal(err)
	}
	l.process, err = pty.Start(pty.Options{Path: path, Args: args[1:], Env: pty.Environment(os.Environ(), m.env), Cols: cols, Rows: rows})
	if err != nil {
		b.Fatal(err)
	}
	l.term, err = vt.New(vt.Options{Cols: cols, Rows: rows, Effect: func(e vt.Effect) {
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
			if l.keep {
				l.kept = append(l.kept, buf[:n]...)
			}
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
	took := map[string][]time.Duration{}
	for _, m := range list {
		m.create(b, "full", fullScreen)
	}
	for b.Loop() {
		for _, m := range list {
			start := time.Now()
			l := lookAt(b, m, m.attach("full"), termCols, termRows)
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
	b.ReportMetric(0, "ns/op")
	for name, list := range took {
		b.ReportMetric(percentile(list, 50)/1000, name+"-p50-ms")
		b.ReportMetric(percentile(list, 90)/1000, name+"-p90-ms")
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
	took := map[string][]time.Duration{}
	var looks []*look
	for _, m := range list {
		m.create(b, "echo", "echo ready; exec cat >/dev/null")
		l := lookAt(b, m, m.attach("echo"), termCols, termRows)
		l.shows(b, "ready")
		looks = append(looks, l)
	}
	for n := 0; b.Loop(); n++ {
		for i, m := range list {
			l := looks[i]
			took[m.name] = append(took[m.name], l.echo(b, n))
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, list := range took {
		b.ReportMetric(percentile(list, 50)/1000, name+"-p50-ms")
		b.ReportMetric(percentile(list, 99)/1000, name+"-p99-ms")
	}
}

// BenchmarkAttachBytes measures how many bytes a client sends to its terminal for the output of
// programs. That is recorded once and then played in both, so that both get the same.
func BenchmarkAttachBytes(b *testing.B) {
	text := filepath.Join(scratch, "text.c")
	if err := os.WriteFile(text, []byte(strings.Repeat("int main(int argc, char **argv) { /* many words */ return argc; }\n\tchar *s = \"text\";\n\n", 200)), 0o600); err != nil {
		b.Fatal(err)
	}
	const lines = `i=0; while [ $i -lt 600 ]; do i=$((i+1)); printf '  CC      drivers/net/ethernet/file_%d.o\n' $i; [ $((i % 10)) = 0 ] && sleep 0.05; done; exec sleep 1000`
	for _, tt := range []struct {
		name string
		args []string
		keys []string
		time time.Duration
	}{
		{"build", []string{"sh", "-c", lines}, nil, 4 * time.Second},
		{"vim", []string{"vim", "-u", "NONE", "-i", "NONE", "-c", "syntax on", "-c", "set number", text}, []string{
			"\x06", "\x06", "\x06", "\x02", "\x05", "\x05", "\x05", "\x19", "G", "gg", "yyp", "dd", "ihello world\x1b", ":split\r", "\x06", ":q\r", "/many\r", "n", "n", "n", "\x04", "\x15",
		}, 0},
		{"htop", []string{"htop", "-d", "2"}, nil, 5 * time.Second},
	} {
		b.Run(tt.name, func(b *testing.B) {
			if _, err := exec.LookPath(tt.args[0]); err != nil {
				b.Skip("there is no ", tt.args[0])
			}
			list := multiplexers(b)
			dir := pieces(b, list[0], tt.args, tt.keys, tt.time)
			total := map[string]int{}
			for b.Loop() {
				for _, m := range list {
					m.create(b, tt.name, `stty -echo; echo ready; read go; cat `+dir+`/first; sleep 0.5; for f in `+dir+`/[0-9]*; do cat $f; sleep 0.05; done; printf '\033]2;over\033\\'; exec sleep 1000`)
					l := lookAt(b, m, m.attach(tt.name), 120, 40)
					l.shows(b, "ready")
					before := l.bytes()
					l.types(b, "\r")
					time.Sleep(2 * time.Second)
					l.quiet(time.Second)
					total[m.name] += l.bytes() - before
					m.remove(b, tt.name)
					l.ended(b)
				}
			}
			b.ReportMetric(0, "ns/op")
			for name, n := range total {
				b.ReportMetric(float64(n)/float64(b.N), name+"-bytes")
			}
		})
	}
}

// pieces records what a program writes on a terminal, in a folder of files: what it draws at first,
// and each update.
func pieces(b *testing.B, m multiplexer, args, keys []string, d time.Duration) string {
	b.Helper()
	dir := b.TempDir()
	l := lookAt(b, multiplexer{env: m.env, keep: true}, args, 120, 40)
	n := 0
	save := func(name string) {
		l.quiet(30 * time.Millisecond)
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.kept) == 0 {
			return
		}
		if err := os.WriteFile(filepath.Join(dir, name), l.kept, 0o600); err != nil {
			b.Fatal(err)
		}
		l.kept = nil
	}
	save("first")
	for _, k := range keys {
		l.types(b, k)
		n++
		save(fmt.Sprintf("%04d", n))
	}
	for end := time.Now().Add(d); time.Now().Before(end); {
		n++
		save(fmt.Sprintf("%04d", n))
	}
	return dir
}

// BenchmarkAttachFlood measures how fast a flood passes to an attached client, and how soon Ctrl-C
// ends one.
func BenchmarkAttachFlood(b *testing.B) {
	payloads, err := termPayloads()
	if err != nil {
		b.Fatal(err)
	}
	list := multiplexers(b)
	took, ends := map[string]time.Duration{}, map[string][]time.Duration{}
	p := payloads["plain"]
	for b.Loop() {
		for _, m := range list {
			m.create(b, "flood", `stty -echo; echo ready; read go; head -c 20000000 `+p.path+`; echo; echo passed; trap 'echo; echo stopped' INT; read go; yes "$(printf '%0150d' 7)"; exec sleep 1000`)
			l := lookAt(b, m, m.attach("flood"), termCols, termRows)
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
			m.remove(b, "flood")
			l.ended(b)
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, d := range took {
		b.ReportMetric(20*float64(b.N)/d.Seconds(), name+"-MB/s")
		b.ReportMetric(percentile(ends[name], 50)/1000, name+"-ctrl-c-ms")
	}
}
