package uimcp

import (
	"bytes"
	"log/slog"
)

// A toolset is a group of the tools that agents get.
type toolset string

const (
	uiTools       toolset = "ui"
	popupTools    toolset = "popup"
	terminalTools toolset = "terminal"

	permissionTool toolset = "permission" // the tool permission_prompt, which has a flag of its own
)

// UnmarshalText implements [encoding.TextUnmarshaler], for kong: a blank may follow a comma.
func (t *toolset) UnmarshalText(text []byte) error {
	*t = toolset(bytes.TrimSpace(text))
	return nil
}

// A logLevel is the lowest level that is logged. It implements [slog.Leveler].
type logLevel string

func (l logLevel) Level() (level slog.Level) {
	_ = level.UnmarshalText([]byte(l)) // kong has checked it
	return level
}
