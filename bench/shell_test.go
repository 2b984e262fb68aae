//go:build linux

package bench

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/testkit/wait"
)

// A host is a machine of its own, on this one, with a server of wsh.
type host struct {
	*process
	program string
	dir     string            // its home and runtime folder
	env     map[string]string // the variables of its programs
}

// startHost starts "wsh server" on a host of its own. It ends with the benchmark.
func startHost(b *testing.B, flags ...string) *host {
	b.Helper()
	h := newHost(b)
	h.serve(flags...)
	return h
}

// newHost returns a host whose server does not run yet.
func newHost(b *testing.B) *host {
	b.Helper()
	dir := testkit.ShortDir(b)
	return &host{process: &process{b: b}, program: built(b, "wsh", "ui-mcp/cmd/wsh"), dir: dir, env: map[string]string{
		"XDG_RUNTIME_DIR": dir, "XDG_CONFIG_HOME": dir, "TMUX_TMPDIR": dir, "HOME": dir, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "SHELL": "/bin/bash", "TMUX": "",
	}}
}

func (h *host) serve(flags ...string) {
	h.b.Helper()
	server := exec.Command(h.program, append([]string{"server", "--bind", "127.0.0.1:0", "--log-level", "warn"}, flags...)...)
	server.Env = pty.Environment(os.Environ(), h.env)
	_, out := piped(h.b, server)
	h.b.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		if err := server.Wait(); err != nil {
			h.b.Errorf("the server ended badly: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		h.b.Fatal(err)
	}
	h.pid, h.url = server.Process.Pid, strings.TrimSpace(line[strings.Index(line, "http"):])
}

// run runs a program of the host, and returns its output.
func (h *host) run(args ...string) string {
	h.b.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env = pty.Environment(os.Environ(), h.env)
	return output(h.b, cmd)
}

// request sends a request, which must succeed, and returns the answer.
func (h *host) request(method, path, body string) []byte {
	h.b.Helper()
	req, err := http.NewRequestWithContext(h.b.Context(), method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.b.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.b.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= 300 {
		h.b.Fatalf("%s %s: %s %s (%v)", method, path, res.Status, text, err)
	}
	return text
}

// create creates a session.
func (h *host) create(name, command string, cols, rows int) {
	h.b.Helper()
	body, err := json.Marshal(map[string]any{"name": name, "command": command, "cols": cols, "rows": rows})
	if err != nil {
		h.b.Fatal(err)
	}
	h.request("POST", "/sessions", string(body))
}

// attach returns a command line that attaches to a session.
func (h *host) attach(session string) []string {
	return []string{h.program, "attach", "--scrollback", "none", "--status", "none", session}
}

// session has a client create a session for terminals, and leave it at once.
func (h *host) session(name, command string) {
	h.b.Helper()
	look := lookAt(h.b, h.env, []string{h.program, "--name", name, "-c", command})
	wait.Until(h.b, "the session is there", func() bool { return look.bytes() > 0 })
	h.run(h.program, "detach", name)
	look.ended(h.b)
}

// A shellSocket is a WebSocket of "wsh server".
type shellSocket struct {
	b    *testing.B
	conn *websocket.Conn
	id   int
}

func openSocket(b *testing.B, url, path string) *shellSocket {
	b.Helper()
	conn, _, err := websocket.Dial(b.Context(), "ws"+strings.TrimPrefix(url, "http")+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	conn.SetReadLimit(-1)
	b.Cleanup(func() { conn.CloseNow() })
	s := &shellSocket{b: b, conn: conn}
	s.until(`"connected"`)
	return s
}

// send sends a request.
func (s *shellSocket) send(method, params string) {
	s.id++
	request := `{"id":` + strconv.Itoa(s.id) + `,"method":"` + method + `","params":` + params + `}`
	if err := s.conn.Write(s.b.Context(), websocket.MessageText, []byte(request)); err != nil {
		s.b.Fatal(err)
	}
}

// until reads messages until one has a text.
func (s *shellSocket) until(text string) {
	for {
		_, message, err := s.conn.Read(s.b.Context())
		if err != nil {
			s.b.Fatalf("before %s: %v", text, err)
		}
		if strings.Contains(string(message), text) {
			return
		}
	}
}

// call calls a method and waits for its answer.
func (s *shellSocket) call(method, params string) {
	s.send(method, params)
	s.until(`"id":` + strconv.Itoa(s.id) + ",")
}

// discard reads until the connection ends.
func (s *shellSocket) discard() {
	for {
		_, m, err := s.conn.Reader(s.b.Context())
		if err != nil {
			return
		}
		if _, err := io.Copy(io.Discard, m); err != nil {
			return
		}
	}
}

// BenchmarkIdleSessions measures what "wsh server" costs with 100 idle sessions: its processor time
// per second, its own memory, and its resident memory, which includes pages of the program's file.
// Half of the sessions are shells at their prompts, and half are programs that wait for a line,
// whose state nothing announces.
func BenchmarkIdleSessions(b *testing.B) {
	h := startHost(b)
	for i := range 100 {
		name, command, state := strconv.Itoa(i), "", "prompt"
		if i%2 == 1 {
			command, state = "read line", "line"
		}
		h.create(name, command, 80, 24)
		h.request("GET", "/sessions/"+name+"/wait/state?state="+state, "")
	}
	http.DefaultClient.CloseIdleConnections()
	b.ReportMetric(0, "ns/op")
	before, begin := h.cpu(), time.Now()
	for b.Loop() {
		time.Sleep(time.Minute) // a tick of the clock is 10 ms
	}
	b.ReportMetric(float64((h.cpu()-before).Microseconds())/1000/time.Since(begin).Seconds(), "cpu-ms/s")
	b.ReportMetric(float64(h.anonymous())/(1<<20), "own-MiB")
	b.ReportMetric(float64(h.memory())/(1<<20), "resident-MiB")
}
