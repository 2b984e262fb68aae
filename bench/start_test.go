package bench

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}` + "\n"

// firstAnswer starts a program, sends it one line, and returns the time until it has answered with
// one.
func firstAnswer(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	if _, err := io.WriteString(in, initialize); err != nil {
		b.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadSlice('\n'); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begin)
	if err := in.Close(); err != nil {
		b.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkStart measures the time from starting the process until initialize is answered: with a
// server of its own in a project with a base directory and in one without, and, as "shared", of the
// first client of a project, which starts its server. For a lower bound, it also measures cat,
// which answers with its input.
func BenchmarkStart(b *testing.B) {
	program, err := binary()
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range []struct {
		name    string
		command func(n int) *exec.Cmd
	}{
		{"cat", func(int) *exec.Cmd { return exec.Command("cat") }},
		{"existing", func(int) *exec.Cmd {
			return exec.Command(program, "mcp", "--own", "--dir", filepath.Join(scratch, "existing", ".claude", "ui"))
		}},
		{"fresh", func(n int) *exec.Cmd {
			return exec.Command(program, "mcp", "--own", "--dir", filepath.Join(scratch, "fresh-"+strconv.Itoa(n), ".claude", "ui"))
		}},
		{"shared", func(n int) *exec.Cmd {
			return exec.Command(program, "mcp", "--dir", filepath.Join(scratch, "shared-"+strconv.Itoa(n), ".claude", "ui"))
		}},
	} {
		b.Run(v.name, func(b *testing.B) {
			var times stopwatch
			firstAnswer(b, v.command(0)) // reads the program into memory, and creates the existing directory
			n := os.Getpid()             // two runs never share a directory
			for b.Loop() {
				n++
				times = append(times, firstAnswer(b, v.command(n)))
			}
			times.report(b)
		})
	}
}

// BenchmarkIdle measures what an idle server costs, with a displayed app and a connected page: its
// memory, and its processor time per second.
func BenchmarkIdle(b *testing.B) {
	p := start(b, rows)
	p.call("ui_display", map[string]any{"name": "rows"})
	p.open()
	b.ReportMetric(0, "ns/op")
	before, begin := p.cpu(), time.Now()
	for b.Loop() {
		time.Sleep(2 * time.Second)
	}
	b.ReportMetric(float64((p.cpu()-before).Microseconds())/1000/time.Since(begin).Seconds(), "cpu-ms/s")
	b.ReportMetric(float64(p.memory())/(1<<20), "MiB")
}
