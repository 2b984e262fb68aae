package main

//lint:file-ignore SA1019 the suite also tests deprecated features

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addNotifyingTools adds tools that send notifications before they answer.
func addNotifyingTools(s *mcp.Server) {
	addTool(s, "test_tool_with_logging", "Logs three messages to the client.", noArguments, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
			if err := logTo(ctx, req, message); err != nil {
				return nil, err
			}
		}
		return says("Logged three messages."), nil
	})
	addTool(s, "test_logging_tool", "Logs a message to clients that want it.", noArguments, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := logTo(ctx, req, "called"); err != nil {
			return nil, err
		}
		return says("Logged a message, if it was wanted."), nil
	})
	addTool(s, "test_tool_with_progress", "Reports its progress.", noArguments, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		token := req.Params.GetProgressToken()
		for _, percent := range []float64{0, 50, 100} {
			err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: percent, Total: 100, Message: fmt.Sprintf("%v%%", percent)})
			if err != nil {
				return nil, err
			}
		}
		return says(fmt.Sprint(token)), nil
	})
	addTool(s, "test_trigger_tool_change", "Changes the list of tools.", noArguments, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		addTool(s, "transient", "Is there since the list was changed.", noArguments, echo)
		return says("The list of tools has changed."), nil
	})
	addTool(s, "test_trigger_prompt_change", "Changes the list of prompts.", noArguments, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		addPrompt(s, &mcp.Prompt{Name: "transient", Description: "Is there since the list was changed."}, text("Hello."))
		return says("The list of prompts has changed."), nil
	})
	addTool(s, "test_missing_capability", "Works for clients that can sample.", noArguments, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if caps := req.ClientCapabilities(); caps != nil && caps.Sampling != nil {
			return says("The client can sample."), nil
		}
		data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
		if err != nil {
			return nil, err
		}
		return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client must be able to sample", Data: data}
	})
}

func logTo(ctx context.Context, req *mcp.CallToolRequest, message string) error {
	return req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: message})
}
