package wsterm_test

import (
	"flag"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/transport/wsterm"
)

var update = flag.Bool("update", false, "rewrite asyncapi.yaml")

// The document that is served is in a file, so that changes of the interface are seen. It has all
// methods and events.
func TestAsyncAPI(t *testing.T) {
	const file = "asyncapi.yaml"
	w := httptest.NewRecorder()
	wsterm.New(nil, nil).ServeHTTP(w, httptest.NewRequest("GET", "/asyncapi.yaml", nil))
	got := w.Body.String()
	if kind := w.Header().Get("Content-Type"); w.Code != 200 || kind != "text/yaml; charset=utf-8" {
		t.Errorf("%d, %s", w.Code, kind)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s is not what is served; \"go test ./internal/transport/wsterm -update\" writes it (-file +methods):\n%s", file, d)
	}
	for _, m := range wsterm.Methods() {
		if !strings.Contains(got, "\n  "+m.Name+":\n    summary: ") || !strings.Contains(got, "\n    "+m.Name+".reply:\n") {
			t.Errorf("there is no method %s", m.Name)
		}
	}
	for _, e := range wire.EventTypes {
		if !strings.Contains(got, "\n    event."+e.Name+":\n") {
			t.Errorf("there is no event %s", e.Name)
		}
	}
	w = httptest.NewRecorder()
	wsterm.New(nil, nil).ServeHTTP(w, httptest.NewRequest("POST", "/asyncapi.yaml", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}

// The table of events in docs/terminal-sockets.md has every event with its members.
func TestDocumentedEvents(t *testing.T) {
	text, err := os.ReadFile("../../../docs/terminal-sockets.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // what is said of a topic's event
	for _, m := range regexp.MustCompile("(?m)^\\| (?:`(\\w+)` )?\\| `(\\w+)` \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1) {
		rows[m[1]+" "+m[2]] = m[3]
	}
	for _, e := range wire.EventTypes {
		if strings.HasSuffix(e.Name, "lagged") {
			if !strings.Contains(string(text), e.Name) {
				t.Errorf("%s is missing", e.Name)
			}
			continue
		}
		about, ok := rows[e.Topic+" "+e.Name]
		if !ok {
			t.Errorf("the event %s of %q is missing", e.Name, e.Topic)
		}
		for name := range terminals.SchemaOf(e.Type).Properties {
			if name != "event" && name != "seq" && !strings.Contains(about, "`"+name+"`") {
				t.Errorf("the member %s of the event %s is missing", name, e.Name)
			}
		}
		delete(rows, e.Topic+" "+e.Name)
	}
	for row := range rows {
		t.Errorf("there is no event %s", row)
	}
}
