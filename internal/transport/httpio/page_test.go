package httpio

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// People get an error as a page, in which nothing of it is HTML; programs get its text.
func TestWriteProblem(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string][]string{
		"text/html,*/*": {"<!doctype html>", "<title>Not &lt;here&gt;</title>", "<p>There is no &lt;b&gt;.</p>", `rel="icon" href="data:image/svg`, "--ui-accent:"},
		"*/*":           {"There is no <b>.\n"},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", accept)
		WriteProblem(w, r, 404, TerminalIcon, "Not <here>", "There is no <b>.")
		page := strings.HasPrefix(w.Header().Get("Content-Type"), "text/html")
		if w.Code != 404 || page != strings.HasPrefix(accept, "text/html") || page && w.Header().Get("Content-Security-Policy") != PagePolicy {
			t.Errorf("%s: %d, %v", accept, w.Code, w.Header())
		}
		for _, part := range want {
			if !strings.Contains(w.Body.String(), part) {
				t.Errorf("%s: %q is missing in\n%s", accept, part, w.Body)
			}
		}
		if strings.Contains(w.Body.String(), "%!") {
			t.Errorf("%s: the page has a mistake:\n%s", accept, w.Body)
		}
	}
}
