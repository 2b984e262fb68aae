package wsh

import (
	"log/slog"
	"time"

	"ui-mcp/internal/fault"
)

// A duration is a [time.Duration] that is text, and never a number, in configuration files.
type duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fault.New(fault.Invalid, "%q is not a duration, such as 90s or 10m", text)
	}
	d.Duration = parsed
	return nil
}

// A level is a [slog.Level] that is text, and never a number, in configuration files.
type level struct{ slog.Level }
