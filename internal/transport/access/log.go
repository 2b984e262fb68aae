package access

import (
	"context"
	"log/slog"
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

// count reports whether a refusal may be logged, and how many were not before it.
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
