package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/transport/jsonrpc"
)

// This package corrects shortcomings of the SDK, which docs/rough-edges.md lists. Tests in
// sdk_facts_test.go fail when an upgrade makes a correction unnecessary.

// hasCode reports whether err will reach the client with an error code.
func hasCode(err error) bool {
	we, ok := errors.AsType[*sdkrpc.Error](err)
	return ok && we.Code != 0
}

// withValidData returns an error whose data is JSON or left out. The SDK puts the URI of an unknown
// resource in Go's quotes, which are not JSON's when it holds control characters.
func withValidData(err error, req mcp.Request) error {
	we, ok := errors.AsType[*sdkrpc.Error](err)
	if !ok || len(we.Data) == 0 || json.Valid(we.Data) {
		return err
	}
	fixed := &sdkrpc.Error{Code: we.Code, Message: we.Message}
	if read, ok := req.GetParams().(*mcp.ReadResourceParams); ok {
		if data, err := jsonrpc.Marshal(map[string]string{"uri": read.URI}); err == nil {
			fixed.Data = data
		}
	}
	return fixed
}

// The starts of the SDK's error texts that clients should not see.
const (
	sdkUnknownMethod = "JSON RPC not handled" // it then names the method
	sdkNoParams      = `invalid request: missing required "params"`
	sdkHandling      = "handling '" // it then quotes the params and names the Go type that they do not fit
)

// presentable replaces errors that the SDK makes before any handler is called: some have no code,
// which JSON-RPC does not allow, and some name Go types. All transports use it, so that clients get
// the same error over each. req is the request that err answers, or nil when it is not known.
func presentable(req *sdkrpc.Request, err error) error {
	text := err.Error()
	switch {
	case req == nil:
	case strings.HasPrefix(text, sdkUnknownMethod):
		return &sdkrpc.Error{Code: sdkrpc.CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", req.Method)}
	case text == sdkNoParams:
		return &sdkrpc.Error{Code: sdkrpc.CodeInvalidParams, Message: "Invalid params: " + req.Method + " needs \"params\""}
	case strings.HasPrefix(text, sdkHandling):
		return &sdkrpc.Error{Code: sdkrpc.CodeInvalidParams, Message: "Invalid params: " + paramsProblem(req)}
	}
	switch {
	case hasCode(err):
		return err
	case req != nil && req.Method == "initialize":
		return &sdkrpc.Error{Code: sdkrpc.CodeInvalidParams, Message: text}
	}
	return &sdkrpc.Error{
		Code:    sdkrpc.CodeInvalidRequest,
		Message: text + `: send "initialize" first, or name the protocol version in params._meta`,
	}
}

// paramsProblem says why the params of a request cannot be decoded.
func paramsProblem(req *sdkrpc.Request) string {
	if newParams, ok := paramsOf[req.Method]; ok {
		te, ok := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(req.Params, newParams()))
		if ok && te.Field != "" {
			return fmt.Sprintf("%q must be %s", te.Field, jsonrpc.Article(jsonType(te.Type)))
		}
	}
	return "they do not fit " + req.Method
}

// paramsOf returns the type of the params of each method that clients call. Wrong params of other
// methods get a shorter error.
var paramsOf = map[string]func() any{
	"initialize":               func() any { return new(mcp.InitializeParams) },
	"server/discover":          func() any { return new(mcp.DiscoverParams) },
	"ping":                     func() any { return new(mcp.PingParams) },
	"tools/list":               func() any { return new(mcp.ListToolsParams) },
	"tools/call":               func() any { return new(mcp.CallToolParamsRaw) },
	"resources/list":           func() any { return new(mcp.ListResourcesParams) },
	"resources/templates/list": func() any { return new(mcp.ListResourceTemplatesParams) },
	"resources/read":           func() any { return new(mcp.ReadResourceParams) },
	"resources/subscribe":      func() any { return new(mcp.SubscribeParams) },
	"resources/unsubscribe":    func() any { return new(mcp.UnsubscribeParams) },
	"subscriptions/listen":     func() any { return new(mcp.SubscriptionsListenParams) },
	"prompts/list":             func() any { return new(mcp.ListPromptsParams) },
	"prompts/get":              func() any { return new(mcp.GetPromptParams) },
	"completion/complete":      func() any { return new(mcp.CompleteParams) },
}

func jsonType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Map, reflect.Struct, reflect.Pointer:
		return "object"
	}
	return "number"
}
