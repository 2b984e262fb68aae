//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"unicode/utf8"

	"ui-mcp/internal/testkit"
)

// Both servers together stay small, in the form in which Claude Code sends their tools and
// instructions: every conversation pays for them. Each parameter is described, unless its name says
// it all.
func TestAllDeclarations(t *testing.T) {
	t.Parallel()
	dir := testkit.ShortDir(t)
	t.Cleanup(func() { stopServerOf(t, dir) })
	clear := map[string]bool{"session": true, "action": true, "click": true}
	total, count := 0, 0
	for name, cmd := range map[string]*exec.Cmd{"ui-mcp": exec.Command("ui-mcp", "mcp"), "wsh": exec.Command("wsh", "mcp")} {
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir)
		agent, _ := testkit.ConnectLogged(t, cmd)
		list, err := agent.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if about := agent.InitializeResult().ServerInfo; about.Title == "" || about.Description == "" || len(about.Icons) != 1 {
			t.Errorf("%s says of itself: %+v", name, about)
		}
		instructions := utf8.RuneCountInString(agent.InitializeResult().Instructions)
		if instructions > 2048 {
			t.Errorf("the instructions of %s have %d characters, clients cut them at 2 KB", name, instructions)
		}
		size := instructions
		for _, tool := range list.Tools {
			if tool.Name == "ui_relay" {
				continue // for views only: hosts keep it from their model
			}
			count++
			sent, err := json.Marshal(map[string]any{
				"name": "mcp__" + name + "__" + tool.Name, "description": tool.Description, "input_schema": tool.InputSchema,
			})
			if err != nil {
				t.Fatal(err)
			}
			size += utf8.RuneCount(sent)
			properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
			for name, p := range properties {
				described, _ := p.(map[string]any)
				if text, _ := described["description"].(string); text == "" && !clear[name] {
					t.Errorf("%s: the parameter %s is not described", tool.Name, name)
				}
			}
		}
		t.Logf("the tools of %s and its instructions of %d have %d characters", name, instructions, size)
		total += size
	}
	if total > 22_000 || count != 27 {
		t.Errorf("%d tools have %d characters, want 27 with at most 22,000", count, total)
	}
}
