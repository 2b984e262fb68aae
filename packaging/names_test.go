package packaging

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// names.json is right, and has the module path of go.mod and the commands of cmd.
func TestNames(t *testing.T) {
	t.Parallel()
	n := Load()
	data, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if path := modfile.ModulePath(data); path != n.Module {
		t.Errorf("go.mod has module %q, names.json %q", path, n.Module)
	}
	commands, err := os.ReadDir("../cmd")
	if err != nil {
		t.Fatal(err)
	}
	if len(commands) != len(n.Commands) {
		t.Errorf("names.json has %d commands, cmd %d", len(n.Commands), len(commands))
	}
	for _, c := range commands {
		if got := n.Command(c.Name()); got.NPM == "" {
			t.Errorf("%s: %+v", c.Name(), got)
		}
	}
}

// chosen are names as they might be when everything is published.
const chosen = `{
	"published": true, "module": "example.com/you/ui-mcp", "repository": "https://example.com/you/ui-mcp",
	"maintainer": "You", "email": "you@example.com", "tap": "you/tap", "bucket": "https://example.com/you/bucket", "publisher": "You",
	"commands": [{
		"name": "wsh", "summary": "Terminals", "npm": "@you/wsh", "pypi": "wsh-mcp", "linux": "wsh",
		"winget": "You.wsh", "image": "example.com/you/wsh", "registry": "com.example/wsh"
	}]
}`

// Wrong names are refused, and so is the switch while something is missing.
func TestParse(t *testing.T) {
	t.Parallel()
	if n, err := Parse([]byte(chosen)); err != nil || !n.Published || n.Command("wsh").Server != "com.example/wsh" {
		t.Errorf("%+v, %v", n, err)
	}
	for _, tt := range []struct{ old, new, want string }{
		{`"pypi": "wsh-mcp"`, `"pypi": ""`, `"pypi" is empty`},
		{`"tap"`, `"tab"`, `unknown field "tab"`},
		{`"repository": "https://example.com/you/ui-mcp"`, `"repository": ""`, `"repository" is empty`},
		{`"module": "example.com/you/ui-mcp"`, `"module": "ui-mcp"`, `the module has no address`},
	} {
		text := strings.Replace(chosen, tt.old, tt.new, 1)
		if text == chosen {
			t.Fatalf("there is no %s", tt.old)
		}
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.new, err, tt.want)
		}
	}
}
