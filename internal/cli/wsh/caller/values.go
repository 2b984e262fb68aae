package caller

import (
	"log/slog"
	"time"

	"ui-mcp/internal/fault"
)

// A Duration is a [time.Duration] that is text, and never a number, in configuration files.
type Duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fault.New(fault.Invalid, "%q is not a duration, such as 90s or 10m", text)
	}
	d.Duration = parsed
	return nil
}

// A Level is a [slog.Level] that is text, and never a number, in configuration files.
type Level struct{ slog.Level }
