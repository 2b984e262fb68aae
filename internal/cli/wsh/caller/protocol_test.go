package caller

import (
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
)

func TestAnotherProtocol(t *testing.T) {
	if err := checkProtocol("x", terminals.ServerInfo{Version: "9", Protocol: terminals.Protocol + 1}, "1"); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), `"x" has version 9`) {
		t.Errorf("another protocol: %v", err)
	}
}
