//go:build linux

package bench

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
)

// The size of the flooded terminal, and its history.
const (
	termCols, termRows = 200, 50
	termHistory        = 10_000
)

func termRegistry(b *testing.B) *registry.Registry {
	b.Helper()
	scripts, err := shell.Install(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	r := opcases.Sessions(b, registry.Config{
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "LANG=C.UTF-8"}, Home: b.TempDir(),
		Shell: "/bin/bash", Scripts: scripts, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	return r
}

func termCreate(b *testing.B, r *registry.Registry, command string) *term.Session {
	b.Helper()
	s, err := r.Create(b.Context(), registry.CreateOptions{Command: command, Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkTermScreen measures reading the screen of a quiet and of a flooded session.
func BenchmarkTermScreen(b *testing.B) {
	for _, tt := range []struct{ name, command string }{
		{"idle", "seq 1 1000; exec sleep 1000"},
		{"flood", "exec yes 'the quick brown fox jumps over the lazy dog, again and again'"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			s := termCreate(b, termRegistry(b), tt.command)
			if _, err := s.WaitFor(b.Context(), `1000|again`, 0); err != nil {
				b.Fatal(err)
			}
			var took stopwatch
			for b.Loop() {
				time.Sleep(200 * time.Microsecond) // a pause, or reading would leave no time for the flood
				start := time.Now()
				if _, err := s.Screen(b.Context()); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			took.report(b)
		})
	}
}

// BenchmarkTermRun measures the overhead of running a command.
func BenchmarkTermRun(b *testing.B) {
	s := termCreate(b, termRegistry(b), "")
	var beyond stopwatch
	n := 0
	for b.Loop() {
		n++
		word := strconv.Itoa(n)
		start := time.Now()
		run, err := s.RunCommand(b.Context(), "echo "+word, term.RunOptions{})
		if err != nil {
			b.Fatal(err)
		}
		beyond = append(beyond, time.Since(start)-run.Duration)
		if run.Output != word+"\n" || run.ExitCode == nil {
			b.Fatalf("run %d: output %q", n, run.Output)
		}
	}
	beyond.report(b)
}

// BenchmarkTermMemory measures the memory of quiet sessions, without that of their programs.
func BenchmarkTermMemory(b *testing.B) {
	for _, tt := range []struct {
		name, command string
		cols, rows    int
	}{
		{"fresh", "exec sleep 1000", 80, 24},
		{"plain10k", "yes 'the quick brown fox jumps over the lazy dog, again and again, until it is tired' | head -n 10100; echo over; exec sleep 1000", 80, 24},
		{"colour10k", "i=0; while [ $i -lt 101 ]; do cat COLOUR; i=$((i+1)); done; echo over; exec sleep 1000", 200, 50},
	} {
		b.Run(tt.name, func(b *testing.B) {
			sessions := 20
			if tt.name == "fresh" {
				sessions = 200 // of which each has little beside what the process allocates once
			}
			for b.Loop() {
				b.StopTimer()
				r := termRegistry(b)
				command := strings.ReplaceAll(tt.command, "COLOUR", colouredLines(b))
				heap := func() uint64 {
					runtime.GC()
					runtime.GC()
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					return m.HeapAlloc + m.StackInuse
				}
				before := heap()
				for range sessions {
					s, err := r.Create(b.Context(), registry.CreateOptions{Command: command, Cols: tt.cols, Rows: tt.rows})
					if err != nil {
						b.Fatal(err)
					}
					if tt.name != "fresh" {
						if _, err := s.WaitFor(b.Context(), "^over$", 0); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(heap()-before)/float64(sessions)/1024, "KiB/session")
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// colouredLines writes a hundred lines of 200 columns with twenty changes of colour.
func colouredLines(b *testing.B) string {
	var text bytes.Buffer
	for y := range 100 {
		for x := range 20 {
			fmt.Fprintf(&text, "\x1b[38;5;%dmpiece %3d.", (x*7+y)%256, x)
		}
		text.WriteString("\x1b[m\n")
	}
	path := filepath.Join(b.TempDir(), "coloured")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}
