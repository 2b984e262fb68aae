package uimcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/wait"
)

// A fakeServer gives scripted answers, and has a port file.
type fakeServer struct {
	*httptest.Server
	dir   string
	asked chan string // each request's path and query
}

// serveFake starts a server that gives each request the next answer. After the last one it closes
// connections without an answer.
func serveFake(t *testing.T, dir string, answers ...answer) *fakeServer {
	t.Helper()
	f := &fakeServer{dir: dir, asked: make(chan string, 100)}
	next := make(chan answer, len(answers))
	for _, a := range answers {
		next <- a
	}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case f.asked <- r.URL.String():
		default: // more than any test examines
		}
		select {
		case a := <-next:
			w.WriteHeader(a.status)
			_, _ = w.Write(a.body)
		default:
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(f.Close)
	f.write(t, "mcp-port")
	return f
}

// write puts the server's port into a file of its directory.
func (f *fakeServer) write(t *testing.T, name string) {
	t.Helper()
	u, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, name), []byte(u.Port()+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func events(text string) answer { return answer{http.StatusOK, []byte(text)} }

var nothing = answer{status: http.StatusNoContent}

// listen runs a listener that does not wait long for servers to come back.
func listen(ctx context.Context, dir string, out io.Writer, once bool) error {
	l := newListener(dir, out)
	defer l.client.http.CloseIdleConnections()
	l.once, l.within, l.every = once, 500*time.Millisecond, 5*time.Millisecond
	return l.run(ctx)
}

func newListener(dir string, out io.Writer) *listener {
	c := serverFlags{dirFlag: dirFlag{dir}}.client(0)
	c.registry = new(discovery.Registry)
	return &listener{client: c, out: out, errs: io.Discard, session: "1"}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		answers []answer
		once    bool
		want    string
		failure string
	}{
		{name: "an event on each line", answers: []answer{events(`[{"a": 1}, {"b": [1, 2]}]` + "\n")}, want: `{"a":1}` + "\n" + `{"b":[1,2]}` + "\n"},
		{name: "several answers", answers: []answer{events(`[1]`), nothing, events(`["two\nlines"]`)}, want: "1\n\"two\\nlines\"\n"},
		{name: "once", answers: []answer{nothing, events(`[1,2]`), events(`[3]`)}, once: true, want: "1\n2\n"},
		{name: "the server ends", answers: []answer{nothing, {410, []byte(`{"error":"the server has stopped"}`)}}},
		{name: "the server ends at once", answers: []answer{{503, []byte(`{"error":"the server is stopping"}`)}}},
		{name: "the server breaks off", answers: []answer{}},
		{name: "the server restarts", answers: []answer{nothing, {409, nil}, events(`[1]`)}, want: "1\n"},
		{name: "no such session", answers: []answer{{404, []byte(`{"error":"there is no session \"1\""}`)}}, failure: `there is no session "1"`},
		{name: "the server ends before it has served", answers: []answer{{409, []byte(`{"error":"Server not started"}`)}}},
		{name: "something else at the port", answers: []answer{{500, []byte("<html>")}}, failure: "500 Internal Server Error"},
		{name: "no array", answers: []answer{events(`{}`)}, failure: "no array of events"},
		{name: "nonsense", answers: []answer{events(`[`)}, failure: "no array of events"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := serveFake(t, t.TempDir(), c.answers...)
			var out bytes.Buffer
			err := listen(t.Context(), f.dir, &out, c.once)
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			switch {
			case c.failure == "" && err != nil:
				t.Errorf("error %v", err)
			case c.failure != "" && (fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), c.failure)):
				t.Errorf("error %v, want a precondition with %q", err, c.failure)
			}
			if got := <-f.asked; got != "/wait?session=1&timeout=120" {
				t.Errorf("asked for %s", got)
			}
		})
	}
}

