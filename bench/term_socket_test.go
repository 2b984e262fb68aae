//go:build linux

package bench

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/term"
)

// BenchmarkTermSocketScreen measures reading a screen of 200x50 cells over a WebSocket.
func BenchmarkTermSocketScreen(b *testing.B) {
	const full = "i=0; while [ $i -lt 60 ]; do printf '%0190d\\n' $i; i=$((i+1)); done; echo again; exec sleep 1000"
	for _, tt := range []struct{ name, command, format string }{
		{"plain", full, "plain"},
		{"styled", full, "styled"},
		{"flood", "exec yes 'the quick brown fox jumps over the lazy dog, again and again'", "plain"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			r := termRegistry(b)
			s := termCreate(b, r, tt.command)
			if _, err := s.WaitForText(b.Context(), "again", 0); err != nil {
				b.Fatal(err)
			}
			c := openSocket(b, serveTerminals(b, r), "/sessions/"+s.Name()+"/ws/json")
			timed(b, func(int) func() {
				c.call("get_screen", `{"format":"`+tt.format+`"}`)
				return nil
			}).report(b)
		})
	}
}

// BenchmarkTermSocketEcho measures the time from send_input to the event with the echo.
func BenchmarkTermSocketEcho(b *testing.B) {
	r := termRegistry(b)
	s := termCreate(b, r, "echo ready; exec cat >/dev/null")
	if _, err := s.WaitForText(b.Context(), "ready", 0); err != nil {
		b.Fatal(err)
	}
	c := openSocket(b, serveTerminals(b, r), "/sessions/"+s.Name()+"/ws/json")
	c.send("subscribe", `{"events":["lines","cursor"],"format":"plain"}`)
	c.until(`"sync"`)
	timed(b, func(i int) func() {
		c.send("send_input", `{"data":"x"}`)
		c.until(`"line":"` + strings.Repeat("x", (i-1)%100+1) + `"`)
		if i%100 != 0 {
			return nil
		}
		return func() {
			c.send("send_input", `{"data":"\r"}`)
			c.until(`"col":0`)
		}
	}).report(b)
}

// BenchmarkTermSocketFlood measures what a flood costs that ten clients watch, compared with one
// that nobody watches. They take turns. The clients' own reading counts, too.
func BenchmarkTermSocketFlood(b *testing.B) {
	const viewers = 10
	payloads, err := termPayloads()
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range []string{"plain", "colour"} {
		b.Run(name, func(b *testing.B) {
			r := termRegistry(b)
			server := serveTerminals(b, r)
			var alone, watched cost
			flood := func(viewers int) cost {
				s := termCreate(b, r, "read go; exec cat "+payloads[name].path)
				var reading sync.WaitGroup
				for range viewers {
					c := openSocket(b, server, "/sessions/"+s.Name()+"/ws/json")
					c.send("subscribe", `{"events":["lines","cursor","mode","activity"],"idle_timeout_ms":2000}`)
					c.until(`"sync"`)
					reading.Go(c.discard)
				}
				runtime.GC()
				start, cpu := time.Now(), ownCPU(b)
				if err := s.Type(b.Context(), term.Input{Text: []byte("\r")}); err != nil {
					b.Fatal(err)
				}
				<-s.Ended()
				reading.Wait()
				took := cost{time.Since(start), ownCPU(b) - cpu}
				if err := r.Remove(s); err != nil {
					b.Fatal(err)
				}
				return took
			}
			for b.Loop() {
				a, w := flood(0), flood(viewers)
				alone = cost{alone.wall + a.wall, alone.cpu + a.cpu}
				watched = cost{watched.wall + w.wall, watched.cpu + w.cpu}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(watched.cpu.Seconds()/alone.cpu.Seconds(), "x-cpu")
			b.ReportMetric(watched.wall.Seconds()/alone.wall.Seconds(), "x-wall")
		})
	}
}
