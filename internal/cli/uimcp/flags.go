package uimcp

import "log/slog"

// A toolset is a group of the tools that agents get.
type toolset string

const (
	uiTools       toolset = "ui"
	popupTools    toolset = "popup"
	terminalTools toolset = "terminal"

	permissionTool toolset = "permission" // the tool permission_prompt, which has a flag of its own
)

// A logLevel is the lowest level that is logged. It implements [slog.Leveler].
type logLevel string

func (l logLevel) Level() (level slog.Level) {
	_ = level.UnmarshalText([]byte(l)) // kong has checked it
	return level
}
