// Package bench measures what people wait for, on the real program: a ui-mcp process, JSON-RPC on
// its standard streams, and a page's WebSocket.
package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/signals"
)

// A process is a running ui-mcp with an agent on its standard streams. The client does as little as
// possible, so that benchmarks measure the server.
type process struct {
	b   *testing.B
	dir string
	url string
	pid int
	in  io.Writer
	out *bufio.Reader
	id  int
}

// built builds a program as in releases, and returns its path. source is a package, or a file.
func built(b *testing.B, name, source string) string {
	b.Helper()
	path := filepath.Join(scratch, name)
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", path, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return path
}

var scratch string // a folder that is removed after the benchmarks

func TestMain(m *testing.M) {
	if kind := os.Getenv(echoEnv); kind != "" {
		if err := serveEcho(kind); err != nil {
			panic(err)
		}
		return
	}
	signals.Default()
	var err error
	if scratch, err = os.MkdirTemp("", "ui-mcp-bench-"); err != nil {
		panic(err)
	}
	code := browser.Main(m)
	os.RemoveAll(scratch)
	os.Exit(code)
}

// start starts a process and brings it to RUNNING. files are written below its base directory
// first. The process is the server itself, not a bridge to one: what is measured of it is the
// server's.
func start(b *testing.B, files map[string]string, flags ...string) *process {
	b.Helper()
	p := &process{b: b, dir: filepath.Join(b.TempDir(), ".claude", "ui")}
	for name, content := range files {
		testkit.Write(b, p.dir, name, content)
	}
	cmd := exec.Command(built(b, "ui-mcp", "ui-mcp/cmd/ui-mcp"), append([]string{"mcp", "--own", "--dir", p.dir}, flags...)...)
	in, out := piped(b, cmd)
	b.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			b.Errorf("the server ended badly: %v", err)
		}
	})
	p.in, p.out, p.pid = in, bufio.NewReaderSize(out, 1<<20), cmd.Process.Pid
	p.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}`)
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.url = p.call("ui_start", nil)
	return p
}

// piped starts a command, and returns its standard input and output.
func piped(b *testing.B, cmd *exec.Cmd) (in io.WriteCloser, out io.ReadCloser) {
	b.Helper()
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if out, err = cmd.StdoutPipe(); err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	return in, out
}

func (p *process) write(line string) {
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.b.Fatal(err)
	}
}

// send sends a request without waiting for its answer.
func (p *process) send(method, params string) {
	p.id++
	p.write(`{"jsonrpc":"2.0","id":` + strconv.Itoa(p.id) + `,"method":"` + method + `","params":` + params + `}`)
}

// answer reads the answer to the last request. Notifications may come before it.
func (p *process) answer() json.RawMessage {
	for {
		line, err := p.out.ReadSlice('\n')
		if err != nil {
			p.b.Fatal(err)
		}
		var msg struct {
			ID            int
			Method        string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &msg); err != nil || msg.Error != nil || msg.Method == "" && msg.ID != p.id {
			p.b.Fatalf("answer to %d: %s (%v)", p.id, line, err)
		}
		if msg.Method == "" {
			return msg.Result
		}
	}
}

func (p *process) request(method, params string) json.RawMessage {
	p.send(method, params)
	return p.answer()
}

// params returns the JSON parameters of a tool call.
func params(b *testing.B, tool string, args map[string]any) string {
	b.Helper()
	if args == nil {
		args = map[string]any{}
	}
	v, err := json.Marshal(map[string]any{"name": tool, "arguments": args})
	if err != nil {
		b.Fatal(err)
	}
	return string(v)
}

// call calls a tool and returns its text.
func (p *process) call(tool string, args map[string]any) string {
	var res struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(p.request("tools/call", params(p.b, tool, args)), &res); err != nil || res.IsError || len(res.Content) == 0 {
		p.b.Fatalf("%s: %+v (%v)", tool, res, err)
	}
	return res.Content[0].Text
}

func (p *process) run(code string) string { return p.call("ui_run", map[string]any{"code": code}) }

// A page is a WebSocket that receives messages as a browser does, without displaying them.
type page struct {
	b    *testing.B
	conn *websocket.Conn
}

// open connects a page and waits for its snapshot, whose size it returns.
func (p *process) open() (*page, int) {
	ctx, cancel := context.WithTimeout(p.b.Context(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, strings.Replace(p.url, "http", "ws", 1)+"/ws/1", nil)
	if err != nil {
		p.b.Fatal(err)
	}
	conn.SetReadLimit(-1)
	p.b.Cleanup(func() { conn.CloseNow() })
	pg := &page{p.b, conn}
	return pg, len(pg.next("snapshot"))
}

// next reads messages until one of a type, and returns that.
func (pg *page) next(typ string) []byte {
	for {
		_, msg, err := pg.conn.Read(pg.b.Context())
		if err != nil {
			pg.b.Fatal(err)
		}
		if strings.HasPrefix(string(msg[:min(len(msg), 40)]), `{"type":"`+typ+`"`) {
			return msg
		}
	}
}

// cpu returns the processor time that the process has used, user and system.
func (p *process) cpu() time.Duration { return cpuOf(p.b, p.pid) }

// cpuOf returns the processor time of a process.
func cpuOf(b *testing.B, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip("processor time is read from /proc: ", err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] { // utime and stime, fields 14 and 15 of proc(5)
		n, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond // USER_HZ is 100 on every Linux that Go runs on
}

// memory returns the resident size of the process in bytes.
func (p *process) memory() int64 { return p.status("VmRSS") }

// anonymous returns the memory of the process that is its own, in bytes: without pages of files,
// which all processes share.
func (p *process) anonymous() int64 { return p.status("RssAnon") }

// status returns a size in the status of the process, in bytes; 0 where the system has no /proc.
func (p *process) status(field string) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\n"+field+":")
	n, err := strconv.ParseInt(strings.Fields(rest + " none")[0], 10, 64)
	if err != nil {
		p.b.Fatalf("the status of the process has no %s", field)
	}
	return n << 10
}

// A stopwatch collects the durations of single operations.
type stopwatch []time.Duration

// timed calls a function in each round of a benchmark, with the number of the round, from 1, and
// returns how long each call took. What the function returns, if anything, comes after each call,
// and does not count.
func timed(b *testing.B, once func(i int) (after func())) (s stopwatch) {
	for i := 1; b.Loop(); i++ {
		begin := time.Now()
		after := once(i)
		s = append(s, time.Since(begin))
		if after != nil {
			after()
		}
	}
	return s
}

// add adds a time in milliseconds, as pages measure it.
func (s *stopwatch) add(ms float64) { *s = append(*s, time.Duration(ms*float64(time.Millisecond))) }

// ms returns a quantile in milliseconds; 0 if there was no operation.
func (s stopwatch) ms(q float64) float64 {
	if len(s) == 0 {
		return 0
	}
	slices.Sort(s)
	return float64(s[int(q*float64(len(s)-1))].Nanoseconds()) / 1e6
}

// report adds the median and the 99th percentile to a benchmark's result. what begins their names.
func (s stopwatch) report(b *testing.B, what ...string) {
	name := strings.Join(what, "")
	b.ReportMetric(s.ms(0.5), name+"p50-ms")
	b.ReportMetric(s.ms(0.99), name+"p99-ms")
	b.ReportMetric(0, "ns/op") // the mean of a noisy machine says less
}

// than reports how many times those of another stopwatch the median and the 99th percentile are.
func (s stopwatch) than(b *testing.B, other stopwatch, unit string) {
	b.ReportMetric(s.ms(0.5)/other.ms(0.5), "p50-"+unit)
	b.ReportMetric(s.ms(0.99)/other.ms(0.99), "p99-"+unit)
}

func init() {
	if runtime.GOOS != "linux" {
		fmt.Fprintln(os.Stderr, "processor time and memory are measured on Linux only")
	}
}
