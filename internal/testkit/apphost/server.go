package apphost

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// A Server is how a host reaches an MCP server: [Stdio] or [HTTP].
type Server interface {
	// serve adds to mux what the page needs. It returns the path of the Streamable HTTP endpoint,
	// or "" if the page is to use the standard streams.
	serve(t testing.TB, mux *http.ServeMux) (path string)
}

// HTTP is a server that serves Streamable HTTP at a URL. Its requests come without an Origin, since
// hosts usually are programs, or send requests from a server of theirs.
func HTTP(url string) Server { return remote(url) }

type remote string

func (r remote) serve(t testing.TB, mux *http.ServeMux) string {
	t.Helper()
	to, err := url.Parse(string(r))
	if err != nil {
		t.Fatal(err)
	}
	log := &testkit.Log{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("requests of the host:\n%s", log)
		}
	})
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(&url.URL{Scheme: to.Scheme, Host: to.Host})
			for name := range p.Out.Header {
				if name == "Origin" || name == "Referer" || strings.HasPrefix(name, "Sec-") {
					p.Out.Header.Del(name)
				}
			}
		},
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(slog.NewTextHandler(log, nil), slog.LevelInfo), // views disconnect as they like
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	}
	var count atomic.Int64
	mux.HandleFunc(to.Path, func(w http.ResponseWriter, r *http.Request) {
		n := count.Add(1)
		fmt.Fprintf(log, "%d %s\n", n, r.Method)
		defer func() { fmt.Fprintf(log, "%d is over\n", n) }()
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Methods", "*")
		w.Header().Set("Access-Control-Allow-Headers", "*")
		w.Header().Set("Access-Control-Expose-Headers", "*")
		w.Header().Set("Access-Control-Max-Age", "3600")
		if r.Method == http.MethodOptions {
			return
		}
		// The rest of a request is discarded when the answer begins. The proxy's own
		// request would then fail, and cut the answer off.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the browser disconnected
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	})
	return to.Path
}

// Stdio is a server on the standard streams of a process, which New starts. At the end of the test
// the process must end successfully within [wait.Patience] after its standard input; if the test
// has failed, its standard error is logged. The process has no display, so it opens no browser.
func Stdio(cmd *exec.Cmd) Server { return process{cmd} }

type process struct{ cmd *exec.Cmd }

func (p process) serve(t testing.TB, mux *http.ServeMux) string {
	t.Helper()
	log := &testkit.Log{}
	p.cmd.Stderr = log
	p.cmd.Env = append(p.cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	p.cmd.WaitDelay = wait.Patience
	in, err := p.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	over := make(chan struct{}) // closed when the test has ended
	read := make(chan error, 1)
	go func() { read <- readLines(out, lines, over) }()
	t.Cleanup(func() {
		close(over)
		_ = in.Close() // the process may have ended
		if err := <-read; err != nil {
			t.Errorf("read from the server: %v", err)
		}
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("the server failed: %v", err)
		}
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", log)
		}
	})

	mux.HandleFunc("GET 127.0.0.1/stdio", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		flush := http.NewResponseController(w).Flush
		_ = flush() // the browser disconnected
		for {
			select {
			case line, ok := <-lines:
				if !ok {
					fmt.Fprint(w, "event: end\ndata:\n\n")
					_ = flush()
					return
				}
				fmt.Fprintf(w, "data: %s\n\n", line)
				if flush() != nil {
					return
				}
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST 127.0.0.1/stdio", func(w http.ResponseWriter, r *http.Request) {
		message, err := io.ReadAll(r.Body)
		if err != nil {
			return // the browser disconnected
		}
		// The page sends one message after another.
		if _, err := in.Write(append(message, '\n')); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
		}
	})
	return ""
}

// readLines passes on the lines of the server until the test has ended, and closes lines when the
// server has ended. It reads until then in any case, so that the server never waits.
func readLines(out io.Reader, lines chan<- string, over <-chan struct{}) error {
	defer close(lines)
	r := bufio.NewScanner(out)
	for r.Buffer(nil, math.MaxInt); r.Scan(); {
		if line := strings.TrimSpace(r.Text()); line != "" {
			select {
			case lines <- line:
			case <-over:
			}
		}
	}
	return r.Err()
}
