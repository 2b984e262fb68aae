//go:build linux

package attack

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A process is a command that is attacked.
type process struct {
	t       *testing.T
	command string // as the report names it
	home    string
	cmd     *exec.Cmd
	log     *testkit.Log
	ended   chan struct{} // closed when the process has ended; then err is set
	err     error
	answers func(t *testing.T) // fails the test if the process does not answer
	ceiling uint64             // of its memory, in bytes
	before  resources          // when it was ready
}

// launch starts a command and returns its standard output. At the end of the test it is killed if
// it still runs.
func launch(t *testing.T, command string, ceiling uint64, args ...string) (*process, io.WriteCloser, *bufio.Reader) {
	t.Helper()
	p := &process{t: t, command: command, home: t.TempDir(), log: &testkit.Log{}, ended: make(chan struct{}), ceiling: ceiling}
	p.cmd = exec.Command(args[0], args[1:]...)
	p.cmd.Stderr = p.log
	p.cmd.Env = append(p.cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=", "GOTRACEBACK=all", "XDG_RUNTIME_DIR=", "XDG_CACHE_HOME=", "HOME="+p.home)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe() // Wait closes StdoutPipe, even if nobody has read all of it
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stdout = writer
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
		reader.Close()
		if text, _, _ := strings.Cut(p.log.String(), "SIGQUIT: quit"); t.Failed() {
			t.Logf("the end of what %s logged:\n%s", command, text[max(0, len(text)-4_000):])
		}
	})
	return p, in, bufio.NewReader(reader)
}

// An attack is one thing that a process must survive.
type attack struct {
	claim string // of docs/security.md, such as "S1"
	name  string
	slow  bool // left out of make test
	run   func(t *testing.T)
}

// face makes attacks on the process, one after another.
func (p *process) face(attacks ...attack) {
	p.t.Helper()
	for _, a := range attacks {
		if a.claim == "" {
			p.t.Errorf("%q belongs to no claim of docs/security.md", a.name)
		}
		if a.slow && !load.Full() {
			continue
		}
		select {
		case <-p.ended:
			p.t.Fatalf("%s has ended: %v", p.command, p.err)
		default:
		}
		p.resetPeak()
		start := time.Now()
		var peak uint64
		result := ""
		held := p.t.Run(a.name, func(t *testing.T) {
			result = "skipped"
			a.run(t)
			result = "held"
			p.answers(t)
			if peak = p.status("VmHWM"); peak > p.ceiling {
				t.Errorf("the process has held %d MiB, the ceiling is %d MiB", peak>>20, p.ceiling>>20)
			}
		})
		if !held {
			result = "FAILED"
		}
		if result != "" { // -run may have deselected it
			report.add(a.claim, p.command, a.name, result, peak, time.Since(start))
		}
	}
}

// status returns a field of /proc/PID/status, in bytes.
func (p *process) status(field string) uint64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatalf("%s has ended: %v\n%s", p.command, err, p.log)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			number, _, kilo := strings.Cut(strings.TrimSpace(rest), " kB")
			n, err := strconv.ParseUint(number, 10, 64)
			if err != nil {
				p.t.Fatal(err)
			}
			if kilo {
				n <<= 10
			}
			return n
		}
	}
	p.t.Fatalf("there is no %s for %s", field, p.command)
	return 0
}

// resetPeak makes VmHWM start again from the present size.
func (p *process) resetPeak() {
	// Where that is forbidden, later attacks are measured with the peak of earlier ones.
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}

// resources are what a process must give back.
type resources struct{ descriptors, threads, children int }

func (p *process) resources() resources {
	pid := p.cmd.Process.Pid
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		p.t.Fatal(err)
	}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		p.t.Fatal(err)
	}
	r := resources{descriptors: len(fds), threads: int(p.status("Threads"))}
	for _, file := range tasks {
		data, _ := os.ReadFile(file) // a thread may end meanwhile
		r.children += len(strings.Fields(string(data)))
	}
	return r
}

