package httpterm_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/transport/httpterm"
)

// pipes serve requests in memory.
type pipes struct{ *testkit.Listener }

// request sends a request on a connection of its own.
func (p pipes) request(t *testing.T, method, path, body string) net.Conn {
	t.Helper()
	near, far := net.Pipe()
	p.Conns <- far
	if _, err := fmt.Fprintf(near, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", method, path, len(body), body); err != nil {
		t.Fatal(err)
	}
	return near
}

// answer reads the answer to a request.
func answer(t *testing.T, c net.Conn) (int, string) {
	t.Helper()
	defer c.Close()
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return res.StatusCode, string(b)
}

// servePipes serves the sessions of a case in a bubble.
func servePipes(t *testing.T, before ...opcases.Step) (pipes, *httpserve.Server) {
	t.Helper()
	p := pipes{testkit.NewListener()}
	h := asOwner(httpterm.New(opcases.New(t, opcases.Case{Before: before})))
	s := httpserve.Serve(p, h, httpserve.Options{Log: slog.New(slog.DiscardHandler), Cause: httpterm.ErrStopping, Refuse: httpterm.Refuse})
	return p, s
}

// Every request that waits when the server stops is answered, and none delays it.
func TestWaitsWhenTheServerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := servePipes(t, opcases.Step{Op: "input.capture", In: `{"session":"a"}`}, opcases.Step{Op: "recording.start", In: `{"session":"a"}`})
		waiting := map[string]net.Conn{"POST /sessions/a/run": p.request(t, "POST", "/sessions/a/run", `{"line":"x","timeout_ms":60000}`)}
		synctest.Wait()
		if status, body := answer(t, p.request(t, "POST", "/sessions/a/input", "y")); status != http.StatusNoContent { // what waits for a prompt waits for its end
			t.Fatal(status, body)
		}
		synctest.Wait()
		var screen struct{ Epoch int }
		_, body := answer(t, p.request(t, "GET", "/sessions/a/screen", ""))
		if err := json.Unmarshal([]byte(body), &screen); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{
			"/idle?timeout_ms=60000&fresh=true", "/quiesce?timeout_ms=60000&fresh=true", "/sessions/a/idle?timeout_ms=60000&fresh=true", "/sessions/a/quiesce?timeout_ms=60000&fresh=true",
			"/sessions/a/wait/text?text=never", "/sessions/a/wait/text?pattern=never", "/sessions/a/wait/prompt", "/sessions/a/wait/exit", "/sessions/a/wait/state?state=prompt", "/sessions/a/wait/keys",
			fmt.Sprint("/sessions/a/screen/next?epoch=", screen.Epoch), "/sessions/a/typed/next?after=1000",
		} {
			waiting["GET "+path] = p.request(t, "GET", path, "")
		}
		synctest.Wait() // then all of them wait
		ended := make(chan error)
		start := time.Now()
		go func() { ended <- s.Close(context.Background()) }()
		for name, c := range waiting {
			status, body := answer(t, c)
			if status != http.StatusServiceUnavailable || !strings.Contains(body, `"server_unavailable"`) {
				t.Errorf("%s: %d %s", name, status, body)
			}
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("stopping took %v", took)
		}
		tried := map[string]bool{}
		for name := range waiting {
			name, _, _ = strings.Cut(name, "?")
			tried[strings.Replace(name, "/sessions/a", "/sessions/{name}", 1)] = true
		}
		for _, r := range httpterm.Rows() {
			if r.Op().Kind == terminals.Wait && !tried[r.Name()] {
				t.Errorf("%s was not tried", r.Name())
			}
		}
	})
}

// A client that does not read a recording is cut off, and delays nothing else.
func TestStalledDownload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, s := servePipes(t, opcases.Step{Op: "recording.start", In: `{"session":"a"}`})
		if status, body := answer(t, p.request(t, "POST", "/sessions/a/input", strings.Repeat("x", 100_000))); status != http.StatusNoContent {
			t.Fatalf("%d %s", status, body)
		}
		synctest.Wait()
		stalled := p.request(t, "GET", "/sessions/a/recording", "")
		synctest.Wait()
		for _, request := range [][2]string{{"GET", "/sessions/a/screen"}, {"GET", "/sessions/a/recording"}, {"POST", "/sessions/a/recording/stop"}, {"POST", "/sessions/a/recording/start"}, {"DELETE", "/sessions/a"}} {
			start := time.Now()
			if status, body := answer(t, p.request(t, request[0], request[1], "")); status >= 400 || time.Since(start) > time.Second {
				t.Errorf("%s %s: %d %.200s after %v", request[0], request[1], status, body, time.Since(start))
			}
		}
		time.Sleep(2 * time.Minute)
		if n, err := io.Copy(io.Discard, stalled); n > 50_000 || err != nil {
			t.Errorf("two minutes later it could read %d bytes, %v", n, err)
		}
		stalled.Close()
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}
