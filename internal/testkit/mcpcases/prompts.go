package mcpcases

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var promptNames = []string{
	"wsh:agent-orchestration", "wsh:core", "wsh:drive-process", "wsh:generative-ui", "wsh:input-capture",
	"wsh:monitor", "wsh:multi-session", "wsh:tui", "wsh:visual-feedback",
}

func (a *agent) prompt(t *testing.T, name string) string {
	t.Helper()
	res, err := a.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return res.Messages[0].Content.(*mcp.TextContent).Text
}

var promptCases = []Case{
	{Name: "List prompts → all 9 returned with correct names", run: func(t *testing.T, a *agent) {
		list, err := a.ListPrompts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range list.Prompts {
			names = append(names, p.Name)
		}
		want(t, "prompts", names, promptNames)
	}},
	{Name: "Get each prompt → non-empty markdown content", run: func(t *testing.T, a *agent) {
		for _, name := range promptNames {
			if text := a.prompt(t, name); !strings.HasPrefix(text, "# ") {
				t.Errorf("%s: %.100q", name, text)
			}
		}
	}},
	{Name: "`wsh:core` contains MCP tool names, not curl", run: func(t *testing.T, a *agent) {
		text := a.prompt(t, "wsh:core")
		contains(t, text, "wsh_run_command")
		if strings.Contains(text, "curl") {
			t.Error("it teaches curl")
		}
	}},
}
