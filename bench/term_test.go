//go:build linux

package bench

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/shell"
)

// The size of the terminal that is flooded, its history, and the bytes of each flood.
const (
	termCols, termRows = 200, 50
	termHistory        = 10_000
	termFlood          = 64 << 20
)

// termPayloads writes what programs write to files, once, from a fixed seed, and
// returns their paths.
var termPayloads = sync.OnceValues(func() (map[string]string, error) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(b *bytes.Buffer) {
		for range 2 + r.IntN(9) {
			b.WriteByte(byte('a' + r.IntN(26)))
		}
	}
	wide := strings.Fields("日 本 語 中 文 字 한 국 어 é ü ß ж д λ ω → ✓ █ │ 😀 🚀 🎉 👍🏽 👩‍💻 🇩🇪 e\u0301 ☂\ufe0f")
	lines := map[string]func(*bytes.Buffer){
		"plain": func(b *bytes.Buffer) {
			for range 2 + r.IntN(18) {
				word(b)
				b.WriteByte(' ')
			}
		},
		"colour": func(b *bytes.Buffer) {
			for range 4 + r.IntN(12) {
				switch r.IntN(4) {
				case 0:
					fmt.Fprintf(b, "\x1b[%dm", 31+r.IntN(7))
				case 1:
					fmt.Fprintf(b, "\x1b[1;%dm", 91+r.IntN(7))
				case 2:
					fmt.Fprintf(b, "\x1b[38;5;%dm", r.IntN(256))
				default:
					fmt.Fprintf(b, "\x1b[38;2;%d;%d;%dm", r.IntN(8)*32, r.IntN(8)*32, r.IntN(8)*32)
				}
				word(b)
				b.WriteString("\x1b[0m ")
			}
		},
		"unicode": func(b *bytes.Buffer) {
			for range 4 + r.IntN(12) {
				for range 1 + r.IntN(6) {
					b.WriteString(wide[r.IntN(len(wide))])
				}
				b.WriteByte(' ')
				word(b)
				b.WriteByte(' ')
			}
		},
	}
	paths := map[string]string{}
	for name, line := range lines {
		var b bytes.Buffer
		for b.Len() < termFlood {
			line(&b)
			b.WriteByte('\n')
		}
		paths[name] = filepath.Join(scratch, name+".flood")
		if err := os.WriteFile(paths[name], b.Bytes(), 0o600); err != nil {
			return nil, err
		}
	}
	return paths, nil
})

// A cost is what a flood took: time on the wall, and of processors, the program's own
// left out.
type cost struct{ wall, cpu time.Duration }

