package wsterm_test

import (
	"encoding/json"
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
	text := w.Body.String()
	var got struct {
		AsyncAPI             string
		Channels, Operations map[string]struct{ Messages any }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.AsyncAPI != "3.0.0" || w.Header().Get("Content-Type") != "application/yaml" {
		t.Fatalf("%v: %.100s", err, text)
	}
	messages := got.Channels["server"].Messages.(map[string]any)
	refs := regexp.MustCompile(`"#/channels/(\w+)(?:/messages/([^"]+))?"`).FindAllStringSubmatch(text, -1)
	for _, ref := range refs {
		if ref[1] != "server" || ref[2] != "" && messages[ref[2]] == nil {
			t.Errorf("there is no %s", ref[0])
		}
	}
	if len(refs) < 100 || len(refs) != strings.Count(text, `"$ref"`) {
		t.Errorf("it refers to %d parts", len(refs))
	}
	for _, o := range terminals.All() {
		isMethod := o.Kind != terminals.Streaming || o == &terminals.Watch.Operation
		if _, ok := got.Operations[o.Name]; ok != isMethod || (messages[o.Name] != nil) != isMethod || (messages[o.Name+".reply"] != nil) != isMethod {
			t.Errorf("there is %s, or not: want %v", o.Name, isMethod)
		}
		for _, a := range o.Aliases {
			if !strings.Contains(text, `"`+a.Name+`"`) {
				t.Errorf("there is no name %s", a.Name)
			}
		}
	}
	for _, e := range wire.EventTypes {
		if messages["event."+e.Name] == nil {
			t.Errorf("there is no event %s", e.Name)
		}
	}
	w = httptest.NewRecorder()
	handler(nil).ServeHTTP(w, httptest.NewRequest("POST", "/asyncapi.yaml", nil))
	if w.Code != 405 || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", w.Code, w.Header().Get("Allow"))
	}
}
