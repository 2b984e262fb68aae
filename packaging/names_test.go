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

// Wrong names are refused, and so is the switch while something is missing.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ old, new, want string }{
		{`"module": "ui-mcp"`, `"module": "some where"`, `"some where" is not a name for "module"`},
		{`"repository": ""`, `"repository": "http://example.com/a/b"`, `is not a name for "repository"`},
		{`"repository": ""`, `"repository": "https://example.com/a"`, `is not a name for "repository"`},
		{`"npm": "wsh-mcp"`, `"npm": "Wsh"`, `"Wsh" is not a name for "npm"`},
		{`"pypi": "wsh-mcp"`, `"pypi": ""`, `"pypi" is empty`},
		{`"tap": ""`, `"tab": ""`, `unknown field "tab"`},
		{`"published": false`, `"published": true`, `"repository" is empty`},
		{`"published": false`, `"published": true`, `the module has no address`},
	} {
		text := strings.Replace(string(file), tt.old, tt.new, 1)
		if text == string(file) {
			t.Fatalf("names.json has no %s", tt.old)
		}
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.new, err, tt.want)
		}
	}
}
