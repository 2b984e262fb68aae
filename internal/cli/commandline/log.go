package commandline

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"ui-mcp/internal/safetext"
)

// Logger logs from a level on: on a terminal as a person reads it, such as "15:04:05 a host asks
// (key UAX1)", and as slog's text elsewhere, for programs.
func Logger(w io.Writer, level slog.Leveler) *slog.Logger {
	if !IsTerminal(w) {
		return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(&plainHandler{out: w, level: level, mu: new(sync.Mutex)})
}

const unreadTime = time.Second

// An Unread is standard error of a program whose client may not read that: a line that waits for
// unreadTime is the last one until it has been read; others are dropped. It is safe for concurrent
// use.
type Unread struct {
	To io.Writer

	mu      sync.Mutex // held during Write
	writing sync.Mutex // held until the last line is written
}

// Write implements [io.Writer]. It never fails: a log must not stop what it is about.
func (u *Unread) Write(line []byte) (int, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.writing.TryLock() {
		return len(line), nil
	}
	written, kept := make(chan struct{}), bytes.Clone(line)
	go func() {
		defer close(written)
		defer u.writing.Unlock()
		_, _ = u.To.Write(kept)
	}()
	select {
	case <-written:
	case <-time.After(unreadTime):
	}
	return len(line), nil
}

// A plainHandler writes an entry on a line, for a person.
type plainHandler struct {
	out    io.Writer
	level  slog.Leveler
	prefix string   // the groups that attributes are in
	attrs  []string // of every entry
	mu     *sync.Mutex
}

func (h *plainHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

func (h *plainHandler) Handle(_ context.Context, r slog.Record) error {
	attrs := h.attrs[:len(h.attrs):len(h.attrs)]
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, h.text(a))
		return true
	})
	line := r.Time.Format("15:04:05 ")
	if r.Level != slog.LevelInfo {
		line += strings.ToLower(r.Level.String()) + ": "
	}
	line += r.Message
	if len(attrs) > 0 {
		line += " (" + strings.Join(attrs, ", ") + ")"
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	_, err := fmt.Fprintln(h.out, safetext.Visible(line))
	return err
}

func (h *plainHandler) text(a slog.Attr) string { return h.prefix + a.Key + " " + a.Value.String() }

func (h *plainHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := *h
	n.attrs = h.attrs[:len(h.attrs):len(h.attrs)]
	for _, a := range attrs {
		n.attrs = append(n.attrs, h.text(a))
	}
	return &n
}

func (h *plainHandler) WithGroup(name string) slog.Handler {
	n := *h
	n.prefix += name + "."
	return &n
}
