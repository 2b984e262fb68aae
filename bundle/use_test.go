package bundle_test

import (
	"regexp"
	"strings"

	"ui-mcp/internal/testkit"
)

// reference is what ui_inspect gives what an agent can act on, and mark what it gives objects.
var reference, mark = regexp.MustCompile(`@[a-z2-7]{4}\d+`), regexp.MustCompile(`#\d+`)

// noButton matches why a click on something else is refused.
var noButton = regexp.MustCompile(`only moves the caret|nothing was done|takes a file|use (fill|select|check)`)

// useAll presses every control of a session's app once, one of each kind; none may fail. The shell
// around the app is left out, since it leads to other apps.
func (w *world) useAll(session string) {
	w.t.Helper()
	used := map[string]bool{}
	for again := true; again; {
		again = false
		inspection := w.ok("ui_inspect", map[string]any{"sessionId": session, "path": "value", "max_tokens": 20000})
		for line := range strings.Lines(inspection) {
			ref := reference.FindString(line)
			kind := mark.ReplaceAllString(reference.ReplaceAllString(line, ""), "")
			if _, method, acts := strings.Cut(kind, "→ "); acts {
				kind = method // rows of one kind have the same
			}
			if ref == "" || used[kind] || strings.Contains(line, "disabled") {
				continue
			}
			used[kind], again = true, true
			texts, refused := testkit.Call(w.t, w.mcp, "ui_act", map[string]any{"sessionId": session, "ref": ref, "click": true})
			got := strings.Join(texts, "\n") // a problem of the app is a further text
			if refused && !noButton.MatchString(got) || len(texts) != 1 {
				w.t.Errorf("pressing %s: %s", strings.TrimSpace(line), got)
			}
			break // what it changes has other references
		}
	}
}
