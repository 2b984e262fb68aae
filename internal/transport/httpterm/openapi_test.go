package httpterm_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/transport/httpterm"
)

// Each path is there with the parameters that it names, and each request has a name of its own.
func TestOpenAPI(t *testing.T) {
	var ids []string
	braces := regexp.MustCompile(`\{(\w+)\}`)
	for path, methods := range httpterm.OpenAPI()["paths"].(map[string]map[string]any) {
		for method, operation := range methods {
			o := operation.(map[string]any)
			id := o["operationId"].(string)
			if slices.Contains(ids, id) || !regexp.MustCompile(`^[a-z_]+$`).MatchString(id) {
				t.Errorf("%s %s: the name %q is taken or no identifier", method, path, id)
			}
			ids = append(ids, id)
			var want, got []string
			for _, m := range braces.FindAllStringSubmatch(path, -1) {
				want = append(want, m[1])
			}
			params, _ := o["parameters"].([]map[string]any)
			for _, p := range params {
				if p["in"] == "path" {
					got = append(got, p["name"].(string))
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s %s: parameters (-path +listed):\n%s", method, path, d)
			}
			if o["summary"] == "" {
				t.Errorf("%s %s is not described", method, path)
			}
		}
	}
	for _, id := range strings.Fields("get_sessions patch_session get_session_ws_raw get_ws_json post_auth_ws_ticket put_session_overlay_id get_openapi_yaml") {
		if !slices.Contains(ids, id) {
			t.Errorf("%s is missing", id)
		}
	}
}

// The table of requests in docs/terminal.md introduces routes that exist; docs/api.md has all.
func TestDocumentedRoutes(t *testing.T) {
	text, err := os.ReadFile("../../../docs/terminal.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| request | |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var got []string
	method, path := "", ""
	for _, m := range regexp.MustCompile("`(?:([A-Z]+) )?([/…][^`? ]*)").FindAllStringSubmatch(table, -1) {
		if m[1] != "" {
			method = m[1]
		}
		if rest, ok := strings.CutPrefix(m[2], "…"); ok { // the end of a path like the last one
			parts := strings.Split(path, "/")
			path = strings.Join(parts[:len(parts)-strings.Count(rest, "/")], "/") + rest
		} else {
			path = m[2]
		}
		got = append(got, method+" "+path)
		if strings.Contains(path, "/overlay") {
			got = append(got, method+" "+strings.Replace(path, "/overlay", "/panel", 1))
		}
	}
	var want []string
	for path, methods := range httpterm.OpenAPI()["paths"].(map[string]map[string]any) {
		for method, operation := range methods {
			if operation.(map[string]any)["responses"].(map[string]any)["101"] == nil {
				want = append(want, strings.ToUpper(method)+" "+strings.NewReplacer("{name}", "NAME", "{id}", "ID").Replace(path))
			}
		}
	}
	for _, route := range got {
		if !slices.Contains(want, route) {
			t.Errorf("docs/terminal.md has %s, which is not served", route)
		}
	}
	if len(got) < 20 {
		t.Errorf("only %d routes were found", len(got))
	}
}
