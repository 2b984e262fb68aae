package app

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/events"
	"ui-mcp/internal/ui"
)

// The global mcp of a check has what the one of a session has.
func TestCheckHasTheSameTable(t *testing.T) {
	const names = `local list = {}
for name, v in pairs(mcp) do list[#list + 1] = name .. " " .. type(v) end
for name, v in pairs(mcp.chat) do if type(v) == "boolean" then list[#list + 1] = "chat." .. name end end
table.sort(list)
return list`
	a := &App{opts: Options{Chat: noChat{}, Views: func() int { return 0 }, Log: slog.New(slog.DiscardHandler)}}
	r := &running{dir: t.TempDir(), queues: map[string]*events.Queue{}, bridges: map[string]*ui.Bridge{}}
	r.ctx, r.cancel = context.WithCancel(t.Context())
	defer r.cancel()
	var lists []string
	for _, setUp := range []func(*ui.Bridge) error{
		func(b *ui.Bridge) error { return a.setUp(r, b) },
		trialSetUp(r.dir, "1.0"),
	} {
		engine, err := ui.NewEngine(ui.Options{Dir: r.dir, LuaTimeout: time.Minute, Log: slog.New(slog.DiscardHandler), Setup: setUp, Announce: func(ui.Announcement) {}})
		if err != nil {
			t.Fatal(err)
		}
		defer engine.Close()
		s, err := engine.Open(t.Context(), "1")
		if err != nil {
			t.Fatal(err)
		}
		err = s.Do(t.Context(), func(tx *ui.Tx) error {
			list, err := tx.Run(names)
			lists = append(lists, string(list))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if lists[0] != lists[1] || !json.Valid([]byte(lists[0])) || !strings.Contains(lists[0], "pushState") {
		t.Errorf("a session has\n%s, a check\n%s", lists[0], lists[1])
	}
}

// An app that tries to have effects has none while it is checked: when it is loaded, in its
// bindings and in its actions.
func TestCheckHasNoEffects(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, outside)
	}
	kept := filepath.Join(outside, "kept")
	write := func(file, content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(kept, "kept")
	effects := fmt.Sprintf(`
local out = %q
local function effects()
    for _, mode in ipairs({ "w", "a", "r+", "w+", "a+", "wb" }) do
        pcall(function() local f = io.open(out .. "/" .. (mode == "r+" and "kept" or "new-" .. mode), mode); f:write("x"); f:close() end)
    end
    pcall(function() io.output(out .. "/output"); io.write("x") end)
    pcall(function() local f = io.tmpfile(); f:write("x") end)
    pcall(os.remove, out .. "/kept")
    pcall(os.rename, out .. "/kept", out .. "/renamed")
    pcall(function() local f = io.open(os.tmpname(), "w"); f:write("x"); f:close() end)
    pcall(os.execute, "touch " .. out .. "/executed")
    pcall(function() io.popen("touch " .. out .. "/popen"):close() end)
    pcall(os.setenv, "UI_MCP_CHECKED", "yes")
    pcall(function() session:exec({ "touch", out .. "/exec" }, function() end) end)
    pcall(function() session:http("http://127.0.0.1:1/", function() end) end)
    pcall(function() terminal.create({ command = { "touch", out .. "/terminal" } }) end)
    pcall(function() mcp:ask({ title = "x", message = "x" }, function() end) end)
    pcall(function() mcp.pushState({ event = "x" }) end)
    pcall(function() mcp:message("x") end)
    pcall(function() mcp:display("x") end)
    print("x")
    io.stderr:write("x")
end
`, outside)
	write(filepath.Join(dir, "apps", "bad", "app.lua"), effects+`
Bad = session:prototype("Bad", { n = 0 })
function Bad:act() self.n = self.n + 1; effects() end
function Bad:read() effects() return self.n end
effects()
if not session.reloading then bad = Bad:new() end
mcp:keep("bad", bad)
`)
	write(filepath.Join(dir, "apps", "bad", "viewdefs", "Bad.DEFAULT.html"), `<template><p><button ui-action="act()">Act</button><b ui-value="read()"></b></p></template>`)
	before := listing(t, dir, outside)
	found, err := Check(t.Context(), dir, "1.0", "bad", nil)
	if err != nil || len(found.Findings) > 0 {
		t.Errorf("findings %v, error %v", found, err)
	}
	if after := listing(t, dir, outside); !slices.Equal(before, after) {
		t.Errorf("before the check there were\n%s\nand then\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
	}
	if os.Getenv("UI_MCP_CHECKED") != "" {
		t.Error("the environment has changed")
	}
}

// listing lists the files of folders with their contents.
func listing(t *testing.T, folders ...string) (list []string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(path)
			list = append(list, path+": "+string(content))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// What fails only since an effect was withheld is no finding, and what comes after it neither.
func TestCheckBlamesNoWithheldEffect(t *testing.T) {
	for name, code := range map[string]string{
		"program":       `local f = assert(io.popen("echo 1")); self.n = tonumber(f:read("*a")) + 1`,
		"status":        `if os.execute("true") ~= 0 then error("no true") end`,
		"terminal":      `terminal.create({ command = { "sh" } })`,
		"what it wrote": `local f = assert(io.open("` + filepath.ToSlash(filepath.Join(t.TempDir(), "new")) + `", "w")); f:write("1"); f:close(); self.n = assert(io.open("` + filepath.ToSlash(filepath.Join(t.TempDir(), "new")) + `")):read("*n")`,
		"in a path":     `self.bad = os.execute("true") ~= 0`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, content := range map[string]string{
				"app.lua": `
T = session:prototype("T", { n = 0, bad = false })
function T:act() ` + code + ` end
function T:read() if self.bad then error("bad") end return self.n end
if not session.reloading then t = T:new() end`,
				"viewdefs/T.DEFAULT.html": `<template><p><button ui-action="act()">Act</button><b ui-value="read()"></b></p></template>`,
			} {
				path := filepath.Join(dir, "apps", "t", filepath.FromSlash(file))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if found, err := Check(t.Context(), dir, "1.0", "t", nil); err != nil || len(found.Findings) > 0 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
}
