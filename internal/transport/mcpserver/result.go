package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

// A Result is what a tool that succeeded tells the model. The zero Result says
// nothing.
type Result struct {
	text       string
	notes      []string        // further texts
	structured json.RawMessage // nil: the text is all there is

	// Of a result that needs input first, which has nothing else.
	requests mcp.InputRequestMap
	state    string
}

// NeedInput returns the result of a call that cannot end before the client has answered requests. It then calls again, with
// the answers and state. Clients of revisions before 2026-07-28 must not be given one whose handler does more than ask.
func NeedInput(requests mcp.InputRequestMap, state string) Result {
	return Result{requests: requests, state: state}
}

// With returns r with one more text after what it has. It then has no structured content: hosts that
// show their model that alone would keep the text from it.
func (r Result) With(text string) Result {
	r.notes = append(slices.Clip(r.notes), text)
	r.structured = nil
	return r
}

// Text returns a result in prose.
func Text(s string) Result { return Result{text: s} }

// Textf returns a result in prose, formatted as by [fmt.Sprintf].
func Textf(format string, args ...any) Result { return Text(fmt.Sprintf(format, args...)) }

// JSON returns v as JSON text and, when it is an object, as structured content
// too. It must be complete: many hosts show their model only the structured
// content of a result that has any. Other JSON values stay text, since
// revisions before 2026-07-28 allow only objects as structured content.
//
// The error is of kind [fault.Internal]: v is the program's own value.
func JSON(v any) (Result, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // a model reads this: <b> is better than \u003cb\u003e
	if err := enc.Encode(v); err != nil {
		return Result{}, fault.New(fault.Internal, "the result cannot be encoded: %s", encodingProblem(err))
	}
	// A json.RawMessage may hold a string of bytes that are no UTF-8.
	data := bytes.ToValidUTF8(bytes.TrimSpace(buf.Bytes()), []byte("\uFFFD"))
	r := Result{text: string(data)}
	if data[0] == '{' {
		r.structured = data
	}
	return r, nil
}

// encodingProblem says why a value cannot be encoded, without naming its Go type.
func encodingProblem(err error) string {
	if me, ok := errors.AsType[*json.MarshalerError](err); ok {
		return me.Err.Error()
	}
	if _, ok := errors.AsType[*json.UnsupportedTypeError](err); ok {
		return "it holds what JSON has no form for"
	}
	return err.Error()
}

// wire returns r as MCP says it.
func (r Result) wire() *mcp.CallToolResult {
	if r.requests != nil {
		return &mcp.CallToolResult{InputRequests: r.requests, RequestState: r.state}
	}
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.text}}}
	for _, note := range r.notes {
		res.Content = append(res.Content, &mcp.TextContent{Text: note})
	}
	if r.structured != nil {
		res.StructuredContent = r.structured
	}
	return res
}
