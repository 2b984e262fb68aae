package presence_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"ui-mcp/internal/fleet/presence"
)

// BenchmarkDirectory says what a host keeps of each other host, and what one more card costs: for
// docs/scale.md.
func BenchmarkDirectory(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			heap := func() uint64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				return m.HeapAlloc
			}
			now := time.Unix(0, 0)
			before := heap()
			d := presence.NewDirectory(id(-1), "run")
			hear := func(host int, number uint64) {
				d.Heard(id(host), fmt.Sprint("build-host-", host), "worker", presence.Card{Run: fmt.Sprint("run-of-a-host-", host), Number: number, EveryMS: 5000, Protocol: 1}, now)
			}
			for i := range n {
				hear(i, 1)
			}
			d.Take()
			kept := float64(heap()-before) / float64(n)
			if d.Len() != n {
				b.Fatalf("%d are known", d.Len())
			}
			i := 0
			for b.Loop() {
				hear(i%n, uint64(2+i/n))
				i++
			}
			b.ReportMetric(kept, "B/host")
			begun := time.Now()
			d.Tick(now)
			b.ReportMetric(float64(time.Since(begun).Microseconds()), "µs/tick")
		})
	}
}
