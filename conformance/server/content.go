package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/mcpserver"
)

type handler = func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// noArguments is the schema of a tool without arguments.
const noArguments = `{"type":"object","properties":{}}`

// addTool adds a tool with a JSON schema.
func addTool(s *mcp.Server, name, description, schema string, h handler) {
	s.AddTool(&mcp.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema)}, h)
}

func says(s string) *mcp.CallToolResult { return &mcp.CallToolResult{Content: []mcp.Content{text(s)}} }

func text(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }

func embedded(uri, s string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: s}}
}

func picture() *mcp.ImageContent { return &mcp.ImageContent{Data: redDot(), MIMEType: "image/png"} }

// schema2020 has the keywords that the suite expects unchanged in the list of tools.
const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// addContentTools adds tools that answer at once, each with another kind of content.
func addContentTools(s *mcp.Server) {
	for _, t := range []struct {
		name, description string
		content           []mcp.Content
	}{
		{"test_simple_text", "Answers with a text.", []mcp.Content{text("This is a simple text response for testing.")}},
		{"test_image_content", "Answers with an image.", []mcp.Content{picture()}},
		{"test_audio_content", "Answers with a sound.", []mcp.Content{&mcp.AudioContent{Data: []byte(silence), MIMEType: "audio/wav"}}},
		{"test_embedded_resource", "Answers with a resource.", []mcp.Content{embedded("test://embedded-resource", "A resource within a result.")}},
		{"test_multiple_content_types", "Answers with a text, an image and a resource.",
			[]mcp.Content{text("A text."), picture(), embedded("test://mixed-content-resource", "A resource.")}},
		{"test_streaming_elicitation", "Answers on a stream that carries no requests.", []mcp.Content{text("Nothing was asked.")}},
	} {
		addTool(s, t.name, t.description, noArguments, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: t.content}, nil
		})
	}
	addTool(s, "test_error_handling", "Fails.", noArguments, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		failed := &mcp.CallToolResult{}
		failed.SetError(errors.New("this tool always fails"))
		return failed, nil
	})
	addTool(s, "json_schema_2020_12_tool", "Has a schema that uses much of JSON Schema 2020-12.", schema2020, echo)
}

// A region is an argument that clients repeat in a header.
type region string

// addHeaderTool adds a tool with a region.
func addHeaderTool(s *mcpserver.Server) {
	mcpserver.AddTool(s, mcpserver.Tool{
		Name: "test_x_mcp_header", Description: "Has an argument that clients repeat in a header.",
		Hints: mcpserver.Hints{ReadOnly: mcpserver.Yes, Destructive: mcpserver.No, Idempotent: mcpserver.Yes, OpenWorld: mcpserver.No},
		Schemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[region](): {Type: "string", Extra: map[string]any{"x-mcp-header": "Region"}},
		},
	}, func(_ context.Context, in struct {
		Region region `json:"region,omitempty"`
		Level  int    `json:"level,omitempty"`
	}) (mcpserver.Result, error) {
		return mcpserver.JSON(in)
	})
}

// echo answers with its arguments.
func echo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return says(string(req.Params.Arguments)), nil
}

// redDot returns a PNG image of one pixel.
func redDot() []byte {
	const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
	return fault.Must(base64.StdEncoding.DecodeString(dot))
}

// silence is a WAV file of one sample: PCM in mono with 8000 samples of 16 bits a second.
const silence = "RIFF\x26\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x80\x3e\x00\x00\x02\x00\x10\x00data\x02\x00\x00\x00\x00\x00"
