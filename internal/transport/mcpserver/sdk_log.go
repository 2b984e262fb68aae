package mcpserver

import (
	"context"
	"log/slog"
)

// quieter returns a logger for the SDK, which logs each update of a resource and each session at
// the level of information: that would drown all else.
func quieter(log *slog.Logger) *slog.Logger {
	if log == nil {
		return nil
	}
	return slog.New(demoting{log.Handler()})
}

// demoting is a handler to which information is a debugging message.
type demoting struct{ slog.Handler }

func demoted(l slog.Level) slog.Level {
	if l < slog.LevelWarn {
		return min(l, slog.LevelDebug)
	}
	return l
}

// Enabled implements [slog.Handler].
func (d demoting) Enabled(ctx context.Context, l slog.Level) bool {
	return d.Handler.Enabled(ctx, demoted(l))
}

// Handle implements [slog.Handler].
func (d demoting) Handle(ctx context.Context, r slog.Record) error {
	r.Level = demoted(r.Level)
	return d.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (d demoting) WithAttrs(attrs []slog.Attr) slog.Handler {
	return demoting{d.Handler.WithAttrs(attrs)}
}

// WithGroup implements [slog.Handler].
func (d demoting) WithGroup(name string) slog.Handler { return demoting{d.Handler.WithGroup(name)} }
