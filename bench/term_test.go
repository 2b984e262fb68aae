//go:build linux

package bench

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
)

// The size of the flooded terminal, and its history.
const (
	termCols, termRows = 200, 50
	termHistory        = 10_000
)

func termRegistry(b *testing.B) *term.Registry {
	b.Helper()
	scripts, err := shell.Install(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	r := term.NewRegistry(term.Config{
		Start:   func(o pty.Options) (term.Process, error) { return pty.Start(o) },
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "LANG=C.UTF-8"}, Home: b.TempDir(),
		Shell: "/bin/bash", Scripts: scripts, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	b.Cleanup(func() {
		if err := r.Close(); err != nil {
			b.Error(err)
		}
	})
	return r
}

func termCreate(b *testing.B, r *term.Registry, command string) *term.Session {
	b.Helper()
	s, err := r.Create(b.Context(), term.CreateOptions{Command: command, Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// percentile returns the p-th percentile in microseconds.
func percentile(list []time.Duration, p int) float64 {
	slices.Sort(list)
	return float64(list[min(len(list)*p/100, len(list)-1)].Nanoseconds()) / 1000
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
			var took []time.Duration
			for b.Loop() {
				time.Sleep(200 * time.Microsecond) // a pause, or reading would leave no time for the flood
				start := time.Now()
				if _, err := s.Screen(b.Context()); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(percentile(took, 50), "p50-µs")
			b.ReportMetric(percentile(took, 99), "p99-µs")
		})
	}
}

// BenchmarkTermRun measures the overhead of running a command.
func BenchmarkTermRun(b *testing.B) {
	s := termCreate(b, termRegistry(b), "")
	var beyond []time.Duration
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
	b.ReportMetric(percentile(beyond, 50)/1000, "p50-ms")
	b.ReportMetric(percentile(beyond, 99)/1000, "p99-ms")
}

// BenchmarkTermHundred creates 100 sessions that flood from their start. It measures how long
// creating them takes, how equal their shares of some seconds are, and how long reading a screen
// takes meanwhile.
func BenchmarkTermHundred(b *testing.B) {
	const sessions = 100
	var created time.Duration
	var unfair []float64
	var reads []time.Duration
	n := 0
	for b.Loop() {
		n++
		b.StopTimer()
		r := termRegistry(b)
		b.StartTimer()
		start := time.Now()
		var list []*term.Session
		for range sessions {
			list = append(list, termCreate(b, r, "exec yes"))
		}
		created += time.Since(start)
		b.StopTimer()
		for _, s := range list {
			if _, err := s.WaitFor(b.Context(), "^y$", 0); err != nil {
				b.Fatal(err)
			}
		}
		before := lineCounts(b, list)
		for end, i := time.Now().Add(5*time.Second), 0; time.Now().Before(end); i++ {
			time.Sleep(5 * time.Millisecond)
			start := time.Now()
			if _, err := list[i%sessions].Screen(b.Context()); err != nil {
				b.Fatal(err)
			}
			reads = append(reads, time.Since(start))
		}
		after := lineCounts(b, list)
		least, most := uint64(1<<63), uint64(0)
		for i := range list {
			d := after[i] - before[i]
			least, most = min(least, d), max(most, d)
		}
		unfair = append(unfair, float64(most)/float64(max(least, 1)))
		if err := r.Close(); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(created.Seconds()/float64(n), "create-s")
	b.ReportMetric(slices.Max(unfair), "most/least")
	b.ReportMetric(percentile(reads, 50), "read-p50-µs")
	b.ReportMetric(percentile(reads, 99), "read-p99-µs")
}

func lineCounts(b *testing.B, list []*term.Session) []uint64 {
	counts := make([]uint64, len(list))
	for i, s := range list {
		p, err := s.Scrollback(context.Background(), term.PageOptions{})
		if err != nil {
			b.Fatal(err)
		}
		counts[i] = p.End
	}
	return counts
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
					s, err := r.Create(b.Context(), term.CreateOptions{Command: command, Cols: tt.cols, Rows: tt.rows})
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
