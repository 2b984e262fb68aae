package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/transport/jsonrpc"
)

// A Hint answers one question about a tool's behaviour. The zero value leaves it open.
type Hint uint8

const (
	_ Hint = iota
	Yes
	No
)

// Hints say what a tool may do. Clients decide by them whether to ask the person first, and assume
// the worst where they are left open, so all four must be answered.
type Hints struct {
	ReadOnly    Hint // it changes nothing
	Destructive Hint // it may overwrite or delete, not only add
	Idempotent  Hint // calling it again with the same arguments changes nothing more
	OpenWorld   Hint // it touches things outside the app and this machine
}

func (h Hints) annotations() (*mcp.ToolAnnotations, error) {
	if h.ReadOnly == 0 || h.Destructive == 0 || h.Idempotent == 0 || h.OpenWorld == 0 {
		return nil, fmt.Errorf("all four hints must be answered, got %+v", h)
	}
	return &mcp.ToolAnnotations{
		ReadOnlyHint:    h.ReadOnly == Yes,
		DestructiveHint: new(h.Destructive == Yes),
		IdempotentHint:  h.Idempotent == Yes,
		OpenWorldHint:   new(h.OpenWorld == Yes),
	}, nil
}

// A Tool describes a tool to a model. The tags of the handler's input type describe the arguments.
type Tool struct {
	Name        string
	Title       string // for people
	Description string // for the model: what it does, when to use it, what it returns
	Hints       Hints
	Order       Order          // when calls run that a client sends without waiting
	Meta        map[string]any // extensions, such as the view of an MCP App
	// Schemas replace the schemas of types within the input type, such as those that decode
	// themselves.
	Schemas map[reflect.Type]*jsonschema.Schema
}

// AddTool registers a tool whose handler knows only domain types.
//
// In is a struct; its json and jsonschema tags make the input schema, and fields without omitempty
// are required. A tag enum has the words that an argument can be. Arguments that do not fit are
// answered with JSON-RPC "invalid params", naming the argument, and the handler is not called. How
// the handler's errors reach the client depends on their [fault.Kind] alone.
//
// The schema is made by a list of the tools or a call: for all tools, that takes longer than
// everything else until initialize is answered. AddTool panics on a tool without hints, and listing
// the tools on one whose input is declared wrongly.
func AddTool[In any](s *Server, t Tool, h func(context.Context, In) (Result, error)) {
	notes, err := t.Hints.annotations()
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", t.Name, err))
	}
	in := sync.OnceValue(func() *input {
		in, err := newInput[In](t.Name, t.Schemas)
		if err != nil {
			panic(fmt.Sprintf("tool %s: %v", t.Name, err))
		}
		if _, ok := in.schema.Properties[t.Order.argument]; t.Order.scope == inSession && !ok {
			panic(fmt.Sprintf("tool %s: its order is by the argument %q, which it has not", t.Name, t.Order.argument))
		}
		return in
	})
	call := func(ctx context.Context, raw json.RawMessage) (res Result, badInput bool, err error) {
		var args In
		if err := in().decode(raw, &args); err != nil {
			return Result{}, true, err
		}
		res, err = h(ctx, args)
		return res, false, err
	}
	handler := func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		res, badInput, err := call(context.WithValue(ctx, callKey{}, req), req.Params.Arguments)
		need, needs := errors.AsType[*NeedsInput](err)
		switch {
		case err == nil:
			return res.wire(), nil
		case badInput:
			return nil, wireError(err)
		case needs:
			return &mcp.CallToolResult{InputRequests: need.Requests, RequestState: need.State}, nil
		case operational(fault.KindOf(err)):
			failed := &mcp.CallToolResult{}
			failed.SetError(err)
			return failed, nil
		}
		return nil, err // contain gives it a code
	}
	declared := &mcp.Tool{Name: t.Name, Title: t.Title, Description: t.Description, InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: notes, Meta: t.Meta}
	declare := func() { s.AddTool(declared, handler) }
	declare()
	declared.InputSchema = lazySchema(in) // AddTool would have encoded it
	s.tools[t.Name] = tool{t.Order, t.Hints.ReadOnly == Yes, in, declare, call}
}

// repeated adds the headers in which a call of a tool repeats arguments, with their texts. The
// schema of the tool names the headers.
func (s *Server) repeated(tool string, arguments map[string]json.RawMessage, headers map[string]string) {
	t, ok := s.tools[tool]
	if !ok {
		return
	}
	for name, p := range t.input().schema.Properties {
		if header, ok := p.Extra["x-mcp-header"].(string); ok {
			text := "" // of an argument that was left out, or null
			if json.Unmarshal(arguments[name], &text) != nil {
				text = string(arguments[name])
			}
			headers["Mcp-Param-"+header] = text
		}
	}
}

