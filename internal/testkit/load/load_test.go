package load_test

import (
	"flag"
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

func TestLong(t *testing.T) {
	asked := flag.Lookup("test.run").Value
	before := asked.String()
	t.Cleanup(func() {
		if err := asked.Set(before); err != nil {
			t.Error(err)
		}
	})
	for _, c := range []struct {
		name, e2e, load, run string
		left                 bool
	}{
		{name: "make test", left: true},
		{name: "make check", e2e: "1"},
		{name: "make load", load: "1"},
		{name: "make e2e", run: "^TestLong$"},
	} {
		t.Setenv("UI_MCP_E2E", c.e2e)
		t.Setenv("UI_MCP_LOAD", c.load)
		if err := asked.Set(c.run); err != nil {
			t.Fatal(err)
		}
		left := true
		t.Run(c.name, func(t *testing.T) {
			defer func() { left = t.Skipped() }()
			load.Long(t, "the case of "+c.name)
		})
		if left != c.left {
			t.Errorf("%s: left out: %t, want %t", c.name, left, c.left)
		}
	}
}
