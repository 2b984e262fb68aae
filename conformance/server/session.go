package main

//lint:file-ignore SA1019 the suite also tests deprecated features

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addSessionTools adds tools that ask the client during a call, as the revisions with sessions
// allow.
func addSessionTools(s *mcp.Server) {
	const takesPrompt = `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`
	addTool(s, "test_sampling", "Asks the client's model.", takesPrompt, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ Prompt string }
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return nil, err
		}
		answer, err := req.Session.CreateMessage(ctx, sampling(in.Prompt))
		if err != nil {
			return nil, err
		}
		content, err := json.Marshal(answer.Content)
		return says(fmt.Sprintf("LLM response: %s", content)), err
	})
	const takesMessage = `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`
	addTool(s, "test_elicitation", "Asks the person.", takesMessage, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct{ Message string }
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return nil, err
		}
		return elicit(ctx, req, in.Message, `{"type":"object","properties":{"username":{"type":"string","description":"the name to use"}},"required":["username"]}`)
	})
	for name, form := range map[string]string{
		"test_elicitation_sep1034_defaults": `{"type":"object","properties":{
			"name":{"type":"string","default":"John Doe"},
			"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
			"verified":{"type":"boolean","default":true}}}`,
		"test_elicitation_sep1330_enums": `{"type":"object","properties":{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["One","Two","Three"]},
			"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":[{"const":"value1","title":"First"},{"const":"value2","title":"Second"},{"const":"value3","title":"Third"}]}}}}`,
	} {
		addTool(s, name, "Asks the person with a form of another kind.", noArguments, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return elicit(ctx, req, "Please fill in the form.", form)
		})
	}
}

// elicit asks the person, and returns the answer.
func elicit(ctx context.Context, req *mcp.CallToolRequest, message, form string) (*mcp.CallToolResult, error) {
	answer, err := req.Session.Elicit(ctx, question(message, form))
	if err != nil {
		return nil, err
	}
	content, err := json.Marshal(answer.Content)
	return says(fmt.Sprintf("action=%s content=%s", answer.Action, content)), err
}

// question returns a form, given as a JSON schema, with a message to the person.
func question(message, form string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(form)}
}

// sampling returns a request to the client's model.
func sampling(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{{Role: "user", Content: text(prompt)}}}
}
