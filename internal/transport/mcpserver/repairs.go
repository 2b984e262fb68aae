package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
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
func withValidData(err error) error {
	if we, ok := errors.AsType[*sdkrpc.Error](err); ok && len(we.Data) > 0 && !json.Valid(we.Data) {
		return &sdkrpc.Error{Code: we.Code, Message: we.Message}
	}
	return err
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
		return &sdkrpc.Error{Code: sdkrpc.CodeInvalidParams, Message: "Invalid params: they do not fit " + req.Method}
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
