//go:build linux || darwin

package e2e

import (
	"encoding/json"
	"testing"
)

// Each parameter of each tool is described, and all toolsets together stay small: every client pays
// for the list in every conversation.
func TestAllDeclarations(t *testing.T) {
	t.Parallel()
	agent := startAllToolsets(t, t.TempDir(), "p")
	list, err := agent.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	const budget = 28 << 10
	if len(data) > budget {
		t.Errorf("the tools have %d bytes, the budget is %d", len(data), budget)
	}
	t.Logf("%d tools with %d bytes", len(list.Tools), len(data))
	var tools []struct {
		Name        string
		InputSchema struct {
			Properties map[string]struct{ Description string }
		}
	}
	if err := json.Unmarshal(data, &tools); err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		for name, p := range tool.InputSchema.Properties {
			if p.Description == "" {
				t.Errorf("%s: the parameter %s is not described", tool.Name, name)
			}
		}
	}
}
