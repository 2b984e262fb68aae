package mcpserver

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/fault"
)

// A Hint is one answer about a tool's behaviour. Its zero value is no answer.
type Hint uint8

const (
	_ Hint = iota
	Yes
	No
)

// Hints say what a tool may do. Clients decide by them whether to ask the
// person first, and assume the worst of what is not said; so all four must be
// answered.
type Hints struct {
	ReadOnly    Hint // it changes nothing
	Destructive Hint // it may overwrite or delete, not only add
	Idempotent  Hint // calling it again with the same arguments changes nothing more
	OpenWorld   Hint // it touches things outside the app and this machine
}

func (h Hints) annotations(title string) (*mcp.ToolAnnotations, error) {
	if h.ReadOnly == 0 || h.Destructive == 0 || h.Idempotent == 0 || h.OpenWorld == 0 {
		return nil, fmt.Errorf("all four hints must be answered, got %+v", h)
	}
	destructive, open := h.Destructive == Yes, h.OpenWorld == Yes
	return &mcp.ToolAnnotations{
		Title:           title,
		ReadOnlyHint:    h.ReadOnly == Yes,
		DestructiveHint: &destructive,
		IdempotentHint:  h.Idempotent == Yes,
		OpenWorldHint:   &open,
	}, nil
}

// A Tool is what a model is told about a tool. What it is told about the
// arguments is in the tags of the handler's input type.
type Tool struct {
	Name        string
	Title       string // for people
	Description string // for the model: what, when, what comes back
	Hints       Hints
	Meta        map[string]any // extensions, such as the view of an MCP App
}

// AddTool registers a tool whose handler speaks only domain types.
//
// In is a struct; its json and jsonschema tags make the input schema, and
// fields without omitempty are required. Arguments that do not fit are answered
// with JSON-RPC "invalid params", naming the argument, and the handler is not
// called. How the handler's errors reach the client depends on their
// [fault.Kind] alone.
//
// AddTool panics on a tool that is declared wrongly, so that no program with
// one starts.
func AddTool[In any](s *mcp.Server, t Tool, h func(context.Context, In) (Result, error)) {
	notes, err := t.Hints.annotations(t.Title)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", t.Name, err))
	}
	in, err := newInput[In](t.Name)
	if err != nil {
		panic(fmt.Sprintf("tool %s: %v", t.Name, err))
	}
	s.AddTool(&mcp.Tool{
		Name:        t.Name,
		Title:       t.Title,
		Description: t.Description,
		InputSchema: in.wire,
		Annotations: notes,
		Meta:        t.Meta,
	}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args In
		if err := in.decode(req.Params.Arguments, &args); err != nil {
			return nil, wireError(err)
		}
		res, err := h(ctx, args)
		switch {
		case err == nil:
			return res.wire(), nil
		case operational(fault.KindOf(err)):
			failed := &mcp.CallToolResult{}
			failed.SetError(err)
			return failed, nil
		}
		return nil, err // contain gives it a code
	})
}