// The time that a server takes for its first answer does not count as time without a server.
func TestEventsSlowAnswer(t *testing.T) {
	t.Parallel()
	l := newListener(t.TempDir(), io.Discard)
	defer l.client.http.CloseIdleConnections()
	l.within, l.every = 300*time.Millisecond, 5*time.Millisecond
	var answered atomic.Bool
	f := &fakeServer{dir: l.client.dir, Server: httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answered.Swap(true) {
			panic(http.ErrAbortHandler)
		}
		wait.Pause(l.within + 100*time.Millisecond)
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"error":"the server is stopping"}`)
	}))}
	t.Cleanup(f.Close)
	f.write(t, "mcp-port")
	if err := l.run(t.Context()); err != nil {
		t.Errorf("a server that stops: %v", err)
	}
}

// A running server without events to offer is a failure, and the error says so.
func TestEventsNotStarted(t *testing.T) {
	t.Parallel()
	var refusals []answer
	for range 1000 {
		refusals = append(refusals, answer{409, []byte(`{"error":"Server not started: call ui_start first"}`)})
	}
	f := serveFake(t, t.TempDir(), refusals...)
	err := listen(t.Context(), f.dir, io.Discard, false)
	if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "Server not started") {
		t.Errorf("error %v", err)
	}
}

// The listener follows a server that comes back at another port.
func TestEventsFollowThePort(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := serveFake(t, dir, nothing, events(`[1]`))
	second := serveFake(t, dir, events(`[2]`))
	first.write(t, "mcp-port")
	out, w := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		l := newListener(dir, w)
		defer l.client.http.CloseIdleConnections()
		l.within, l.every = time.Minute, time.Millisecond
		done <- l.run(ctx)
	}()
	line := make([]byte, 2)
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "1\n" {
		t.Fatalf("first line %q, %v", line, err)
	}
	// The first server is asked again, and breaks the connection; then it is gone.
	for range 3 {
		<-first.asked
	}
	if err := os.Remove(filepath.Join(dir, "mcp-port")); err != nil {
		t.Fatal(err)
	}
	second.write(t, "new")
	if err := os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "mcp-port")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "2\n" {
		t.Fatalf("second line %q, %v", line, err)
	}
	stop()
	if err := <-done; err != nil {
		t.Errorf("error %v", err)
	}
}

func TestEventsWithoutServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	// Nobody listens at the port of a client, and nobody else gets it.
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	_, unused, err := net.SplitHostPort(client.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ file, want string }{
		"no port file":           {"", "mcp-port"},
		"port file of a crash":   {unused, "port " + unused},
		"port file with garbage": {"http", "no port"},
		"port file that is zero": {"0", "no port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if c.file != "" {
				if err := os.WriteFile(filepath.Join(dir, "mcp-port"), []byte(c.file), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{{"event"}, {"state"}, {"variables"}} {
				var out, errs bytes.Buffer
				status := Run(t.Context(), "0.1.0", append(args, "--dir", dir), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
				if status != commandline.ExitFailure || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), c.want) {
					t.Errorf("ui-mcp %s: status %d, output %q, errors %q, want %q in them", args[0], status, out.String(), errs.String(), c.want)
				}
			}
		})
	}
}

func TestEventsStop(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	waiting := make(chan struct{})
	dir := t.TempDir()
	f := &fakeServer{dir: dir, Server: httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(waiting)
		<-r.Context().Done()
	}))}
	t.Cleanup(f.Close)
	f.write(t, "mcp-port")
	done := make(chan error, 1)
	go func() { done <- listen(ctx, dir, io.Discard, false) }()
	<-waiting
	stop()
	if err := <-done; err != nil {
		t.Errorf("error %v", err)
	}
}

// Events that have arrived are printed although the command is told to stop: nobody else gets them.
func TestEventsThatHaveArrived(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	f := serveFake(t, t.TempDir(), events(`[1]`))
	var out bytes.Buffer
	l := newListener(f.dir, &out)
	defer l.client.http.CloseIdleConnections()
	l.client.http.Transport = stopping{l.client.http.Transport, stop}
	if err := l.run(ctx); err != nil || out.String() != "1\n" {
		t.Errorf("%v, output %q", err, out.String())
	}
}

// stopping calls stop when an answer has been read.
type stopping struct {
	http.RoundTripper
	stop func()
}

func (s stopping) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.RoundTripper.RoundTrip(r)
	if err == nil {
		var all []byte
		all, err = io.ReadAll(res.Body)
		res.Body.Close()
		res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(all), last(s.stop)))
	}
	return res, err
}

type last func()

func (l last) Read([]byte) (int, error) { l(); return 0, io.EOF }

type broken struct{ error }

func (b broken) Write([]byte) (int, error) { return 0, b.error }

func TestEventsOutputCloses(t *testing.T) {
	t.Parallel()
	f := serveFake(t, t.TempDir(), events(`[1]`), events(`[2]`))
	gone := errors.New("nobody reads")
	if err := listen(t.Context(), f.dir, broken{gone}, false); !errors.Is(err, gone) {
		t.Errorf("error %v, want that of the output", err)
	}
	if n := len(f.asked); n != 1 {
		t.Errorf("%d requests, want none after the output has failed", n)
	}
}

// A server that accepts connections and never answers, such as a stopped one, does not keep a
// command for ever.
func TestSilentServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	address := l.Addr().String()
	want := "the server at " + address + " does not answer: \"ui-mcp doctor\" says what to do"
	c := serverFlags{}.client(50 * time.Millisecond)
	defer c.http.CloseIdleConnections()
	if _, err := c.get(t.Context(), discovery.Server{Address: address}, "/state", nil); err == nil || err.Error() != want {
		t.Errorf("get: %v", err)
	}
	if _, err := c.ask(t.Context(), discovery.Server{Address: address}, nil); err == nil || err.Error() != want {
		t.Errorf("ask: %v", err)
	}
}

func TestStateAndVariables(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args   string
		answer answer
		asked  string
		status int
		out    string
		errs   string
	}{
		{"state", answer{200, []byte(`{"type":"App"}`)}, "/state?session=1", commandline.ExitOK, `{"type":"App"}` + "\n", ""},
		{"state --session two", answer{200, []byte("null\n")}, "/state?session=two", commandline.ExitOK, "null\n", ""},
		{"variables", answer{200, []byte(`[]`)}, "/variables.json?session=1", commandline.ExitOK, "[]\n", ""},
		{"state --session x", answer{404, []byte(`{"error":"there is no session \"x\""}`)}, "/state?session=x", commandline.ExitFailure, "", `there is no session "x"`},
		{"variables", answer{500, []byte(`?`)}, "/variables.json?session=1", commandline.ExitFailure, "", "500"},
	} {
		f := serveFake(t, t.TempDir(), c.answer)
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", append(strings.Fields(c.args), "--dir", f.dir), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != c.status || out.String() != c.out || !strings.Contains(errs.String(), c.errs) || (c.errs == "") != (errs.Len() == 0) {
			t.Errorf("ui-mcp %s: status %d, output %q, errors %q", c.args, status, out.String(), errs.String())
		}
		if got := <-f.asked; got != c.asked {
			t.Errorf("ui-mcp %s asked for %s, want %s", c.args, got, c.asked)
		}
	}
}