// ready ends the start of a process: what it uses now is what it must come back to.
func (p *process) ready() {
	p.answers(p.t)
	p.before = p.resources()
}

// settle waits until the process has given back what the attacks made it use. Threads are left to
// the runtime, which keeps those it has made, up to a bound; goroutines are counted by the dump
// that ends the process.
func (p *process) settle() {
	p.t.Helper()
	const spare = 8 // connections that the client keeps
	wait.Until(p.t, p.command+" has given its descriptors and children back", func() bool {
		now := p.resources()
		return now.descriptors <= p.before.descriptors+spare && now.children <= p.before.children
	})
	if n := p.resources().threads; n > 64 {
		p.t.Errorf("%d threads", n)
	}
	http.DefaultClient.CloseIdleConnections()
	wait.Until(p.t, p.command+" has closed its connections", func() bool {
		return p.resources().descriptors <= p.before.descriptors+1 // one of epoll, say
	})
	if err := p.cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		p.t.Fatal(err)
	}
	<-p.ended
	dump := p.log.String()
	if n := strings.Count(dump, "\ngoroutine "); n == 0 || n > 100 {
		p.t.Errorf("%d goroutines at the end, want 1 to 100:\n%s", n, dump)
	}
}

// ends checks that SIGTERM ends the process, within five seconds unless the machine is busy.
func (p *process) ends() {
	p.t.Helper()
	start := time.Now()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.ended:
	case <-time.After(wait.Patience):
		p.t.Fatalf("%s has not ended", p.command)
	}
	if took := time.Since(start); took > 20*time.Second {
		p.t.Errorf("%s took %s to end", p.command, took)
	}
	if p.err != nil {
		p.t.Errorf("%s ended with %v", p.command, p.err)
	}
}

// An answer is a JSON-RPC answer.
type answer struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

// code is the error's code, or 0.
func (a answer) code() int {
	if a.Error == nil {
		return 0
	}
	return a.Error.Code
}

// text is the text of a tool's result, or the error.
func (a answer) text() (text string, isError bool) {
	if a.Error != nil {
		return a.Error.Message, true
	}
	var result struct {
		Content []struct{ Text string }
		IsError bool
	}
	_ = json.Unmarshal(a.Result, &result) // results of other methods have no text
	for _, c := range result.Content {
		text += c.Text
	}
	return text, result.IsError
}

// A server is a process of ui-mcp.
type server struct {
	*process
	dir          string
	pages, agent string // URLs
	call         func(t *testing.T, method string, params any) answer
	send         func(t *testing.T, line string) // a raw line on standard input, or nil
	receive      func(t *testing.T) answer       // the next answer on standard output
	session      string                          // of MCP over HTTP
	in           io.Writer                       // standard input, or nil
}

const (
	luaTimeout = time.Second
	luaMemory  = 64 // MiB
	// serverCeiling bounds a server whose sessions may hold luaMemory: see ADR 18.
	serverCeiling = 1 << 30
	// scriptCeiling bounds one that has run a single script.
	scriptCeiling = 768 << 20
)

func flags(dir string) []string {
	return []string{"--dir", dir, "--lua-timeout", luaTimeout.String(), "--lua-memory", strconv.Itoa(luaMemory)}
}

// newDir makes a base directory.
func newDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// startMCP starts "ui-mcp mcp", whose client uses the standard streams.
func startMCP(t *testing.T) *server {
	t.Helper()
	dir := newDir(t)
	p, in, out := launch(t, "ui-mcp mcp", serverCeiling, append([]string{"ui-mcp", "mcp", "--own"}, flags(dir)...)...)
	s := &server{process: p, dir: dir, in: in}
	s.send = func(t *testing.T, line string) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	s.receive = func(t *testing.T) (a answer) {
		t.Helper()
		line, err := out.ReadBytes('\n')
		if err != nil {
			t.Fatalf("no answer: %v", err)
		}
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("not JSON: %q", line)
		}
		return a
	}
	id := 0
	s.call = func(t *testing.T, method string, params any) answer {
		t.Helper()
		id++
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		s.send(t, string(line))
		for {
			if a := s.receive(t); string(a.ID) == strconv.Itoa(id) {
				return a
			}
		}
	}
	s.call(t, "initialize", hello)
	s.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.must(t, "ui_start", nil)
	s.begin()
	return s
}

