package e2e

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The server reports each of an agent's mistakes with its location, and keeps running.
func TestMistakesInApps(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"), "--lua-timeout", "1s")
	s.ok("ui_start", nil)
	run := func(code string) map[string]any { return map[string]any{"code": code} }
	show := func(name string) map[string]any { return map[string]any{"name": name} }

	s.fails("ui_run:1: ", "ui_run", run("x = = 1"))
	s.fails("ui_run:2: boom", "ui_run", run("\nerror('boom')"))
	s.fails("attempt to index", "ui_run", run("local a; a.b = 1"))
	s.fails("ui_run:1: stopped after 1s", "ui_run", run("while true do end"))
	s.fails("os.exit is not available", "ui_run", run("os.exit(3)"))
	if got := s.run("local t = {} t.me = t return t"); got != `{"me":{"$ref":1}}` {
		t.Errorf("a cycle is %s", got)
	}
	if got := s.run("return print"); got != `{"non-json":"function"}` {
		t.Errorf("a function is %s", got)
	}
	s.run("io.write('to the log\\n') io.stdout:write('and this\\n') print('and that')")
	if got := s.read("log/lua.log"); got != "to the log\nand this\nand that\n" {
		t.Errorf("lua.log = %q", got)
	}

	s.fails(`no app "none": there is no lua/none.lua and no apps/none/app.lua`, "ui_display", show("none"))
	s.write("apps/broken/app.lua", "\n\nbroken = = 1\n")
	s.fails("apps/broken/app.lua:3: ", "ui_display", show("broken"))
	s.write("apps/broken/app.lua", "local x = nil\nlocal y = x.field\n")
	s.fails("apps/broken/app.lua:2: attempt to index", "ui_display", show("broken"))
	s.write("apps/broken/app.lua", "Broken = session:prototype('Broken', {})\n")
	s.fails("apps/broken/app.lua ran, but set no global broken", "ui_display", show("broken"))
	s.write("apps/broken/app.lua", "broken = {}\n")
	s.fails("has no type", "ui_display", show("broken"))
	s.run("broken = nil")
	s.write("apps/broken/app.lua", "Broken = session:prototype('Broken', {})\nbroken = Broken:new()\n")
	s.fails("write apps/broken/viewdefs/Broken.DEFAULT.html", "ui_display", show("broken"))
	s.write("apps/broken/viewdefs/Broken.DEFAULT.html", "\n{\"this\": \"is no HTML\"}\n")
	s.fails("apps/broken/viewdefs/Broken.DEFAULT.html:2: text outside of the <template>", "ui_display", show("broken"))
	s.write("apps/broken/viewdefs/Broken.DEFAULT.html", "<template>\n<p ui-value=\"a b\"></p></template>")
	s.fails(`apps/broken/viewdefs/Broken.DEFAULT.html:2: ui-value: path "a b"`, "ui_display", show("broken"))
	s.write("apps/broken/viewdefs/Broken.DEFAULT.html", "<template>\n<p ui-value=\"label()\"></p></template>")
	if got := s.ok("ui_display", show("broken")); !strings.Contains(got, `apps/broken/viewdefs/Broken.DEFAULT.html:2: ui-value="label()": Broken has no method label`) {
		t.Errorf("ui_display of an app with a wrong binding says %q", got)
	}
	s.write("apps/broken/app.lua", "Broken = session:prototype('Broken', {})\nfunction Broken:label() return 'fine' end\n")
	if got := s.ok("ui_display", show("broken")); strings.Contains(got, "problem") {
		t.Errorf("after fixing it: %q", got)
	}

	for _, tt := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"ui_frobnicate", nil, "ui_frobnicate"},
		{"ui_run", nil, "code"},
		{"ui_run", map[string]any{"code": []any{1}}, "must be a string"},
		{"ui_run", map[string]any{"code": "return 1", "more": 1}, "more"},
		{"ui_display", map[string]any{"name": []any{1}}, "name"},
		{"ui_display", show("../../etc/passwd"), "cannot be the name of an app"},
		{"ui_run", map[string]any{"code": "return 1", "sessionId": "no/such"}, "cannot be the name of a session"},
	} {
		_, err := s.mcp.CallTool(t.Context(), &mcp.CallToolParams{Name: tt.tool, Arguments: tt.args})
		var rpc *jsonrpc.Error
		if !errors.As(err, &rpc) || rpc.Code != jsonrpc.CodeInvalidParams || !strings.Contains(rpc.Message, tt.want) {
			t.Errorf("%s(%v): %v, want -32602 with %q", tt.tool, tt.args, err, tt.want)
		}
	}
	if got := s.run("return 1 + 1"); got != "2" {
		t.Errorf("after all that, 1 + 1 is %s", got)
	}
}

// An error at start is reported in one sentence.
func TestCannotStart(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, err := net.SplitHostPort(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"serve", "--dir", filepath.Join(t.TempDir(), "ui"), "--port", port, "--mcp-port", "0"}, "port " + port + " is in use"},
		{[]string{"serve", "--dir", filepath.Join(t.TempDir(), "ui"), "--port", "0", "--mcp-port", port}, "port " + port + " is in use"},
		{[]string{"mcp", "--dir", filepath.Join(file, "ui")}, filepath.Join(file, "ui")},
		{[]string{"serve", "--dir", file}, file},
		{[]string{"serve", "--port", "0", "--mcp-port", "0", "--demo", "none", "--dir", filepath.Join(t.TempDir(), "ui")}, `no app "none"`},
	} {
		cmd := exec.Command("ui-mcp", tt.args...)
		cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+t.TempDir(), "XDG_RUNTIME_DIR="+t.TempDir())
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 {
			t.Errorf("ui-mcp %q: %v, want exit status 1", tt.args, err)
		}
		if stdout.Len() > 0 || !strings.Contains(stderr.String(), tt.want) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("ui-mcp %q says %q on standard output and %q, want one line with %q", tt.args, stdout.String(), stderr.String(), tt.want)
		}
	}
}
