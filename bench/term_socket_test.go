//go:build linux

package bench

import (
	"context"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"ui-mcp/internal/term"
	"ui-mcp/internal/transport/wsterm"
)

// dialSocket connects to a WebSocket of the server at a URL.
func dialSocket(b *testing.B, server, path string) *websocket.Conn {
	b.Helper()
	c, _, err := websocket.Dial(b.Context(), server+path, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.CloseNow() })
	c.SetReadLimit(64 << 20)
	return c
}

func sendSocket(b *testing.B, c *websocket.Conn, message string) {
	b.Helper()
	if err := c.Write(b.Context(), websocket.MessageText, []byte(message)); err != nil {
		b.Fatal(err)
	}
}

// awaitSocket reads until a message contains a text.
func awaitSocket(b *testing.B, c *websocket.Conn, text string) {
	b.Helper()
	for {
		_, m, err := c.Read(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if strings.Contains(string(m), text) {
			return
		}
	}
}

// BenchmarkTermSocketScreen measures reading a screen of 200x50 cells over a WebSocket.
func BenchmarkTermSocketScreen(b *testing.B) {
	for _, tt := range []struct{ name, command, format string }{
		{"plain", "i=0; while [ $i -lt 60 ]; do printf '%0190d\\n' $i; i=$((i+1)); done; echo again; exec sleep 1000", "plain"},
		{"styled", "i=0; while [ $i -lt 60 ]; do printf '%0190d\\n' $i; i=$((i+1)); done; echo again; exec sleep 1000", "styled"},
		{"flood", "exec yes 'the quick brown fox jumps over the lazy dog, again and again'", "plain"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			r := termRegistry(b)
			s := termCreate(b, r, tt.command)
			if _, err := s.WaitForText(b.Context(), "again", 0); err != nil {
				b.Fatal(err)
			}
			c := dialSocket(b, serveTerminals(b, r), "/sessions/"+s.Name()+"/ws/json")
			awaitSocket(b, c, "connected")
			var took []time.Duration
			for b.Loop() {
				start := time.Now()
				sendSocket(b, c, `{"id":1,"method":"get_screen","params":{"format":"`+tt.format+`"}}`)
				awaitSocket(b, c, `"result"`)
				took = append(took, time.Since(start))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(percentile(took, 50), "p50-µs")
			b.ReportMetric(percentile(took, 99), "p99-µs")
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
	c := dialSocket(b, serveTerminals(b, r), "/ws/json")
	sendSocket(b, c, `{"method":"subscribe","session":"`+s.Name()+`","params":{"events":["lines","cursor"],"format":"plain"}}`)
	awaitSocket(b, c, `"sync"`)
	var took []time.Duration
	n := 0
	for b.Loop() {
		key, line := "x", strings.Repeat("x", n%100+1)
		if n%100 == 0 && n > 0 {
			sendSocket(b, c, `{"method":"send_input","session":"`+s.Name()+`","params":{"data":"\r"}}`)
			awaitSocket(b, c, `"col":0`)
		}
		start := time.Now()
		sendSocket(b, c, `{"method":"send_input","session":"`+s.Name()+`","params":{"data":"`+key+`"}}`)
		awaitSocket(b, c, `"line":"`+line+`"`)
		took = append(took, time.Since(start))
		n++
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(took, 50), "p50-µs")
	b.ReportMetric(percentile(took, 99), "p99-µs")
}

// BenchmarkTermSocketPings measures requests on a WebSocket that both sides ping every 50 ms. A
// ping that falls into a request must not delay what follows.
func BenchmarkTermSocketPings(b *testing.B) {
	const every = 50 * time.Millisecond
	r := termRegistry(b)
	s := termCreate(b, r, "i=0; while [ $i -lt 60 ]; do printf '%0190d\\n' $i; i=$((i+1)); done; echo again; exec sleep 1000")
	if _, err := s.WaitForText(b.Context(), "again", 0); err != nil {
		b.Fatal(err)
	}
	c := dialSocket(b, serveTerminalsWith(b, r, wsterm.Options{Ping: every}), "/ws/json")
	awaitSocket(b, c, "connected")
	ctx, stop := context.WithCancel(b.Context())
	var pinging sync.WaitGroup
	pinging.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = c.Ping(ctx) // an error ends the requests, too
			case <-ctx.Done():
				return
			}
		}
	})
	var took []time.Duration
	for b.Loop() {
		start := time.Now()
		sendSocket(b, c, `{"id":1,"method":"get_screen","session":"`+s.Name()+`","params":{"format":"styled"}}`)
		awaitSocket(b, c, `"result"`)
		took = append(took, time.Since(start))
	}
	stop()
	pinging.Wait()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(percentile(took, 50), "p50-µs")
	b.ReportMetric(percentile(took, 99), "p99-µs")
	b.ReportMetric(percentile(took, 100), "max-µs")
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
					c := dialSocket(b, server, "/sessions/"+s.Name()+"/ws/json")
					sendSocket(b, c, `{"method":"subscribe","params":{"events":["lines","cursor","mode","activity"],"idle_timeout_ms":2000}}`)
					awaitSocket(b, c, `"sync"`)
					reading.Go(func() {
						for {
							_, m, err := c.Reader(b.Context())
							if err != nil {
								return
							}
							if _, err := io.Copy(io.Discard, m); err != nil {
								return
							}
						}
					})
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
