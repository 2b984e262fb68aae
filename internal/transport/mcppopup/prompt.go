package mcppopup

import (
	"context"
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/popup/permission"
	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/transport/jsonrpc"
	"ui-mcp/internal/transport/mcpserver"
)

type promptInput struct {
	Tool  string          `json:"tool_name" jsonschema:"the tool that is to be used"`
	Input json.RawMessage `json:"input" jsonschema:"its arguments"`
	ID    string          `json:"tool_use_id,omitempty" jsonschema:"the call"`
}

// RegisterPrompt adds the tool that a client without a dialog calls when it needs its person's
// permission. project is the directory that the client works in.
func RegisterPrompt(s *mcpserver.Server, b *popup.Broker, project string) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name:        "permission_prompt",
		Title:       "Ask whether a tool may be used",
		Description: "For the client, as its --permission-prompt-tool: asks the person whether a tool may be used. Do not call it yourself.",
		Hints:       mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.No, OpenWorld: mcpserver.Yes},
		Schemas:     map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[json.RawMessage](): {Type: "object"}},
	}, func(ctx context.Context, in promptInput) (mcpserver.Result, error) {
		ctx, cancel := mcpserver.UntilGone(ctx)
		defer cancel()
		r := permission.Request{Client: "an agent", Project: project, Tool: in.Tool, Input: in.Input}
		if call := mcpserver.CallOf(ctx); call != nil {
			r.Client = nameOf(call).name
		}
		q, err := r.Spec().Question()
		if err != nil {
			return mcpserver.Result{}, err
		}
		a, err := b.AskAndWait(ctx, q, popup.AskOptions{Asked: popup.Asked{Asker: question.ByAgent}}, popup.WaitOptions{Beat: waitOptions(ctx, q.Title).Beat})
		if err != nil {
			return mcpserver.Result{}, err
		}
		d, ok := r.Decide(a)
		switch {
		case d.Behavior == permission.Allow:
			d.Input = in.Input
		case !ok && a.Outcome == question.NoHuman:
			d = permission.Decision{Behavior: permission.Deny, Message: "Nobody could be asked: neither a page nor a terminal of the project is open. Say so to the person; do not try another way."}
		case !ok:
			d = permission.Decision{Behavior: permission.Deny, Message: "The person has not decided: " + string(a.Outcome) + "."}
		}
		text, err := jsonrpc.Marshal(d)
		return mcpserver.Text(string(text)), err // Claude Code takes nothing beside a text
	})
}
