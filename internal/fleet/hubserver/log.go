package hubserver

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"ui-mcp/internal/safetext"
)

// A serverLog writes what the server of NATS says to the log, at most maxLines a minute: some of it
// is said whenever an unknown host tries to connect. It implements [server.Logger].
type serverLog struct {
	log *slog.Logger

	fatal atomic.Pointer[string] // why the server could not start

	mu    sync.Mutex // guards the fields below
	until time.Time
	lines int
}

const maxLines = 20

func (l *serverLog) line(level slog.Level, format string, v []any) {
	l.mu.Lock()
	now := time.Now()
	if now.After(l.until) {
		l.until, l.lines = now.Add(time.Minute), 0
	}
	l.lines++
	tooMany := l.lines > maxLines
	l.mu.Unlock()
	if !tooMany {
		l.log.Log(context.Background(), level, "the server of NATS", "says", safetext.Visible(safetext.Clip(fmt.Sprintf(format, v...), 300)))
	}
}

func (l *serverLog) Noticef(format string, v ...any) { l.line(slog.LevelDebug, format, v) }
func (l *serverLog) Warnf(format string, v ...any)   { l.line(slog.LevelWarn, format, v) }
func (l *serverLog) Errorf(format string, v ...any)  { l.line(slog.LevelInfo, format, v) }
func (l *serverLog) Debugf(string, ...any)           {}
func (l *serverLog) Tracef(string, ...any)           {}

// Fatalf is called when the server cannot listen.
func (l *serverLog) Fatalf(format string, v ...any) { l.fatal.Store(new(fmt.Sprintf(format, v...))) }
