package packaging

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write README.md's section on installing")

// install returns README.md's section on installing, or "" while nothing is published.
func install(n Names) string {
	if !n.Published {
		return ""
	}
	apps, terminals := n.Command("ui-mcp"), n.Command("wsh")
	lines := []string{
		fmt.Sprintf("npx -y %s demo  # with Node.js; terminals: npx -y %s", apps.NPM, terminals.NPM),
		fmt.Sprintf("uvx %s demo  # with uv; terminals: uvx --from %s wsh", apps.PyPI, terminals.PyPI),
	}
	if n.Tap != "" {
		lines = append(lines, fmt.Sprintf("brew install %s/ui-mcp %s/wsh", n.Tap, n.Tap))
	}
	if n.Bucket != "" {
		_, name, _ := strings.Cut(n.Repository[len("https://"):], "/")
		owner, _, _ := strings.Cut(name, "/")
		lines = append(lines, fmt.Sprintf("scoop bucket add %s %s && scoop install ui-mcp wsh", owner, n.Bucket))
	}
	if apps.Winget != "" && terminals.Winget != "" {
		lines = append(lines, fmt.Sprintf("winget install %s %s", apps.Winget, terminals.Winget))
	}
	lines = append(lines, fmt.Sprintf("go install %s/cmd/...@latest", n.Module))
	return "## Install\n\n    " + strings.Join(lines, "\n    ") + "\n\n.deb, .rpm, .apk and archives are among the [releases](" + n.Repository + "/releases).\n\n"
}

// withInstall returns README.md with the section on installing that belongs there.
func withInstall(readme string, n Names) (string, error) {
	const before = "## From source\n"
	head, rest, ok := strings.Cut(readme, before)
	if !ok {
		return "", fmt.Errorf("README.md has no heading %q", before)
	}
	if i := strings.Index(head, "## Install\n"); i >= 0 {
		head = head[:i]
	}
	return head + install(n) + before + rest, nil
}

// README.md says how to install what is published, and no document promises what is not.
func TestReadme(t *testing.T) {
	t.Parallel()
	names := Load()
	file := filepath.Join("..", "README.md")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withInstall(string(data), names)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want != string(data) {
		t.Errorf("README.md and names.json differ on what is published: run this test with -update")
	}
	if names.Published {
		return
	}
	promise := regexp.MustCompile(`(?m)^.*\b(npx (-y )?(ui-mcp|wsh)|uvx (--from [^ ]+ )?(ui-mcp|wsh)|pipx? install (ui-mcp|wsh)|npm (install|i) (-g |--global )?(ui-mcp|wsh)|(brew|scoop|winget|apk|dnf) (install|add) ).*$`)
	documents, err := filepath.Glob(filepath.Join("..", "docs", "*.md"))
	if err != nil || len(documents) < 10 {
		t.Fatalf("%q, %v", documents, err)
	}
	for _, name := range append(documents, file) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(name) == "releasing.md" { // it is about the time when they are
			continue
		}
		for _, line := range promise.FindAllString(string(text), -1) {
			t.Errorf("%s promises what is not published: %s", name, line)
		}
	}
}

// The switch adds the section, and takes it away again.
func TestSwitch(t *testing.T) {
	t.Parallel()
	names, err := Parse([]byte(strings.Replace(chosen, `"commands": [`, `"commands": [{"name": "ui-mcp", "summary": "Apps", "npm": "ui-mcp", "pypi": "ui-mcp", "linux": "ui-mcp", "winget": "You.UIMCP"},`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	const readme = "# ui-mcp\n\n## From source\n\nmake\n"
	published, err := withInstall(readme, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## Install\n", "    npx -y ui-mcp demo ", "npx -y @you/wsh\n", "uvx --from wsh-mcp wsh\n", "brew install you/tap/ui-mcp you/tap/wsh\n",
		"scoop bucket add you https://example.com/you/bucket &&", "winget install You.UIMCP You.wsh\n", "go install example.com/you/ui-mcp/cmd/...@latest\n", "\n## From source\n",
	} {
		if !strings.Contains(published, want) {
			t.Errorf("README.md does not have %q:\n%s", want, published)
		}
	}
	if again, err := withInstall(published, names); err != nil || again != published {
		t.Errorf("a second time: %v\n%s", err, again)
	}
	names.Published = false
	if back, err := withInstall(published, names); err != nil || back != readme {
		t.Errorf("switched off: %v\n%s", err, back)
	}
}
