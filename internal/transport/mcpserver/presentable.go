package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How the SDK's texts begin where they are not for clients to see. Over HTTP
// the text is all there is of an error.
const (
	sdkUnknownMethod  = "JSON RPC not handled" // it then names the method
	sdkInvalidRequest = "invalid request"      // an id or params that are missing or too much
	sdkAccept         = "Accept must contain"  // the media types that are missing
	sdkHandling       = "handling '"           // it then quotes the params and names the Go type that they do not fit
)

// presentable mends the errors that the SDK makes before any handler is
// called: some have no code, and some speak of Go types. It is the same for all
// transports, so that a client is told the same over each. req is what err
// answers; nil means that it is not known.
func presentable(req *jsonrpc.Request, err error) error {
	text := err.Error()
	switch {
	case req == nil:
	case strings.HasPrefix(text, sdkUnknownMethod):
		return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: fmt.Sprintf("method not found: %q", req.Method)}
	case strings.HasPrefix(text, sdkHandling):
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid params: " + paramsProblem(req)}
	}
	switch {
	case hasCode(err):
		return err
	case req != nil && req.Method == "initialize":
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: text}
	}
	return &jsonrpc.Error{
		Code:    jsonrpc.CodeInvalidRequest,
		Message: text + `: send "initialize" first, or name the protocol version in params._meta`,
	}
}

// paramsProblem says why the params of a request cannot be decoded.
func paramsProblem(req *jsonrpc.Request) string {
	if newParams, ok := paramsOf[req.Method]; ok {
		te, ok := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(req.Params, newParams()))
		if ok && te.Field != "" {
			return fmt.Sprintf("%q must be %s", te.Field, article(jsonType(te.Type)))
		}
	}
	return "they do not fit " + req.Method
}

// paramsOf makes what the params of a method are decoded into, for methods that
// clients call. Those of others are refused in fewer words.
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

// jsonType is the JSON type that decodes into t.
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
