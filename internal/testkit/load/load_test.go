package load_test

import (
	"testing"

	"ui-mcp/internal/testkit/load"
)

func TestCount(t *testing.T) {
	for value, want := range map[string]int{"": 3, "1": 1000} {
		t.Setenv("UI_MCP_LOAD", value)
		if got := load.Count(3, 1000); got != want {
			t.Errorf("with UI_MCP_LOAD=%q, Count = %d, want %d", value, got, want)
		}
	}
}
