package viewdef

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"ui-mcp/internal/ui/spell"
)

const terminalTag = "ui-terminal"

// terminalAttrs are the attributes of the element, and commonAttrs those that every element has.
var (
	terminalAttrs = []string{"cols", "fit", "overview", "readonly", "rows", "session"}
	commonAttrs   = []string{"class", "dir", "hidden", "id", "inert", "lang", "part", "role", "slot", "style", "tabindex", "title"}
)

const maxTerminalSize = 1000

// checkTerminal returns what is wrong with the attributes of a terminal's element. None of it makes
// the view definition unusable.
func checkTerminal(attrs []html.Attribute) (warnings []string) {
	has := map[string]bool{}
	warn := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	for _, a := range attrs {
		name, isBound := strings.CutPrefix(a.Key, "ui-attr-")
		has[name] = true
		switch {
		case strings.HasPrefix(name, "ui-"), strings.HasPrefix(name, "aria-"), strings.HasPrefix(name, "data-"), slices.Contains(commonAttrs, name):
		case !slices.Contains(terminalAttrs, name):
			hint := "."
			if near := spell.Nearest(name, terminalAttrs); near != "" {
				hint = ", did you mean " + near + "?"
			}
			warn("<ui-terminal> has no attribute %s%s There are session, readonly, rows, cols, fit and overview", name, hint)
		case isBound:
		case name == "rows" || name == "cols":
			if n, err := strconv.Atoi(a.Val); err != nil || n < 1 || n > maxTerminalSize {
				warn("%s of <ui-terminal> must be a number from 1 to %d, not %q", name, maxTerminalSize, a.Val)
			}
		case name == "session" && a.Val == "":
			warn("session of <ui-terminal> must be the name of a terminal")
		}
	}
	switch {
	case !has["session"]:
		warn("<ui-terminal> displays nothing without a terminal: give it session=\"NAME\", or ui-attr-session=\"PATH\"")
	case has["fit"] && (has["readonly"] || has["overview"]):
		warn("fit of <ui-terminal> does nothing here: a terminal in which nobody types keeps its size")
	}
	return warnings
}