// A lazySchema makes the schema of a tool when it is encoded.
type lazySchema func() *input

// MarshalJSON returns the schema that clients get.
func (s lazySchema) MarshalJSON() ([]byte, error) { return s().wire, nil }

// Listed returns a tool of a list with another schema than the one by which its input is checked,
// for a middleware that changes lists and calls. change gets a copy, of which it may replace parts.
func Listed(t *mcp.Tool, change func(*jsonschema.Schema)) *mcp.Tool {
	lazy, ok := t.InputSchema.(lazySchema)
	if !ok {
		return t // it is not one of AddTool
	}
	schema := *lazy().schema
	schema.Properties = maps.Clone(schema.Properties)
	change(&schema)
	wire, err := wireSchema(&schema)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", t.Name, err))
	}
	other := *t
	other.InputSchema = wire
	return &other
}

// A Result is what a tool that succeeded returns to the model. The zero Result is empty.
type Result struct {
	text       string
	notes      []string        // further texts
	structured json.RawMessage // nil: the text is all there is
	images     []image
	failed     bool // an operational error
}

// NeedsInput is the error of a call that cannot end before the client has answered requests. It
// then calls again, with the answers and the state. Whatever the handler has called may return it.
// Clients of revisions before 2026-07-28 must not be given one whose handler does more than ask.
type NeedsInput struct {
	Requests mcp.InputRequestMap
	State    string
}

func (*NeedsInput) Error() string { return "the client must ask the person first, and then call again" }

// With returns r with one more text after what it has, as [addText] adds it.
func (r Result) With(text string) Result {
	r.notes = append(slices.Clip(r.notes), text)
	return r
}

// addText adds a text to a result. An object is no structured content then: hosts that show their
// model that alone would keep the text from it. A wrapped one takes the text.
func addText(res *mcp.CallToolResult, text string) {
	res.Content = append(res.Content, &mcp.TextContent{Text: text})
	if w, ok := res.StructuredContent.(wrapped); ok {
		w.Notes = append(slices.Clip(w.Notes), text)
		res.StructuredContent = w
	} else {
		res.StructuredContent = nil
	}
}

// An image is a picture for models that see.
type image struct {
	mimeType string
	data     []byte
}

// WithImage returns r with a picture after what it has. It then has no structured content: see
// [Result.With].
func (r Result) WithImage(mimeType string, data []byte) Result {
	r.images = append(slices.Clip(r.images), image{mimeType, data})
	r.structured = nil
	return r
}

// AsError returns r as the result of a call that has failed: an operational error with more to read
// than its text.
func (r Result) AsError() Result {
	r.failed = true
	return r
}

// Text returns a result in prose.
func Text(s string) Result { return Result{text: s} }

// Textf returns a result in prose, formatted as by [fmt.Sprintf].
func Textf(format string, args ...any) Result { return Text(fmt.Sprintf(format, args...)) }

// Answer returns v as [JSON] does, unless there is an error already: it takes what an operation
// returns.
func Answer[T any](v T, err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	return JSON(v)
}

// JSON returns v as JSON text and as structured content, too. It must be complete: many hosts show
// their model only the structured content of a result that has any.
//
// The error is of kind [fault.Internal]: v is the program's own value.
func JSON(v any) (Result, error) {
	data, err := jsonrpc.Marshal(v)
	if err != nil {
		return Result{}, fault.New(fault.Internal, "the result cannot be encoded: %s", encodingProblem(err))
	}
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
		return "it holds a value that JSON cannot express"
	}
	return err.Error()
}

func (r Result) wire() *mcp.CallToolResult {
	res := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.text}}}
	if r.structured != nil {
		res.StructuredContent = r.structured
	} else if len(r.images) == 0 && isOtherJSON(r.text) {
		res.StructuredContent = wrapped{Result: json.RawMessage(r.text)}
	}
	for _, note := range r.notes {
		addText(res, note)
	}
	for _, i := range r.images {
		res.Content = append(res.Content, &mcp.ImageContent{MIMEType: i.mimeType, Data: i.data})
	}
	res.IsError = r.failed
	return res
}

// A wrapped is the structured content of a result whose text is JSON, but no object. Some clients
// parse such a text themselves, and take the call for failed since structured content must be an
// object.
type wrapped struct {
	Result json.RawMessage `json:"result"`
	Notes  []string        `json:"notes,omitempty"`
}

// isOtherJSON reports whether a text is JSON, but no object.
func isOtherJSON(text string) bool {
	return json.Valid([]byte(text)) && !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
}
