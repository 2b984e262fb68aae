package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// addResources adds resources that can be read, one that can be watched, and a template.
func addResources(s *mcp.Server) {
	for _, r := range []struct {
		name, description string
		contents          mcp.ResourceContents
	}{
		{"static-text", "A text.", mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}},
		{"static-binary", "An image.", mcp.ResourceContents{MIMEType: "image/png", Blob: redDot()}},
		{"watched-resource", "A text that can be watched.", mcp.ResourceContents{MIMEType: "text/plain", Text: "Nothing has happened."}},
	} {
		r.contents.URI = "test://" + r.name
		s.AddResource(&mcp.Resource{URI: r.contents.URI, Name: r.name, Description: r.description, MIMEType: r.contents.MIMEType},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&r.contents}}, nil
			})
	}
	const before, after = "test://template/", "/data"
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: before + "{id}" + after, Name: "template", Description: "Data by id.", MIMEType: "application/json"},
		func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			uri := req.Params.URI
			id := strings.TrimSuffix(strings.TrimPrefix(uri, before), after)
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
				URI: uri, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id),
			}}}, nil
		})
}

// addPrompts adds prompts, each with another kind of content.
func addPrompts(s *mcp.Server) {
	addPrompt(s, &mcp.Prompt{Name: "test_simple_prompt", Description: "A text."}, text("This is a simple prompt for testing."))
	addPrompt(s, &mcp.Prompt{Name: "test_prompt_with_image", Description: "An image and a text."}, picture(), text("Please look at the image."))
	s.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_arguments", Description: "A text with two arguments.",
		Arguments: []*mcp.PromptArgument{{Name: "arg1", Description: "The first.", Required: true}, {Name: "arg2", Description: "The second.", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		args := req.Params.Arguments
		return prompt(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", args["arg1"], args["arg2"]))), nil
	})
	s.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "A resource and a text.",
		Arguments: []*mcp.PromptArgument{{Name: "resourceUri", Description: "The URI of the resource.", Required: true}},
	}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompt(embedded(req.Params.Arguments["resourceUri"], "Embedded resource content for testing."), text("Please read the resource.")), nil
	})
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks for the context first."},
		func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if context, ok := filledIn(req.Params.InputResponses, "user_context", "context"); ok {
				return prompt(text(fmt.Sprint("Context: ", context))), nil
			}
			return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": question("What is the context?", contextForm)}}, nil
		})
}

// addPrompt adds a prompt that is always the same.
func addPrompt(s *mcp.Server, p *mcp.Prompt, content ...mcp.Content) {
	s.AddPrompt(p, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return prompt(content...), nil
	})
}

func prompt(content ...mcp.Content) *mcp.GetPromptResult {
	result := &mcp.GetPromptResult{Description: "A prompt for testing."}
	for _, c := range content {
		result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: c})
	}
	return result
}

// complete completes one argument of one prompt.
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var values []string
	if ref := req.Params.Ref; ref != nil && ref.Name == "test_prompt_with_arguments" {
		for _, v := range []string{"paris", "park", "party", "test1", "test2"} {
			if strings.HasPrefix(v, req.Params.Argument.Value) {
				values = append(values, v)
			}
		}
	}
	if values == nil {
		values = []string{} // null would break the schema
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}
