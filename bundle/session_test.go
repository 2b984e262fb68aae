package bundle_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A session runs main.lua before the table mcp exists, and mcp.lua after.
func TestLoadingOrder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// The watcher also notices the new files, and may run them again.
	w.write("lua/main.lua", `if not session.reloading then order = { "main " .. type(mcp) } end`)
	w.write("lua/mcp.lua", `if not session.reloading then table.insert(order, "mcp " .. type(mcp.pushState)) end
		function mcp:extra() return "extra" end`)
	if got, want := w.text("fresh", `return table.concat(order, ", ") .. ", " .. mcp:extra()`), "main nil, mcp function, extra"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Lua and the agent get the same status of the server.
func TestStatusInLua(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var inLua, byTool map[string]any
	if err := json.Unmarshal([]byte(w.run("1", `return mcp:status()`)), &inLua); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(w.ok("ui_status", nil)), &byTool); err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"state", "version", "base_dir", "url", "sessions"} {
		if inLua[field] == nil || inLua[field] != byTool[field] {
			t.Errorf("%s: mcp:status() has %v, ui_status has %v", field, inLua[field], byTool[field])
		}
	}
	if byTool["state"] != "running" || byTool["base_dir"] != w.dir || byTool["url"] != w.url {
		t.Errorf("status %v", byTool)
	}
}

func TestDisplayInLua(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const code = `
		local before = mcp.value
		local yes = mcp:display("contacts")
		local no, why = mcp:display("nobody")
		return { before == nil, yes, no == nil, why, mcp.value == contacts }`
	var got []any
	if err := json.Unmarshal([]byte(w.run("1", code)), &got); err != nil {
		t.Fatal(err)
	}
	if why, _ := got[3].(string); !strings.Contains(why, `no app "nobody"`) {
		t.Errorf("the error is %q", why)
	}
	got[3] = nil
	if diff := cmp.Diff([]any{true, true, true, nil, true}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
