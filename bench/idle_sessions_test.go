package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startShellServer starts "wsh server" with flags, and returns its process and URL.
func startShellServer(b *testing.B, flags ...string) (*process, string) {
	b.Helper()
	program := filepath.Join(scratch, "wsh")
	if out, err := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", program, "ui-mcp/cmd/wsh").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	runtimeDir, err := os.MkdirTemp("", "w") // short enough for sockets
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(runtimeDir) })
	cmd := exec.Command(program, append([]string{"server", "--bind", "127.0.0.1:0", "--config", os.DevNull, "--log-level", "warn"}, flags...)...)
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+runtimeDir, "HOME="+runtimeDir, "SHELL=/bin/bash") // no start-up files of the person
	_, out := piped(b, cmd)
	b.Cleanup(func() {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			b.Error(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Errorf("the server ended badly: %v", err)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return &process{b: b, pid: cmd.Process.Pid}, strings.TrimSpace(line[strings.Index(line, "http"):])
}

// BenchmarkIdleSessions measures what "wsh server" costs with 100 idle sessions: its processor time
// per second, its own memory, and its resident memory, which includes pages of the program's file.
// Half of the sessions are shells at their prompts, and half are programs that wait for a line,
// whose state nothing announces.
func BenchmarkIdleSessions(b *testing.B) {
	const sessions = 100
	p, url := startShellServer(b)
	for i := range sessions {
		name, command, state := strconv.Itoa(i), "", "prompt"
		if i%2 == 1 {
			command, state = "read line", "line"
		}
		post(b, url+"/sessions", `{"name":"`+name+`","command":"`+command+`"}`)
		res, err := http.Get(url + "/sessions/" + name + "/wait/state?state=" + state)
		if err != nil {
			b.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			b.Fatalf("waiting for the state %s: %s", state, res.Status)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	b.ReportMetric(0, "ns/op")
	before, begin := p.cpu(), time.Now()
	for b.Loop() {
		time.Sleep(time.Minute) // a tick of the clock is 10 ms
	}
	b.ReportMetric(float64((p.cpu()-before).Microseconds())/1000/time.Since(begin).Seconds(), "cpu-ms/s")
	b.ReportMetric(float64(p.anonymous())/(1<<20), "own-MiB")
	b.ReportMetric(float64(p.memory())/(1<<20), "resident-MiB")
}

func post(b *testing.B, url, body string) {
	b.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		b.Fatalf("POST %s: %s", url, res.Status)
	}
}

// anonymous returns the memory of the process that is its own, in bytes: without pages of files,
// which all processes share.
func (p *process) anonymous() int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
	if err != nil {
		p.b.Fatal(err)
	}
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("RssAnon:")); ok {
			n, err := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			if err != nil {
				p.b.Fatal(err)
			}
			return n << 10
		}
	}
	p.b.Fatal("the status of the process has no RssAnon")
	return 0
}
