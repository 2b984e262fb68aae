package httpterm_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/transport/httpterm"
)

var update = flag.Bool("update", false, "rewrite openapi.yaml and docs/http.md")

// The documents that are served are in files, so that changes of the interface are seen.
func TestDocuments(t *testing.T) {
	openAPI, _ := httpterm.OpenAPI()
	for file, got := range map[string][]byte{"openapi.yaml": openAPI, "../../../docs/http.md": httpterm.Reference()} {
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s is not what is served; \"go test ./internal/transport/httpterm -update\" writes it (-file +rows):\n%s", file, d)
		}
	}
}

// Each path has the parameters that it names, and each request a name of its own.
func TestOpenAPI(t *testing.T) {
	_, document := httpterm.OpenAPI()
	var ids []string
	braces := regexp.MustCompile(`\{(\w+)\}`)
	for path, methods := range document["paths"].(map[string]map[string]any) {
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
