package httpserve_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/httpserve"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A server knows the address of its listener.
type server struct {
	*httpserve.Server
	listener net.Listener
}

func (s server) Addr() net.Addr { return s.listener.Addr() }

func serve(t *testing.T, h http.Handler) server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := httpserve.Serve(l, h, httpserve.Options{Log: slog.New(slog.NewTextHandler(t.Output(), nil))})
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Errorf("closing the server: %v", err)
		}
	})
	return server{s, l}
}

// client returns an HTTP client of which nothing is left after the test.
func client(t *testing.T) *http.Client {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// Waiting requests do not delay the shutdown, and are notified of it.
func TestCloseEndsWaiting(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	var cause error
	s := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(entered)
		<-r.Context().Done()
		cause = context.Cause(r.Context())
	}))
	answered := make(chan error, 1)
	go func() {
		res, err := client(t).Get("http://" + s.Addr().String())
		if err == nil {
			err = res.Body.Close()
		}
		answered <- err
	}()
	<-entered
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if err := <-answered; err != nil {
		t.Errorf("the request failed: %v", err)
	}
	if fault.KindOf(cause) != fault.Gone {
		t.Errorf("the cause is %v", cause)
	}
}

func TestCloseWaitsForRequests(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		close(entered)
		<-release
		_, _ = io.WriteString(w, "done")
	}))
	closed := make(chan error, 1)
	go func() {
		<-entered
		go func() { closed <- s.Close(context.Background()) }()
		for { // Close has begun when nobody can connect any more
			conn, err := net.Dial("tcp", s.Addr().String())
			if err != nil {
				break
			}
			_ = conn.Close()
		}
		select {
		case <-closed:
			t.Error("Close did not wait for the request")
		default:
		}
		close(release)
	}()
	res, err := client(t).Get("http://" + s.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); string(body) != "done" || err != nil {
		t.Errorf("answer = %q, %v", body, err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestCloseInAHurry(t *testing.T) {
	t.Parallel()
	entered, cut := make(chan struct{}), make(chan struct{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		for { // a stream that does not care
			if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
				close(cut)
				return
			}
		}
	}))
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: "+s.Addr().String()+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-entered
	why := errors.New("no time")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := s.Close(ctx); !errors.Is(err, why) {
		t.Errorf("Close = %v, want the cause", err)
	}
	select {
	case <-cut:
	default:
		t.Error("Close returned while the handler ran")
	}
}

// Browsers open connections in advance. Those must not hold up Close, which they would for five
// seconds.
func TestCloseDropsFreshConnections(t *testing.T) {
	t.Parallel()
	s := serve(t, http.NotFoundHandler())
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// Connections are accepted in order: once a later one has been served, this one is known.
	res, err := client(t).Get("http://" + s.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	begin := time.Now()
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if d := time.Since(begin); d > 4*time.Second {
		t.Errorf("Close took %v", d)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the connection is still open")
	}
}
