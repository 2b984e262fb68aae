package mcpserver

import (
	"fmt"
	"testing"

	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The SDK wraps an error with a code in what is wrong, which has to stay.
func TestErrorsStayWrapped(t *testing.T) {
	err := fmt.Errorf("%w: missing required 'notifications' field", &sdkrpc.Error{Code: sdkrpc.CodeInvalidParams, Message: "invalid params"})
	if got := withValidData(err); got != err {
		t.Errorf("%v", got)
	}
}
