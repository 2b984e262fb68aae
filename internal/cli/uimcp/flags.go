package uimcp

import (
	"errors"
	"log/slog"
	"slices"
	"strconv"
)

// A port is a TCP port; 0 means that the system chooses.
type port uint16

// UnmarshalText implements [encoding.TextUnmarshaler], for kong.
func (p *port) UnmarshalText(text []byte) error {
	n, err := strconv.ParseUint(string(text), 10, 16)
	if err != nil {
		return errors.New("a port is a number from 0 to 65535")
	}
	*p = port(n)
	return nil
}

// A logLevel is the lowest level that is logged.
type logLevel slog.Level

// choices lists the levels, for completion in shells.
func (logLevel) choices() []string { return []string{"debug", "info", "warn", "error"} }

// UnmarshalText implements [encoding.TextUnmarshaler], for kong.
func (l *logLevel) UnmarshalText(text []byte) error {
	if slices.Contains(l.choices(), string(text)) {
		return (*slog.Level)(l).UnmarshalText(text)
	}
	return errors.New("a level is debug, info, warn or error")
}