// ownCPU is the processor time of this process.
func ownCPU(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuOf is the processor time of another process.
func cpuOf(b *testing.B, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func termRegistry(b *testing.B) *term.Registry {
	b.Helper()
	kit, err := shell.Install(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	r := term.NewRegistry(term.Config{
		Start:   func(o pty.Options) (term.Process, error) { return pty.Start(o) },
		Environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.TempDir(), "LANG=C.UTF-8"}, Home: b.TempDir(),
		Shell: "/bin/bash", Kit: kit, Log: slog.New(slog.NewTextHandler(os.Stderr, nil)),
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
	s, err := r.Create(term.CreateOptions{Command: command, Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// bareFlood reads a flood from a PTY and drops it.
func bareFlood(b *testing.B, path string) cost {
	runtime.GC()
	start, cpu := time.Now(), ownCPU(b)
	p, err := pty.Start(pty.Options{Path: "/bin/cat", Args: []string{path}, Cols: termCols, Rows: termRows})
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 64<<10)
	for {
		if _, err := p.Read(buf); err != nil {
			break
		}
	}
	c := cost{time.Since(start), ownCPU(b) - cpu}
	if err := p.Close(); err != nil {
		b.Fatal(err)
	}
	return c
}

// ourFlood is a flood through a session, until the last of it is on the screen.
func ourFlood(b *testing.B, r *term.Registry, path string) cost {
	runtime.GC()
	start, cpu := time.Now(), ownCPU(b)
	s := termCreate(b, r, "exec cat "+path)
	<-s.Ended()
	c := cost{time.Since(start), ownCPU(b) - cpu}
	if err := r.Remove(s.Name()); err != nil {
		b.Fatal(err)
	}
	return c
}

// tmuxFlood is the same through a tmux server without a client.
func tmuxFlood(b *testing.B, path string) (cost, bool) {
	tmux := func(args ...string) string {
		cmd := exec.Command("tmux", append([]string{"-L", "ui-mcp-bench", "-f", "/dev/null"}, args...)...)
		cmd.Env = append(os.Environ(), "TMUX=", "SHELL=/bin/sh")
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if _, err := exec.LookPath("tmux"); err != nil {
		return cost{}, false
	}
	x, y := strconv.Itoa(termCols), strconv.Itoa(termRows)
	tmux("new-session", "-d", "-x", x, "-y", y, "sleep 1000", ";", "set-option", "-g", "history-limit", strconv.Itoa(termHistory))
	defer tmux("kill-server")
	pid, err := strconv.Atoi(tmux("display-message", "-p", "#{pid}"))
	if err != nil {
		b.Fatal(err)
	}
	start, cpu := time.Now(), cpuOf(b, pid)
	tmux("new-window", "-d", "cat "+path+"; tmux -L ui-mcp-bench wait-for -S over", ";", "wait-for", "over")
	return cost{time.Since(start), cpuOf(b, pid) - cpu}, true
}

// screenFlood is the same through GNU screen, which has 80x24 while nobody looks.
func screenFlood(b *testing.B, path string) (cost, bool) {
	bin, err := exec.LookPath("screen")
	if err != nil {
		return cost{}, false
	}
	fifo := filepath.Join(b.TempDir(), "over")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	// In the foreground, so that it is our child and its process ID is known.
	cmd := exec.Command(bin, "-D", "-m", "-U", "-h", strconv.Itoa(termHistory), "-S", "ui-mcp-bench", "sh", "-c", "cat "+path+"; echo x >"+fifo+"; sleep 1000")
	cmd.Env = append(os.Environ(), "SCREENDIR="+b.TempDir(), "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	if err := os.Chmod(strings.TrimPrefix(cmd.Env[len(cmd.Env)-3], "SCREENDIR="), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	f, err := os.Open(fifo) // until the other end is opened
	if err != nil {
		b.Fatal(err)
	}
	f.Close()
	c := cost{time.Since(start), cpuOf(b, cmd.Process.Pid)}
	if err := cmd.Process.Signal(unix.SIGTERM); err != nil {
		b.Fatal(err)
	}
	_ = cmd.Wait() // the signal is its error
	return c, true
}

func perSecond(d time.Duration) float64 { return termFlood / 1e6 / d.Seconds() }

// BenchmarkTermFlood measures a flood of output through a PTY onto the screen,
// beside a reader that drops it, tmux and GNU screen, in turns, since the machine may
// be busy. Rates are megabytes for each second of the wall or of processors.
func BenchmarkTermFlood(b *testing.B) {
	for _, name := range []string{"plain", "colour", "unicode"} {
		b.Run(name, func(b *testing.B) {
			paths, err := termPayloads()
			if err != nil {
				b.Fatal(err)
			}
			r := termRegistry(b)
			var bare, ours, tmux, screen cost
			add := func(to *cost, c cost) { to.wall, to.cpu = to.wall+c.wall, to.cpu+c.cpu }
			hasTmux, hasScreen := false, false
			n := 0
			for b.Loop() {
				n++
				add(&ours, ourFlood(b, r, paths[name]))
				b.StopTimer()
				add(&bare, bareFlood(b, paths[name]))
				var c cost
				if c, hasTmux = tmuxFlood(b, paths[name]); hasTmux {
					add(&tmux, c)
				}
				if c, hasScreen = screenFlood(b, paths[name]); hasScreen {
					add(&screen, c)
				}
				b.StartTimer()
			}
			count := time.Duration(n)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(perSecond(ours.wall/count), "MB/s")
			b.ReportMetric(perSecond(ours.cpu/count), "MB/cpu-s")
			b.ReportMetric(perSecond(bare.wall/count), "bare-MB/s")
			b.ReportMetric(perSecond(bare.cpu/count), "bare-MB/cpu-s")
			b.ReportMetric(bare.wall.Seconds()/ours.wall.Seconds(), "x-bare")
			if hasTmux {
				b.ReportMetric(perSecond(tmux.cpu/count), "tmux-MB/cpu-s")
				b.ReportMetric(tmux.cpu.Seconds()/ours.cpu.Seconds(), "x-tmux")
			}
			if hasScreen {
				b.ReportMetric(perSecond(screen.cpu/count), "screen-MB/cpu-s")
				b.ReportMetric(screen.cpu.Seconds()/ours.cpu.Seconds(), "x-screen")
			}
		})
	}
}

// percentile returns the p-th percentile in microseconds.
func percentile(list []time.Duration, p int) float64 {
	slices.Sort(list)
	return float64(list[min(len(list)*p/100, len(list)-1)].Nanoseconds()) / 1000
}

// BenchmarkTermScreen measures reading the screen of a quiet session and of one that
// is flooded.
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
				time.Sleep(200 * time.Microsecond) // else there would be no flood, but reading alone
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

// BenchmarkTermRun measures what running a command takes beyond the command itself.
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

// BenchmarkTermHundred creates 100 sessions, lets all flood at once, and measures how
// long creating takes and how equal their shares of some seconds are.
func BenchmarkTermHundred(b *testing.B) {
	const sessions = 100
	var created time.Duration
	var unfair []float64
	n := 0
	for b.Loop() {
		n++
		b.StopTimer()
		r := termRegistry(b)
		b.StartTimer()
		start := time.Now()
		var list []*term.Session
		for range sessions {
			list = append(list, termCreate(b, r, "read go; exec yes"))
		}
		created += time.Since(start)
		b.StopTimer()
		for _, s := range list {
			if err := s.Keys(b.Context(), "Enter"); err != nil {
				b.Fatal(err)
			}
		}
		for _, s := range list {
			if _, err := s.WaitFor(b.Context(), "^y$", 0); err != nil {
				b.Fatal(err)
			}
		}
		before := lineCounts(b, list)
		time.Sleep(5 * time.Second)
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
}

func lineCounts(b *testing.B, list []*term.Session) []uint64 {
	counts := make([]uint64, len(list))
	for i, s := range list {
		p, err := s.Scrollback(context.Background(), 0, 0)
		if err != nil {
			b.Fatal(err)
		}
		counts[i] = p.End
	}
	return counts
}

// BenchmarkTermMemory measures the memory of quiet sessions, their programs left out.
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
			const sessions = 20
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
					s, err := r.Create(term.CreateOptions{Command: command, Cols: tt.cols, Rows: tt.rows})
					if err != nil {
						b.Fatal(err)
					}
					if tt.name != "fresh" {
						if _, err := s.WaitFor(b.Context(), "^over$", 0); err != nil {
							b.Fatal(err)
						}
					}
				}
				b.ReportMetric(float64(heap()-before)/sessions/1024, "KiB/session")
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
