//go:build linux

package bench

import (
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/term/pty"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/testkit/flood"
)

// A cost is what a flood took: elapsed time, and processor time without that of the flooding
// program.
type cost struct{ wall, cpu time.Duration }

// ownCPU returns the processor time of this process.
func ownCPU(b *testing.B) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// bareFlood reads a flood from a PTY and discards it.
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

// ourFlood sends a flood through a session, until its end is on the screen.
func ourFlood(b *testing.B, r *registry.Registry, path string) cost {
	runtime.GC()
	start, cpu := time.Now(), ownCPU(b)
	s := termCreate(b, r, "exec cat "+path)
	<-s.Ended()
	c := cost{time.Since(start), ownCPU(b) - cpu}
	if err := r.Remove(s); err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkTermFlood measures a flood of output through a PTY onto the screen, compared with a
// reader that discards it, tmux and GNU screen. They take turns, since the machine may be busy.
// Rates are megabytes per second of elapsed or processor time. Each terminal has 200x50 cells,
// 10,000 lines of history and no viewer. In "colour", screen does less than the others: its version
// 4 drops 24-bit colours.
func BenchmarkTermFlood(b *testing.B) {
	for _, name := range []string{"plain", "colour", "unicode"} {
		b.Run(name, func(b *testing.B) {
			payloads, err := termPayloads()
			if err != nil {
				b.Fatal(err)
			}
			p := payloads[name]
			perSecond := func(d time.Duration) float64 { return float64(p.bytes) / 1e6 / d.Seconds() }
			r := termRegistry(b)
			var bare, ours, tmux, screen cost
			add := func(to *cost, c cost) { to.wall, to.cpu = to.wall+c.wall, to.cpu+c.cpu }
			hasTmux, hasScreen := false, false
			n := 0
			for b.Loop() {
				n++
				add(&ours, ourFlood(b, r, p.path))
				b.StopTimer()
				add(&bare, bareFlood(b, p.path))
				var c cost
				if c, hasTmux = tmuxFlood(b, p); hasTmux {
					add(&tmux, c)
				}
				if c, hasScreen = screenFlood(b, p); hasScreen {
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
			b.ReportMetric(bare.cpu.Seconds()/ours.cpu.Seconds(), "bare-share") // of our processor time
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

// termFlood is the size of each flood in bytes, rounded down to whole lines.
const termFlood = 100_000_000

// A payload is program output in a file.
type payload struct {
	path  string
	bytes int
}

// termPayloads writes the payloads to files, once.
var termPayloads = sync.OnceValues(func() (map[string]payload, error) {
	list := map[string]payload{}
	for _, name := range []string{"plain", "colour", "unicode"} {
		output := flood.Make(name, termFlood, "\n")
		p := payload{filepath.Join(scratch, name+".flood"), len(output)}
		list[name] = p
		if err := os.WriteFile(p.path, output, 0o600); err != nil {
			return nil, err
		}
	}
	return list, nil
})
