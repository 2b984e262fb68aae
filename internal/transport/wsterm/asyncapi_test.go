package wsterm_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
)

// The document has all methods and events, and what it refers to.
func TestAsyncAPI(t *testing.T) {
	w := httptest.NewRecorder()
	handler(nil).ServeHTTP(w, httptest.NewRequest("GET", "/asyncapi.yaml", nil))
	got := w.Body.String()
	if kind := w.Header().Get("Content-Type"); w.Code != 200 || kind != "text/yaml; charset=utf-8" {
		t.Errorf("%d, %s", w.Code, kind)
	}
	if !strings.HasPrefix(got, "asyncapi: \"3.0.0\"\n") {
		t.Errorf("it begins with %.40q", got)
	}
	known := pathsOf(got)
	refs := regexp.MustCompile(`\$ref: "?#/([^"\n]+)`).FindAllStringSubmatch(got, -1)
	for _, ref := range refs {
		if !known[ref[1]] {
			t.Errorf("there is no %s", ref[1])
		}
	}
	if len(refs) < 100 {
		t.Errorf("it refers to %d parts", len(refs))
	}
	for _, o := range terminals.All() {
		isMethod := o.Kind != terminals.Streaming || o == &terminals.Watch.Operation
		if strings.Contains(got, "\n  "+o.Name+":\n    summary: ") != isMethod || strings.Contains(got, "\n    "+o.Name+".reply:\n") != isMethod {
			t.Errorf("there is %s, or not: want %v", o.Name, isMethod)
		}
		for _, a := range o.Aliases {
			if !strings.Contains(got, `- "`+a.Name+`"`) {
				t.Errorf("there is no name %s", a.Name)
			}
		}
	}
	for _, e := range wire.EventTypes {
		if !strings.Contains(got, "\n    event."+e.Name+":\n") {
			t.Errorf("there is no event %s", e.Name)
		}
	}
	w = httptest.NewRecorder()
	handler(nil).ServeHTTP(w, httptest.NewRequest("POST", "/asyncapi.yaml", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

// pathsOf returns the paths of all keys of a document in YAML's block style, joined by slashes.
func pathsOf(document string) map[string]bool {
	all := map[string]bool{}
	var keys []string
	var indents []int
	for _, m := range regexp.MustCompile(`(?m)^((?: |- )*)"?([^\s":]+)"?:`).FindAllStringSubmatch(document, -1) {
		for len(indents) > 0 && indents[len(indents)-1] >= len(m[1]) {
			keys, indents = keys[:len(keys)-1], indents[:len(indents)-1]
		}
		keys, indents = append(keys, m[2]), append(indents, len(m[1]))
		all[strings.Join(keys, "/")] = true
	}
	return all
}
