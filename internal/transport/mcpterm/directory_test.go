package mcpterm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/mcpterm"
)

// A session starts in the project: in the client's first root if that is a directory here, else
// where the client has started its server. The call's own directory and other hosts go before.
func TestStartDir(t *testing.T) {
	root := t.TempDir()
	file := func(path string) []string { return []string{"file://" + path} }
	for name, tt := range map[string]struct {
		roots   []string
		version string
		args    string
		want    string // the directory, or ""
	}{
		"a root":             {file(root), "2025-11-25", `{}`, root},
		"no roots":           {nil, "2025-11-25", `{}`, "/started"},
		"a root that is not": {file(root + "/no"), "2025-06-18", `{}`, "/started"},
		"of another machine": {[]string{"file://elsewhere" + root}, "2025-06-18", `{}`, "/started"},
		"no file":            {[]string{"https://example.com/"}, "2025-06-18", `{}`, "/started"},
		"the whole machine":  {file("/"), "2025-11-25", `{}`, "/started"},
		"stateless":          {file(root), "", `{}`, "/started"},
		"given":              {file(root), "2025-11-25", `{"cwd":"/given"}`, "/given"},
		"on another host":    {file(root), "2025-11-25", `{"name":"build1/a"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{answers: map[string]string{}}
			face := mcpterm.New(mcpterm.Options{
				Terminals: r, Grant: func(context.Context) terminals.Grant { return terminals.Everything },
				Dir: func(context.Context) string { return "/started" },
			})
			c := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "0"}, nil)
			for _, uri := range tt.roots {
				//lint:ignore SA1019 clients of the handshake have them
				c.AddRoots(&mcp.Root{URI: uri})
			}
			cs := testkit.InMemory(t, serverOf(face).Server, c, tt.version)
			mustCall(t, cs, "wsh_create_session", tt.args)
			want := `"cwd":"` + tt.want + `"`
			if got := strings.Join(r.asked, "; "); strings.Contains(got, `"cwd"`) != (tt.want != "") || tt.want != "" && !strings.Contains(got, want) {
				t.Errorf("asked %s, want %s", got, want)
			}
		})
	}
}
