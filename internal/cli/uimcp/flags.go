package uimcp

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"ui-mcp/internal/ui/spell"
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

// A toolset is a group of the tools that agents get.
type toolset string

const (
	uiTools       toolset = "ui"
	popupTools    toolset = "popup"
	terminalTools toolset = "terminal"

	permissionTool toolset = "permission" // the tool permission_prompt, which has a flag of its own
)

// UnmarshalText implements [encoding.TextUnmarshaler], for kong.
func (t *toolset) UnmarshalText(text []byte) error {
	names := []string{string(uiTools), string(popupTools), string(terminalTools)}
	name := strings.TrimSpace(string(text))
	if slices.Contains(names, name) {
		*t = toolset(name)
		return nil
	}
	problem := fmt.Sprintf("there is no toolset %q", name)
	if near := spell.Nearest(name, names); near != "" {
		problem += fmt.Sprintf(", did you mean %q?", near)
	} else {
		problem += "."
	}
	return errors.New(problem + " The toolsets are ui, popup and terminal, separated by commas")
}

// A logLevel is the lowest level that is logged.
type logLevel slog.Level

// Choices lists the levels, for completion in shells.
func (logLevel) Choices() []string { return []string{"debug", "info", "warn", "error"} }

// UnmarshalText implements [encoding.TextUnmarshaler], for kong.
func (l *logLevel) UnmarshalText(text []byte) error {
	if slices.Contains(l.Choices(), string(text)) {
		return (*slog.Level)(l).UnmarshalText(text)
	}
	return errors.New("a level is debug, info, warn or error")
}
