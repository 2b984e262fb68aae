package wsh

import (
	"fmt"
	"maps"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/term"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/errcode"
	"ui-mcp/internal/transport/httpio"
)

// counters count what the server does, for GET /metrics. They are safe for concurrent use.
type counters struct {
	version  string
	started  time.Time
	sessions *term.Registry

	mu       sync.Mutex // guards the fields below
	inFlight int
	answers  map[int]int // requests by the status of the answer
}

func newCounters(version string, sessions *term.Registry) *counters {
	return &counters{version: version, started: time.Now(), sessions: sessions, answers: map[int]int{}}
}

// count counts the requests to a handler, refused ones included.
func (c *counters) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		c.inFlight++
		c.mu.Unlock()
		s := &statusWriter{ResponseWriter: w}
		defer func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.inFlight--
			c.answers[s.final()]++
		}()
		next.ServeHTTP(s, r)
	})
}

// serve answers GET and HEAD /metrics, for callers who may read all sessions, and leaves other
// paths to next.
func (c *counters) serve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" || r.Method != http.MethodGet && r.Method != http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		by := terminals.FromContext(r.Context())
		if by.Rights&terminals.Read == 0 || by.Sessions != nil || by.Tags != nil {
			httpio.WriteCoded(w, http.StatusForbidden, errcode.NotAllowed, "metrics need the right to read all sessions")
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write([]byte(c.text())) // the client may have left
	})
}

// text returns all metrics in the text format of Prometheus.
func (c *counters) text() string {
	running, started, _ := c.sessions.Programs()
	ended, clients := 0, 0
	for _, s := range c.sessions.List() {
		clients += len(s.Clients)
		if s.Exit != nil {
			ended++
		}
	}
	memory := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(memory)
	c.mu.Lock()
	inFlight, answers := c.inFlight, maps.Clone(c.answers)
	c.mu.Unlock()

	var b strings.Builder
	metric := func(name, kind, help string) {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %[1]s %[3]s\n", name, help, kind)
	}
	metric("wsh_info", "gauge", "The version of the server.")
	fmt.Fprintf(&b, "wsh_info{version=%q} 1\n", c.version)
	metric("wsh_start_time_seconds", "gauge", "When the server started, in seconds since 1970.")
	fmt.Fprintf(&b, "wsh_start_time_seconds %d\n", c.started.Unix())
	metric("wsh_sessions", "gauge", "Sessions by the state of their program.")
	fmt.Fprintf(&b, "wsh_sessions{state=\"running\"} %d\nwsh_sessions{state=\"ended\"} %d\n", running, ended)
	metric("wsh_sessions_started_total", "counter", "Sessions whose program was started.")
	fmt.Fprintf(&b, "wsh_sessions_started_total %d\n", started)
	metric("wsh_clients", "gauge", "Clients attached to sessions.")
	fmt.Fprintf(&b, "wsh_clients %d\n", clients)
	metric("wsh_http_requests_in_flight", "gauge", "HTTP requests that are being answered, WebSockets included.")
	fmt.Fprintf(&b, "wsh_http_requests_in_flight %d\n", inFlight)
	metric("wsh_http_requests_total", "counter", "HTTP requests by the status of the answer; 101 once a WebSocket has ended.")
	for _, status := range slices.Sorted(maps.Keys(answers)) {
		fmt.Fprintf(&b, "wsh_http_requests_total{code=\"%d\"} %d\n", status, answers[status])
	}
	metric("wsh_goroutines", "gauge", "Goroutines of the server.")
	fmt.Fprintf(&b, "wsh_goroutines %d\n", runtime.NumGoroutine())
	metric("wsh_memory_bytes", "gauge", "Memory that the server has from the system, without its programs.")
	fmt.Fprintf(&b, "wsh_memory_bytes %d\n", memory[0].Value.Uint64())
	return b.String()
}

// A statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for [http.ResponseController].
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// final returns the status when the handler has returned.
func (w *statusWriter) final() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}
