package bundle_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit"
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

// Files of html/ are served at the agent's port, too.
func TestFilesAtAgentsPort(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write("html/pictures/a.txt", "a picture")
	for path, want := range map[string]string{
		"/pictures/a.txt": "200 a picture", "/pictures/b.txt": "404", "/pictures": "404", "/../mcp-port": "404",
	} {
		res, err := http.Get(testkit.AgentURL(t, w.dir) + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		_ = res.Body.Close()
		got := strconv.Itoa(res.StatusCode)
		if res.StatusCode == http.StatusOK {
			got += " " + string(body)
		}
		if err != nil || got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// The list of variables has the fields that tools for such apps read.
func TestFieldsOfVariables(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.display("1", "contacts")
	res, err := http.Get(w.url + "/1/variables.json")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var list []struct {
		Path, Access, ComputeTime, MaxComputeTime string
		Active                                    bool
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, v := range list {
		found[v.Path+" "+v.Access] = true
		if !v.Active || (v.ComputeTime == "") != (v.MaxComputeTime == "") {
			t.Errorf("%+v", v)
		}
	}
	for _, want := range []string{"newName rw", "add() action", "summary() r"} {
		if !found[want] {
			t.Errorf("no variable %s", want)
		}
	}
}
