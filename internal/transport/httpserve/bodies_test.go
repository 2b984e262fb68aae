package httpserve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/testkit"
)

// dial opens a connection to a server in a bubble, which closes both when the test function is
// over.
func dial(t *testing.T, h http.Handler, maxBody int64) (client net.Conn, stop func()) {
	t.Helper()
	client, server := net.Pipe()
	s := Serve(testkit.NewListener(server), h, Options{Log: slog.New(slog.DiscardHandler), MaxBody: maxBody})
	return client, func() {
		client.Close()
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("Close = %v", err)
		}
	}
}

func TestStalledBodyIsCut(t *testing.T) {
	for name, tt := range map[string]struct {
		send  func(io.Writer) // after the headers of a body of 10 MiB
		reads bool            // the handler reads the body
		least time.Duration
		most  time.Duration
	}{
		"nothing comes":               {func(io.Writer) {}, true, readWithin, readWithin + time.Second},
		"it stops in the middle":      {func(w io.Writer) { io.WriteString(w, "half") }, true, readWithin, readWithin + time.Second},
		"it drips":                    {drip, true, bodyWithin, bodyWithin + readWithin},
		"the handler does not look":   {func(io.Writer) {}, false, 0, discardWithin + time.Second},
		"it drips past a deaf server": {drip, false, 0, discardWithin + 2*readWithin},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, stop := dial(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if !tt.reads {
						return
					}
					if _, err := io.Copy(io.Discard, r.Body); err == nil {
						t.Error("the body was read to the end")
					}
				}), 0)
				defer stop()
				start := time.Now()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					if _, err := io.WriteString(client, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10485760\r\n\r\n"); err == nil {
						tt.send(client)
					}
				}()
				_, _ = io.Copy(io.Discard, client) // until the server closes the connection
				if took := time.Since(start); took < tt.least || took > tt.most {
					t.Errorf("it was cut after %v, want %v to %v", took, tt.least, tt.most)
				}
				client.Close()
				<-sent
			})
		})
	}
}

// Only a server that takes long bodies gives them more time, and nobody more than the longest that
// it takes. What is only discarded gets little.
func TestLongBodiesHaveTheirTime(t *testing.T) {
	const maxBody, long = 100 << 20, 100 << 20 / slowest * time.Second
	for name, tt := range map[string]struct {
		maxBody, length int64
		discard         bool
		want            time.Duration
	}{
		"as long as may be":           {maxBody, maxBody, false, long},
		"longer":                      {maxBody, 1 << 40, false, bodyWithin},
		"beyond any time":             {maxBody, 1<<63 - 1, false, bodyWithin},
		"a server of short bodies":    {0, maxBody, false, bodyWithin},
		"discarded":                   {maxBody, maxBody, true, discardWithin},
		"discarded by another server": {0, 1 << 40, true, discardWithin},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				took := make(chan time.Duration, 1)
				client, stop := dial(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					start := time.Now()
					if tt.discard {
						Discard(r.Body, 1<<20)
					} else {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					took <- time.Since(start)
				}), tt.maxBody)
				defer stop()
				sent := make(chan struct{})
				go func() {
					defer close(sent)
					fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", tt.length)
					drip(client)
				}()
				if got := <-took; got != tt.want {
					t.Errorf("it was read for %v, want %v", got, tt.want)
				}
				client.Close()
				<-sent
			})
		})
	}
}

// drip sends a byte now and then, until it cannot.
func drip(w io.Writer) {
	for {
		time.Sleep(readWithin / 2)
		if _, err := io.WriteString(w, "x"); err != nil {
			return
		}
	}
}

// A handler that waits longer than any deadline of its body is not disturbed, and neither is the
// request after it.
func TestLongPollOutlivesTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, stop := dial(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			select {
			case <-r.Context().Done():
				t.Errorf("the request ended: %v", context.Cause(r.Context()))
			case <-time.After(2 * bodyWithin):
			}
			fmt.Fprintf(w, "got %s", body)
		}), 0)
		defer stop()
		answers := bufio.NewReader(client)
		for _, text := range []string{"one", "two"} {
			go func() {
				fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
			}()
			res, err := http.ReadResponse(answers, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(res.Body)
			if err != nil || !strings.HasSuffix(string(got), text) {
				t.Errorf("answer %q, %v", got, err)
			}
		}
	})
}
