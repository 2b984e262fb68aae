//go:build linux

package bench

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// BenchmarkPreviews measures the processor time, per second, that "wsh server" needs for the list
// of the page of terminals: 30 sessions that write all the time, each of which has a preview. It is
// the difference to the same time without a page; 50 ms are 5 % of a core.
func BenchmarkPreviews(b *testing.B) {
	const sessions, period = 30, 20 * time.Second
	p, url := startShellServer(b)
	for i := range sessions {
		post(b, url+"/sessions", fmt.Sprintf(`{"name":"s%d","command":"while :; do seq 1 20; sleep 0.1; done"}`, i))
	}
	spend := func() float64 {
		before, begin := p.cpu(), time.Now()
		time.Sleep(period) // a tick of the clock is 10 ms
		return float64((p.cpu() - before).Microseconds()) / 1000 / time.Since(begin).Seconds()
	}
	b.ReportMetric(0, "ns/op")
	var without, with float64
	rounds := 0
	for b.Loop() {
		without += spend()
		page := openSocket(b, url, "/ws/json")
		for i := range sessions {
			page.call("subscribe", `{"session":"s`+strconv.Itoa(i)+`","events":["command","bell","notification","title","progress","client","diffs"],"format":"plain","interval_ms":1000}`)
		}
		read := make(chan struct{})
		go func() {
			defer close(read)
			for {
				if _, _, err := page.conn.Read(b.Context()); err != nil {
					return
				}
			}
		}()
		with += spend()
		page.conn.CloseNow()
		<-read
		rounds++
	}
	b.ReportMetric(without/float64(rounds), "cpu-ms/s-without")
	b.ReportMetric((with-without)/float64(rounds), "cpu-ms/s")
}
