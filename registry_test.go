package uimcp_test

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	uimcp "ui-mcp"
	"ui-mcp/internal/install"
)

// server.json agrees with README.md and keeps to the MCP registry's limits.
func TestServerJSON(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("server.json")
	if err != nil {
		t.Fatal(err)
	}
	var server struct {
		Name, Title, Description, Version string
	}
	if err := json.Unmarshal(data, &server); err != nil {
		t.Fatal(err)
	}
	want, err := install.Version(uimcp.Readme)
	if err != nil {
		t.Fatal(err)
	}
	if server.Version != want {
		t.Errorf("server.json has version %q, README.md has %q", server.Version, want)
	}
	if !regexp.MustCompile(`^[A-Za-z0-9.-]+/[A-Za-z0-9._-]+$`).MatchString(server.Name) || len(server.Name) > 200 {
		t.Errorf("%q is not a registry name: a reversed domain, a slash and a name", server.Name)
	}
	for field, text := range map[string]string{"title": server.Title, "description": server.Description} {
		if text == "" || len(text) > 100 {
			t.Errorf("%s has %d bytes, the registry takes 1 to 100", field, len(text))
		}
	}
}