// startServe starts "ui-mcp serve" with some more flags. Its client uses HTTP.
func startServe(t *testing.T, more ...string) *server {
	t.Helper()
	dir := newDir(t)
	p, _, out := launch(t, "ui-mcp serve", serverCeiling, slices.Concat([]string{"ui-mcp", "serve", "--port", "0", "--mcp-port", "0"}, flags(dir), more)...)
	awaitLine(t, p, out, "Open ")
	s := &server{process: p, dir: dir}
	s.agent = testkit.AgentURL(t, dir)
	s.call = func(t *testing.T, method string, params any) answer {
		t.Helper()
		a, err := s.post(t.Context(), method, params)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	s.call(t, "initialize", hello)
	s.begin()
	return s
}

func (s *server) begin() {
	s.agent = testkit.AgentURL(s.t, s.dir)
	s.pages = "http://127.0.0.1:" + strings.TrimSpace(testkit.Read(s.t, s.dir, "ui-port"))
	s.answers = func(t *testing.T) {
		t.Helper()
		if got := s.must(t, "ui_run", map[string]any{"code": "return 6 * 7"}); !strings.Contains(got, "42") {
			t.Errorf("afterwards, 6 * 7 = %s", got)
		}
	}
	s.ready()
}

var hello = map[string]any{
	"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
	"clientInfo": map[string]any{"name": "attack", "version": "0"},
}

// post makes a call by HTTP.
func (s *server) post(ctx context.Context, method string, params any) (a answer, err error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return a, err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", s.agent+"/mcp", bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if s.session != "" {
		req.Header.Set("Mcp-Session-Id", s.session)
		req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		s.session = id
	}
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return a, err
	}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		for line := range strings.Lines(string(data)) {
			text, ok := strings.CutPrefix(line, "data:")
			if ok && json.Unmarshal([]byte(text), &a) == nil && a.ID != nil {
				return a, nil
			}
		}
		return a, fmt.Errorf("no answer in %.200q", data)
	}
	if err := json.Unmarshal(data, &a); err != nil {
		return a, fmt.Errorf("%s: %.200q", res.Status, data)
	}
	return a, nil
}

// awaitLine reads standard output up to a line with a prefix, and discards the rest.
func awaitLine(t *testing.T, p *process, out *bufio.Reader, prefix string) string {
	t.Helper()
	for {
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatalf("%s: %v\n%s", p.command, err, p.log)
		}
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }() // until the process ends
			return strings.TrimSpace(rest)
		}
	}
}

// tool calls a tool.
func (s *server) tool(t *testing.T, name string, args map[string]any) (text string, isError bool) {
	t.Helper()
	if args == nil {
		args = map[string]any{}
	}
	return s.call(t, "tools/call", map[string]any{"name": name, "arguments": args}).text()
}

// must calls a tool that must succeed.
func (s *server) must(t *testing.T, name string, args map[string]any) string {
	t.Helper()
	text, isError := s.tool(t, name, args)
	if isError {
		t.Fatalf("%s: %s", name, text)
	}
	return text
}

// bounded calls f, which must not take much longer than Lua may run.
func bounded(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	f()
	if took := time.Since(start); took > luaTimeout+20*time.Second {
		t.Errorf("it took %s, and Lua may run for %s", took, luaTimeout)
	}
}

// get makes an HTTP request. Headers are names and values in turn.
func get(t *testing.T, method, url, body string, headers ...string) (int, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
			continue
		}
		req.Header[headers[i]] = []string{headers[i+1]}
	}
	res, err := direct.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, 64<<20))
	return res.StatusCode, string(data), err
}

// direct follows no redirections and keeps no connections.
var direct = &http.Client{
	Transport:     &http.Transport{DisableKeepAlives: true},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}
