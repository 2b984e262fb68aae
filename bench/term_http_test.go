//go:build linux

package bench

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/wsterm"
)

// serveTerminals serves sessions in this process as "wsh server" does, and returns the URL.
func serveTerminals(b *testing.B, r *registry.Registry) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	local := terminals.NewLocal(r, terminals.Host{Name: "host"})
	h, err := gate.New(httpterm.New(local, wsterm.Routes(local, wsterm.Options{})), gate.Options{Tokens: local.Tokens(), Log: log})
	if err != nil {
		b.Fatal(err)
	}
	server := httpserve.Serve(l, h, httpserve.Options{Log: log, Refuse: httpterm.Refuse})
	b.Cleanup(func() {
		if err := server.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// BenchmarkTermScreenHTTP measures reading a full screen of 200x50 cells over HTTP, one client
// after one request, beside a bare net/http handler that sends the same bytes. Requests to both
// alternate, so that a busy machine slows both. The connection is kept, or a new one each time.
func BenchmarkTermScreenHTTP(b *testing.B) {
	for _, name := range []string{"plain", "styled", "plain/new"} {
		b.Run(name, func(b *testing.B) {
			format, _, isNew := strings.Cut(name, "/")
			r := termRegistry(b)
			s := termCreate(b, r, "i=0; while [ $i -lt 60 ]; do printf '%0190d\\n' $i; i=$((i+1)); done; echo over; exec sleep 1000")
			if _, err := s.WaitForText(b.Context(), "over", 0); err != nil {
				b.Fatal(err)
			}
			server := serveTerminals(b, r)
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: isNew}}
			defer client.CloseIdleConnections()
			address := server + "/sessions/" + s.Name() + "/screen?format=" + format
			body := read(b, client, address)
			// The bytes include the headers: security needs half a kilobyte of them.
			res, err := client.Head(address)
			if err != nil {
				b.Fatal(err)
			}
			res.Body.Close()
			res.Header.Del("Date")
			bare := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				maps.Copy(w.Header(), res.Header)
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
				_, _ = w.Write(body)
			}))
			defer bare.Close()
			var ours, theirs stopwatch
			for b.Loop() {
				start := time.Now()
				read(b, client, address)
				between := time.Now()
				read(b, client, bare.URL)
				ours, theirs = append(ours, between.Sub(start)), append(theirs, time.Since(between))
			}
			ours.report(b)
			theirs.report(b, "bare-")
			b.ReportMetric(ours.ms(0.5)/theirs.ms(0.5), "x-bare")
		})
	}
}

func read(b *testing.B, client *http.Client, address string) []byte {
	b.Helper()
	res, err := client.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	var body bytes.Buffer
	if _, err := io.Copy(&body, res.Body); err != nil || res.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s, %v", address, res.Status, err)
	}
	return body.Bytes()
}

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
