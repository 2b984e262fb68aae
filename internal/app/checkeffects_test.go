package app

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

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

// An app is checked in a session that is like any other: what fails in one is found.
func TestCheckIsAnOrdinarySession(t *testing.T) {
	const off = `{"exec": false, "http": false}`
	for name, tt := range map[string]struct{ config, code, want string }{
		"keeping ends":           {`{}`, `mcp:keep("t", self) mcp:keep("t", false) mcp:keep("t", self)`, ""},
		"what is not kept":       {`{}`, `mcp:keep("t", false)`, `"t" is not kept`},
		"a second object":        {`{}`, `mcp:keep("t", self) mcp:keep("t", T:new())`, "kept already, for another object"},
		"programs":               {`{}`, `session:exec({ "x" }, function() end)`, ""},
		"programs, switched off": {off, `session:exec({ "x" }, function() end)`, "switched off"},
		"a shell, switched off":  {off, `os.execute("x")`, "switched off"},
		"requests":               {`{}`, `session:http("http://127.0.0.1:1/", function() end)`, ""},
		"requests, switched off": {off, `session:http("http://127.0.0.1:1/", function() end)`, "switched off"},
		"terminals":              {`{}`, `terminal.create({ command = { "x" } })`, ""},
		"terminals, off":         {off, `terminal.create({ command = { "x" } })`, "switched off"},
		"a question":             {`{}`, `mcp:ask({ title = "x" }, function() error("answered") end)`, ""},
		"a question to nobody":   {`{}`, `mcp:ask({ title = "x" })`, "mcp:ask needs a question and a function"},
		"a topic":                {`{}`, `mcp:subscribe("x", function() end) if mcp:publish("x", 1) < 1 then error("nobody hears") end`, ""},
		"an event":               {`{}`, `mcp.pushState({}) if mcp.pendingEventCount() == 0 then error("no event") end`, ""},
		"the state":              {`{}`, `local s = mcp:status() if s.state ~= "running" or s.sessions < 1 then error("state " .. s.state) end`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := clickable(t, tt.code)
			if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(tt.config), 0o644); err != nil {
				t.Fatal(err)
			}
			found, err := Check(t.Context(), dir, "1.0", "t", nil)
			var text string
			for _, f := range found.Findings {
				text += f.String() + "\n"
			}
			if err != nil || (text == "") != (tt.want == "") || !strings.Contains(text, tt.want) {
				t.Errorf("found %q, %v, want %q", text, err, tt.want)
			}
		})
	}
}

// clickable returns a base directory with an app t, whose button runs code.
func clickable(t *testing.T, code string) (dir string) {
	t.Helper()
	dir = t.TempDir()
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
	return dir
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
			dir := clickable(t, code)
			if found, err := Check(t.Context(), dir, "1.0", "t", nil); err != nil || len(found.Findings) > 0 {
				t.Errorf("%v, %v", found, err)
			}
		})
	}
}
