package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/cli/clients"
	"ui-mcp/internal/cli/version"
	"ui-mcp/internal/transport/peer"
)

// programs examines which commands clients would start.
func (e *examination) programs() {
	self, err := os.Executable()
	if err != nil {
		self = e.Name // it is for display only
	}
	e.add(OK, "program", "", "%s, %s", version.Line(e.Name, e.Version), self)
	found := clients.Find(e.Vars, e.Name)
	switch {
	case found == "":
		e.add(Note, "PATH", "Give clients the whole path, or add "+filepath.Dir(self)+" to PATH.", "%s is not found in PATH", e.Name)
	case !clients.IsSameFile(found, self):
		e.add(Note, "PATH", "Remove one of the two, if that is not meant.", "%s in PATH is another program: %s", e.Name, found)
	default:
		e.add(OK, "PATH", "", "%s is %s", e.Name, found)
	}
}

// marking are the shells whose prompts and commands are marked.
var marking = []string{"bash", "zsh", "fish"}

// shell examines whether the person's shell marks its prompts and commands in terminals.
func (e *examination) shell() {
	own := strings.TrimSuffix(filepath.Base(e.Vars.Shell()), ".exe")
	if slices.Contains(marking, own) && clients.IsProgram(e.Vars.Shell()) {
		e.add(OK, "shell", "", "%s, yours, marks its prompts and commands in sessions", own)
		return
	}
	e.add(Note, "shell", "Without marks, the end of a command is when it falls silent. Start sessions with bash (4.4 or newer), zsh or fish.", "your shell, %q, does not mark its prompts and commands in sessions", e.Vars.Shell())
}

func (e *examination) machine() {
	if path, err := chromium.Find(slices.Concat(chromium.Shells, chromium.Whole)...); err != nil {
		e.add(Note, "browser", "For ui_screenshot, and for screens of terminals as PNG.", "%v", err)
	} else {
		e.add(OK, "browser", "", "%s takes pictures of pages and screens", path)
	}
	if peer.Available() {
		e.add(OK, "users", "", "the system says whose program connects: others are refused")
	} else {
		e.add(Note, "users", "Open pages with the links that are printed; programs send the server's token.", "the system does not say whose program connects")
	}
}
