package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// block returns the first fenced block of a language after a phrase in docs/tutorial.md.
func block(t *testing.T, mention, language string) string {
	t.Helper()
	text, err := os.ReadFile("../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), mention)
	_, code, found := strings.Cut(after, "```"+language+"\n")
	code, _, closed := strings.Cut(code, "```")
	if !ok || !found || !closed {
		t.Fatalf("docs/tutorial.md has no %s block after %q", language, mention)
	}
	return regexp.MustCompile(`(?m)^   `).ReplaceAllString(code, "")
}

// The first app of docs/tutorial.md works as described, step by step.
func TestTutorial(t *testing.T) {
	t.Parallel()
	s := &server{t: t, dir: filepath.Join(t.TempDir(), ".claude", "ui")}
	cmd := exec.Command("ui-mcp", "serve", "--port", "0", "--mcp-port", "0", "--dir", s.dir)
	url, _ := serveUntilEnd(t, cmd)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.WaitText(".mcp-empty h1", "Nothing to show yet")
	for _, step := range [][2]string{
		{"apps/shopping/app.lua", "lua"},
		{"apps/shopping/viewdefs/Shopping.DEFAULT.html", "html"},
		{"apps/shopping/viewdefs/Item.list-item.html", "html"},
	} {
		s.write(step[0], block(t, ".claude/ui/"+step[0], step[1]))
	}
	tab.WaitText("footer span", "0 to buy")
	tab.Type("form input", "Milk"+browser.Enter)
	tab.Type("form input", "Bread")
	tab.Click("form button")
	tab.WaitText("footer span", "2 to buy")
	tab.Click("li:nth-child(1) input")
	tab.WaitText("footer span", "1 to buy")
	tab.Click("footer button")
	if status, body := get(t, s.agentURL("/wait?timeout=60")); status != 200 || body != `[{"app":"shopping","event":"finished","summary":"1 to buy"}]` {
		t.Errorf("/wait = %d %s", status, body)
	}
	s.write("apps/shopping/viewdefs/Shopping.DEFAULT.html",
		strings.Replace(s.read("apps/shopping/viewdefs/Shopping.DEFAULT.html"), "<h1>Shopping</h1>", "<h1>Groceries</h1>", 1))
	tab.WaitText("h1", "Groceries")
	tab.Click("li:nth-child(2) button")
	tab.WaitText("footer span", "0 to buy")
	if got := tab.Texts("li span"); len(got) != 1 || got[0] != "Milk" {
		t.Errorf("the list is %q", got)
	}
}
