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
	"strconv"
	"strings"
	"testing"
	"time"

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
	server := httpserve.Serve(l, h, httpserve.Options{Log: log, Stopping: httpterm.Stopping})
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
