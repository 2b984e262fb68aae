package gate

import (
	"bufio"
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxRefusals is how many refusals a second are logged, so that strangers cannot fill a disk.
const maxRefusals = 20

// A refusalLog logs refused requests. It is safe for concurrent use.
type refusalLog struct {
	log *slog.Logger

	mu      sync.Mutex // guards the fields below
	second  time.Time  // when the present second began
	logged  int        // in the present second
	omitted int        // since the last one that was logged
}

func newRefusalLog(log *slog.Logger) *refusalLog { return &refusalLog{log: log} }

// report logs a refusal. Queries and headers with credentials stay out of it.
func (l *refusalLog) report(r *http.Request, because refusal) {
	omitted, ok := l.count(time.Now())
	if !ok {
		return
	}
	attrs := []slog.Attr{
		slog.Int("status", because.status), slog.String("code", because.code), slog.String("remote", r.RemoteAddr),
		slog.String("method", clip(r.Method)), slog.String("path", clip(r.URL.Path)), slog.String("host", clip(r.Host)),
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		attrs = append(attrs, slog.String("origin", clip(origin)))
	}
	if omitted > 0 {
		attrs = append(attrs, slog.Int("omitted", omitted))
	}
	l.log.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "refused a request", attrs...)
}

// count reports whether a refusal may be logged, and how many before it were not.
func (l *refusalLog) count(now time.Time) (omitted int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.second) >= time.Second {
		l.second, l.logged = now, 0
	}
	if l.logged >= maxRefusals {
		l.omitted++
		return 0, false
	}
	l.logged++
	omitted, l.omitted = l.omitted, 0
	return omitted, true
}

// An upgrade logs the start and the end of a WebSocket, if the request becomes one.
type upgrade struct {
	http.ResponseWriter
	log    *slog.Logger
	opened time.Time
}

// Hijack implements [http.Hijacker].
func (u *upgrade) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(u.ResponseWriter).Hijack()
	if err == nil {
		u.opened = time.Now()
		u.log.Info("connected")
	}
	return conn, rw, err
}

// Unwrap is for [http.ResponseController].
func (u *upgrade) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// end is called when the handler has returned.
func (u *upgrade) end() {
	if !u.opened.IsZero() {
		u.log.Info("disconnected", "after", time.Since(u.opened).Round(time.Millisecond))
	}
}
