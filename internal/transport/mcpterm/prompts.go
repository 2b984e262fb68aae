package mcpterm

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/skills"

	"ui-mcp/internal/transport/mcpserver"
)

// prompts are the skills that clients can put into a conversation, in the order of the list.
var prompts = []struct{ name, title, about string }{
	{"wsh:core", "Terminals", "API primitives and send/wait/read/decide loop (MCP-adapted)"},
	{"wsh:drive-process", "Drive a process", "Running CLI commands, handling prompts"},
	{"wsh:tui", "Full-screen programs", "Operating full-screen TUI applications"},
	{"wsh:multi-session", "Several sessions", "Parallel session orchestration"},
	{"wsh:agent-orchestration", "Other agents", "Driving other AI agents"},
	{"wsh:monitor", "Watch a terminal", "Watching terminal activity"},
	{"wsh:visual-feedback", "Overlays and panels", "Overlays and panels"},
	{"wsh:input-capture", "Capture keys", "Capturing keyboard input"},
	{"wsh:generative-ui", "Generated interfaces", "Dynamic interactive experiences"},
}

// addPrompts adds the prompts that have a document. An unknown prompt is an error of the SDK.
func addPrompts(s *mcpserver.Server, documents []skills.Document) {
	bodies := map[string]string{}
	for _, d := range documents {
		bodies[d.Prompt] = d.Body
	}
	for _, p := range prompts {
		body := bodies[p.name]
		if body == "" {
			continue
		}
		s.AddPrompt(&mcp.Prompt{Name: p.name, Title: p.title, Description: p.about},
			func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{
					Description: p.about,
					Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: body}}},
				}, nil
			})
	}
}
