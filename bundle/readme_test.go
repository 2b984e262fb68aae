package bundle_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	uimcp "ui-mcp"
	"ui-mcp/internal/ui/viewdef"
)

// blocks returns the fenced code blocks of a language in a Markdown text.
func blocks(markdown, language string) []string {
	var found []string
	var block *strings.Builder
	for line := range strings.Lines(markdown) {
		switch trimmed := strings.TrimSpace(line); {
		case block == nil && trimmed == "```"+language:
			block = &strings.Builder{}
		case block != nil && trimmed == "```":
			found = append(found, block.String())
			block = nil
		case block != nil:
			block.WriteString(line)
		}
	}
	return found
}

// The first app that README.md has its readers write is right.
func TestReadmeApp(t *testing.T) {
	t.Parallel()
	code := blocks(uimcp.Readme, "lua")
	views := blocks(uimcp.Readme, "html")
	if len(code) != 1 || len(views) != 2 {
		t.Fatalf("README.md has %d blocks of Lua and %d of HTML, want 1 and 2", len(code), len(views))
	}

	l := lua.NewState()
	defer l.Close()
	const use = `
		local s = shopping
		s:add()
		s.text = "Milk"; s:add()
		s.text = "Bread"; s:add()
		s.items[1].bought = true
		local before = s:summary()
		s.items[1]:remove()
		s:finish()
		return before .. ", " .. #s.items .. ", " .. s.items[1].text .. s.text .. ", " .. pushed[1].summary
	`
	for _, chunk := range []string{world, code[0], use} {
		if err := l.DoString(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := l.ToString(-1), "1 to buy, 1, Bread, 1 to buy"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}

	for i, key := range []string{"Shopping.DEFAULT", "Item.list-item"} {
		if !strings.Contains(uimcp.Readme, "apps/shopping/viewdefs/"+key+".html") {
			t.Errorf("README.md does not say where %s goes", key)
		}
		tmpl, err := viewdef.Parse(key, key+".html", views[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range tmpl.Warnings {
			t.Error(w)
		}
		for _, b := range tmpl.Bindings {
			name := regexp.QuoteMeta(b.Path.Steps[0].Name)
			if !regexp.MustCompile(fmt.Sprintf(`\b%s( = |\()`, name)).MatchString(code[0]) {
				t.Errorf("%s: %s names nothing that the app has", key, b.Source)
			}
		}
	}
}
