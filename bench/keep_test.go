//go:build linux

package bench

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ui-mcp/internal/ui/lua"
	objects "ui-mcp/internal/ui/lua/kept"
)

// keptRows makes a list of n objects with five fields.
const keptRows = `
Row = session:prototype("Row", { name = "", amount = 0, done = false, note = "", tone = 0 })
Rows = session:prototype("Rows", { draft = "" })
function Rows:fill(n)
	for i = 1, n do
		self.items[i] = Row:new({ name = "row " .. i, amount = i * 1.5, done = i % 2 == 0, note = "a note", tone = i % 6 })
	end
end
rows = session:create(Rows, { items = {} })
`

// threadTime is the processor time of this thread, which others on the machine do not lengthen.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// BenchmarkKeepChange measures the processor time that a change of a kept object takes the session:
// finding it, and handing the data to the goroutine that writes them.
func BenchmarkKeepChange(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 50_000} {
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			vm := lua.New(lua.Options{Dir: b.TempDir(), Timeout: time.Minute, MemoryLimit: 1 << 40})
			defer vm.Close()
			defer vm.Arm()()
			run := func(code string) {
				if _, err := vm.Run("bench", code); err != nil {
					b.Fatal(err)
				}
			}
			run(keptRows + fmt.Sprintf("rows:fill(%d)", n))
			k, err := vm.Keep("rows", vm.Global("rows"))
			if err != nil {
				b.Fatal(err)
			}
			k.WalkAll()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var times stopwatch
			var s *objects.Snapshot
			i := 0
			for b.Loop() {
				i++
				run(fmt.Sprintf("rows.items[%d].amount = rows.items[%[1]d].amount + 1", i%n+1))
				begin, before := threadTime(b), k.Version()
				k.WalkAll()
				s = k.Snapshot()
				times = append(times, threadTime(b)-begin)
				if k.Version() == before {
					b.Fatal("the change was not found")
				}
			}
			times.report(b)
			begin := threadTime(b)
			text, err := s.Encode()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64((threadTime(b)-begin).Microseconds())/1000, "text-ms") // elsewhere
			b.ReportMetric(float64(len(text))/(1<<20), "MiB")
		})
	}
}
