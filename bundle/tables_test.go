package bundle_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/bundle"
	"ui-mcp/internal/terminals"
)

// code is a word in backquotes, as the tables name tools and files.
var code = regexp.MustCompile("`([\\w./-]+)`")

// column returns the words in backquotes in the first column of the Markdown table whose header
// starts with title.
func column(t *testing.T, markdown, title string) []string {
	t.Helper()
	_, table, found := strings.Cut(markdown, "\n| "+title+" |")
	if !found {
		t.Fatalf("no table has the header %q", title)
	}
	var words []string
	for line := range strings.Lines(table[strings.Index(table, "\n")+1:]) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		first, _, _ := strings.Cut(line[1:], "|")
		for _, m := range code.FindAllStringSubmatch(first, -1) {
			words = append(words, m[1])
		}
	}
	slices.Sort(words)
	return words
}

func text(t *testing.T, name string) string {
	t.Helper()
	data, err := fs.ReadFile(bundle.Files, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The tables of tools list the tools that the server offers.
func TestToolTables(t *testing.T) {
	t.Parallel()
	list, err := newWorld(t).mcp.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var tools []string
	for _, tool := range list.Tools {
		if ui, _ := tool.Meta["ui"].(map[string]any); ui["visibility"] == nil {
			tools = append(tools, tool.Name) // not one for views only
		}
	}
	slices.Sort(tools)
	for file, markdown := range map[string]string{
		"docs/ui-mcp.md":              document(t, "ui-mcp.md"),
		"base/resources/reference.md": text(t, "base/resources/reference.md"),
	} {
		if diff := cmp.Diff(tools, column(t, markdown, "tool")); diff != "" {
			t.Errorf("%s (-offered by the server +in the table)\n%s", file, diff)
		}
	}
}

// The guides describe every function that Lua has for apps.
func TestFunctionsAreDescribed(t *testing.T) {
	t.Parallel()
	guides, err := os.ReadFile("../docs/coming-from-frictionless.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"lua", "mcp", "terminals"} {
		guides = append(guides, text(t, "base/resources/"+name+".md")...)
	}
	const code = `
		local names = {}
		for _, tb in ipairs({ session, ui, mcp, terminal, getmetatable(terminal.create({ command = "cat" })).__index }) do
			for name, f in pairs(tb) do
				if type(f) == "function" then table.insert(names, name) end
			end
		end
		return names`
	var names []string
	if err := json.Unmarshal([]byte(newWorld(t, "--toolsets", "ui,terminal").run("1", code)), &names); err != nil {
		t.Fatal(err)
	}
	if len(names) < 50 {
		t.Errorf("Lua has only %d functions", len(names))
	}
	operations := map[string]bool{} // which docs/api.md describes
	for _, o := range terminals.All() {
		operations[strings.ToLower(strings.NewReplacer(".", "", "_", "").Replace(o.Name))] = true
	}
	for _, name := range names {
		if !operations[strings.ToLower(name)] && !regexp.MustCompile("[`:.]"+name+"[(`]").Match(guides) {
			t.Errorf("no guide describes %s", name)
		}
	}
}

// The skill that builds apps lists every pattern, and so does the reference.
func TestPatternsAreListed(t *testing.T) {
	t.Parallel()
	var patterns []string
	for name := range files(t, ".md") {
		if path.Base(path.Dir(name)) == "patterns" {
			patterns = append(patterns, path.Base(name))
		}
	}
	slices.Sort(patterns)
	const skill = "project/.claude/skills/ui-builder/SKILL.md"
	_, table, _ := strings.Cut(text(t, skill), "## Which pattern\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var listed []string
	for _, m := range code.FindAllStringSubmatch(table, -1) {
		if strings.HasSuffix(m[1], ".md") && !strings.Contains(m[1], "/") {
			listed = append(listed, m[1])
		}
	}
	slices.Sort(listed)
	if diff := cmp.Diff(patterns, listed); diff != "" {
		t.Errorf("%s (-patterns +listed)\n%s", skill, diff)
	}
	reference := text(t, "base/resources/reference.md")
	for _, p := range patterns {
		if !strings.Contains(reference, "`"+strings.TrimSuffix(p, ".md")+"`") {
			t.Errorf("reference.md does not list the pattern %s", p)
		}
	}
}
