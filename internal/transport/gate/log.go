package gate

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

// maxRefusals is how many refusals a second are logged.
const maxRefusals = 20

// A pace is how much is logged, so that strangers cannot fill a disk. It is safe for concurrent
// use.
type pace struct {
	most int // in a second

	mu      sync.Mutex // guards the fields below
	second  time.Time  // when the present second began
	logged  int        // in the present second
	omitted int        // since the last one that was logged
}

// allow reports whether something may be logged, and how many before it were not.
func (p *pace) allow(now time.Time) (omitted int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if now.Sub(p.second) >= time.Second {
		p.second, p.logged = now, 0
	}
	if p.logged >= p.most {
		p.omitted++
		return 0, false
	}
	p.logged++
	omitted, p.omitted = p.omitted, 0
	return omitted, true
}

// report logs a refusal. Queries and headers with credentials stay out of it.
func (g *gate) report(r *http.Request, because refusal) {
	omitted, ok := g.pace.allow(time.Now())
	if !ok {
		return
	}
	attrs := []slog.Attr{
		slog.Int("status", because.status), slog.String("code", because.code), slog.String("remote", r.RemoteAddr),
		slog.String("method", clip(r.Method)), slog.String("path", clip(r.URL.Path)),
	}
	if omitted > 0 {
		attrs = append(attrs, slog.Int("omitted", omitted))
	}
	g.log.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "refused a request", attrs...)
}
