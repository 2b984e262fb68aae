package bench

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// bareServer is an MCP server of the SDK with nothing else in it.
const bareServer = `package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	s := mcp.NewServer(&mcp.Implementation{Name: "bare"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct{ Text string }) (*mcp.CallToolResult, any, error) {
		return nil, in, nil
	})
	_ = s.Run(context.Background(), &mcp.StdioTransport{}) // until the input ends
}
`

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}` + "\n"

// firstAnswer starts a program, sends it one line, and returns the time until it has answered with
// one.
func firstAnswer(b *testing.B, cmd *exec.Cmd) time.Duration {
	b.Helper()
	cmd.Stderr = io.Discard
	begin := time.Now()
	in, out := piped(b, cmd)
	if _, err := io.WriteString(in, initialize); err != nil {
		b.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadSlice('\n'); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begin)
	in.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkFirstAnswer measures the time from starting a process until it has answered initialize,
// and the processor time of the whole process: for each toolset with a server of its own, for a
// client that starts the server of a project, for one that joins it, for wsh mcp with a server that
// runs, and for a server of the SDK with one tool. They take turns, so that the ratios to that
// server say more than the times do on a busy machine.
func BenchmarkFirstAnswer(b *testing.B) {
	source := filepath.Join(scratch, "bare.go")
	if err := os.WriteFile(source, []byte(bareServer), 0o600); err != nil {
		b.Fatal(err)
	}
	bare, uimcp, wsh := built(b, "bare", source), built(b, "ui-mcp", "ui-mcp/cmd/ui-mcp"), built(b, "wsh", "ui-mcp/cmd/wsh")
	home := b.TempDir()
	b.Setenv("HOME", home)
	b.Setenv("XDG_RUNTIME_DIR", home)
	dir := filepath.Join(home, ".claude", "ui")
	server := exec.Command(wsh, "server", "--bind", "127.0.0.1:0", "--log-level", "warn")
	input, _ := piped(b, server)
	b.Cleanup(func() {
		input.Close()
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed
	})
	shared := filepath.Join(home, "shared", ".claude", "ui")
	first := exec.Command(uimcp, "mcp", "--dir", shared)
	in, out := piped(b, first)
	b.Cleanup(func() {
		in.Close()
		_ = first.Wait() // what it joined is not measured any more
	})
	if _, err := in.Write([]byte(initialize)); err != nil {
		b.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // the server runs
		b.Fatal(err)
	}
	variants := []struct {
		name string
		args []string
	}{
		{"bare", []string{bare}},
		{"ui", []string{uimcp, "mcp", "--own", "--dir", dir, "--toolsets", "ui"}},
		{"ui,popup", []string{uimcp, "mcp", "--own", "--dir", dir}},
		{"all", []string{uimcp, "mcp", "--own", "--dir", dir, "--toolsets", "ui,popup,terminal"}},
		{"started", []string{uimcp, "mcp", "--dir", filepath.Join(home, "started", ".claude", "ui")}},
		{"joined", []string{uimcp, "mcp", "--dir", shared}},
		{"wsh", []string{wsh, "mcp"}},
	}
	times, used := map[string]stopwatch{}, map[string]time.Duration{}
	round := func(count bool) {
		for _, v := range variants {
			cmd := exec.Command(v.args[0], v.args[1:]...)
			took := firstAnswer(b, cmd)
			if count {
				times[v.name] = append(times[v.name], took)
				used[v.name] += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
		}
	}
	round(false) // reads the programs, and creates the directory
	for b.Loop() {
		round(true)
	}
	b.ReportMetric(0, "ns/op")
	for _, v := range variants {
		unit := strings.ReplaceAll(v.name, ",", "+")
		n := float64(len(times[v.name]))
		b.ReportMetric(times[v.name].ms(0.5), unit+"-ms")
		b.ReportMetric(times[v.name].ms(0.5)/times["bare"].ms(0.5), unit+"-ratio")
		b.ReportMetric(used[v.name].Seconds()*1000/n, unit+"-cpu-ms")
	}
}

// BenchmarkIdleMemory measures the resident memory of processes after the first answer, and the
// part of it that is not pages of the program's file: ui-mcp with each toolset, and wsh server.
func BenchmarkIdleMemory(b *testing.B) {
	uimcp, wsh := built(b, "ui-mcp", "ui-mcp/cmd/ui-mcp"), built(b, "wsh", "ui-mcp/cmd/wsh")
	home := b.TempDir()
	b.Setenv("HOME", home)
	b.Setenv("XDG_RUNTIME_DIR", home)
	b.ReportMetric(0, "ns/op")
	for b.Loop() {
		for name, args := range map[string][]string{
			"ui":       {uimcp, "mcp", "--own", "--dir", filepath.Join(home, ".claude", "ui"), "--toolsets", "ui"},
			"ui+popup": {uimcp, "mcp", "--own", "--dir", filepath.Join(home, ".claude", "ui")},
			"all":      {uimcp, "mcp", "--own", "--dir", filepath.Join(home, ".claude", "ui"), "--toolsets", "ui,popup,terminal"},
			"wsh":      {wsh, "server", "--bind", "127.0.0.1:0", "--log-level", "warn"},
		} {
			cmd := exec.Command(args[0], args[1:]...)
			in, out := piped(b, cmd)
			if name != "wsh" {
				if _, err := in.Write([]byte(initialize)); err != nil {
					b.Fatal(err)
				}
			}
			if _, err := out.Read(make([]byte, 1)); err != nil { // the answer, or the address
				b.Fatal(err)
			}
			time.Sleep(time.Second) // what it does behind the answer
			p := &process{b: b, pid: cmd.Process.Pid}
			b.ReportMetric(float64(p.memory())/(1<<20), name+"-MiB")
			b.ReportMetric(float64(p.anonymous())/(1<<20), name+"-own-MiB")
			_ = cmd.Process.Signal(os.Interrupt)
			in.Close()
			if err := cmd.Wait(); err != nil {
				b.Fatal(fmt.Errorf("%s: %w", name, err))
			}
		}
	}
}
