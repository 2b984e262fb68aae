package lua_test

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/ui/lua"
)

func newVM(t *testing.T) (*lua.VM, string) {
	t.Helper()
	dir := t.TempDir()
	vm := lua.New(lua.Options{Dir: dir, Timeout: wait.Patience, Log: slog.New(slog.DiscardHandler)})
	disarm := vm.Arm()
	t.Cleanup(func() { disarm(); vm.Close() })
	return vm, dir
}

// limited returns a VM whose code may run for so long at a time.
func limited(t testing.TB, timeout time.Duration) *lua.VM {
	vm := lua.New(lua.Options{Dir: t.TempDir(), Timeout: timeout, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(vm.Close)
	return vm
}

func run(t *testing.T, vm *lua.VM, code string) lua.Value {
	t.Helper()
	v, err := vm.Run("test", code)
	if err != nil {
		t.Fatalf("%s: %v", code, err)
	}
	return v
}

// prepare runs code with the VM's timeout, which is short: as often as that passes first, since the
// machine is busy.
func prepare(t *testing.T, vm *lua.VM, code string) lua.Value {
	t.Helper()
	for start := time.Now(); ; {
		disarm := vm.Arm()
		v, err := vm.Run("test", code)
		message := ""
		if err != nil {
			message = lua.Message(err)
		}
		disarm()
		if err == nil {
			return v
		}
		if !strings.Contains(message, "stopped after") || time.Since(start) > wait.Patience {
			t.Fatalf("%s: %s", code, message)
		}
	}
}

func write(t *testing.T, file, content string) string {
	t.Helper()
	testkit.Write(t, filepath.Dir(file), filepath.Base(file), content)
	return file
}

func TestJSON(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `P = session:prototype("P", {name = "default"})`)
	for code, want := range map[string]string{
		"return nil":                       "null",
		"return 1, 2":                      "1",
		"return 1.5":                       "1.5",
		"return 2^53":                      "9007199254740992",
		"return true":                      "true",
		`return "a\nb\0"`:                  `"a\nb\u0000"`,
		`return "\255"`:                    `"\ufffd"`,
		"return {}":                        "[]",
		"return {1, 'a', {true}}":          `[1,"a",[true]]`,
		"return {b = 1, a = {x = 2}}":      `{"a":{"x":2},"b":1}`,
		"return {1, 2, x = 3}":             `{"1":1,"2":2,"x":3}`,
		"return {[1] = 1, [3] = 3}":        `{"1":1,"3":3}`,
		"return {[2e8] = 1}":               `{"200000000":1}`,
		"return {a = 1, _hidden = 2}":      `{"a":1}`,
		"return {1, _hidden = 2}":          "[1]",
		"return P:new({n = 1})":            `{"type":"P","n":1,"name":"default"}`,
		"return P:new()":                   `{"type":"P","name":"default"}`,
		"local t = {}; t.me = t; return t": `{"me":{"$ref":1}}`,
		"local x = {1}; return {x, x}":     `[[1],{"$ref":2}]`,
		"return print":                     `{"non-json":"function"}`,
		"return 0/0":                       `{"non-json":"nan"}`,
		"return 1/0":                       `{"non-json":"+inf"}`,
		"return {0/0, print}":              `["NaN","function"]`,
		"return {f = print, x = 1}":        `{"x":1}`,
		"return coroutine.create(print)":   `{"non-json":"thread"}`,
		"return ('x'):rep(2000)":           `{"non-json":"` + strings.Repeat("x", 997) + `…"}`,
		"local t = {} for i = 1, 999 do t[i] = i end return t": `{"non-json":"table: more than 1 KiB of JSON; ask for a part of it"}`,
	} {
		if got := string(vm.JSON(run(t, vm, code), 1024)); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
	}
	deep := string(vm.JSON(run(t, vm, "local t = {} for i = 1, 5000 do t = {t} end return t"), 1<<20))
	if !strings.Contains(deep, "nested more than") {
		t.Errorf("deep nesting: %.100s", deep)
	}
}

func TestErrorsHaveFileAndLine(t *testing.T) {
	vm, dir := newVM(t)
	for code, want := range map[string]string{
		"\n\nerror('boom')":      "test:3: boom",
		"local x = nil\nx.y = 1": "test:2: attempt to index local 'x' (a nil value) with key 'y'",
		"x = = 1":                "test:1: ",
		"if true then":           "test:1: unexpected end",
		"error({code = 7})":      "table",
		"os.exit(1)":             "test:1: os.exit is not available",
		"io.read()":              "test:1: there is no standard input",
		"require('no.such')":     `test:1: module "no.such" not found: there is no lua/no/such.lua, no no/such.lua, no apps/no/such.lua`,
		"require('../x')":        "the name of a module is a path",
		"local function f() return f() + 1 end f()": "stack overflow",
	} {
		_, err := vm.Run("test", code)
		if err == nil || !strings.Contains(lua.Message(err), want) {
			t.Errorf("%s: %v, want %q", code, err, want)
		}
		if fault.KindOf(err) != fault.Script {
			t.Errorf("%s: kind %v", code, fault.KindOf(err))
		}
	}
	file := write(t, filepath.Join(dir, "apps/x/app.lua"), "\nlocal function inner() error('deep') end\ninner()\n")
	_, err := vm.Load(file, false)
	if want := "apps/x/app.lua:2: deep"; err == nil || lua.Message(err) != want {
		t.Errorf("Load: %v, want %q", err, want)
	}
	var se *lua.ScriptError
	if !errors.As(err, &se) || !strings.Contains(se.Trace, "apps/x/app.lua:3") {
		t.Errorf("no trace: %+v", se)
	}
	if vm.Loaded(file) {
		t.Error("a file that failed counts as loaded")
	}
	if _, err := vm.Load(filepath.Join(dir, "none.lua"), false); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestOutput(t *testing.T) {
	vm, dir := newVM(t)
	run(t, vm, `print("a", 1, nil, setmetatable({}, {__tostring = function() return "T" end}))
io.write("b", 2, "\n")
io.stdout:write("c\n"):write("d\n")
io.output():write("e\n")
io.stderr:write("oops\n")
io.stdout:flush() io.stdout:close() io.stdout:setvbuf("no")`)
	read := func(name string) string { return testkit.Read(t, dir, "log/"+name) }
	if got, want := read("lua.log"), "a\t1\tnil\tT\nb2\nc\nd\ne\n"; got != want {
		t.Errorf("lua.log = %q, want %q", got, want)
	}
	if got := read("lua-err.log"); got != "oops\n" {
		t.Errorf("lua-err.log = %q", got)
	}
	// Rotation from outside: the next line starts a new file.
	if err := os.Rename(filepath.Join(dir, "log", "lua.log"), filepath.Join(dir, "log", "old.log")); err != nil {
		t.Fatal(err)
	}
	run(t, vm, `print("after")`)
	if got := read("lua.log"); got != "after\n" {
		t.Errorf("after rotation: %q", got)
	}
	out := filepath.Join(dir, "own.txt")
	run(t, vm, `io.output("`+filepath.ToSlash(out)+`") io.write("x") io.output():close() io.output(io.stdout) io.write("y\n")`)
	if got := testkit.Read(t, dir, "own.txt"); got != "x" {
		t.Errorf("io.output(file): %q", got)
	}
}

func TestPrototypes(t *testing.T) {
	vm, dir := newVM(t)
	v1 := `Contact = session:prototype("Contact", {name = "", tags = {}, note = EMPTY, old = 1})
function Contact:label() return "v1 " .. self.name end
if not session.reloading then ann = Contact:new({name = "Ann"}) end`
	v2 := `Contact = session:prototype("Contact", {name = "", tags = {}, note = EMPTY, email = "none"})
function Contact:label() return "v2 " .. self.name end
function Contact:mutate() mutated = (mutated or 0) + 1; self.from = self.old end
if not session.reloading then ann = Contact:new({name = "Lost"}) end`
	file := write(t, filepath.Join(dir, "apps/c/app.lua"), v1)
	if _, err := vm.Load(file, false); err != nil {
		t.Fatal(err)
	}
	run(t, vm, `ann.old = 5; before = Contact
assert(ann.type == "Contact" and ann.name == "Ann" and ann.note == nil and ann:label() == "v1 Ann")`)
	// Running the same file again changes nothing, so nothing is migrated.
	if _, err := vm.Load(file, true); err != nil {
		t.Fatal(err)
	}
	write(t, file, v2)
	if _, err := vm.Load(file, true); err != nil {
		t.Fatal(err)
	}
	run(t, vm, `assert(Contact == before, "identity")
assert(ann:label() == "v2 Ann", ann:label())
assert(ann.email == "none", "a new field is inherited")
assert(mutated == 1, tostring(mutated))
assert(ann.from == 5, "mutate sees the field that goes")
assert(ann.old == nil, "a removed field is gone")
assert(not session.reloading)`)
}

func TestInheritance(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `Animal = session:prototype("Animal", {sound = "?"})
function Animal:speak() return self.sound end
Dog = session:prototype("Dog", {sound = "woof"}, Animal)
local d = Dog:new()
assert(d:speak() == "woof" and d.type == "Dog")
function Dog:new(data) local i = session:create(Dog, data) i.made = true return i end
assert(Dog:new({sound = "wau"}).made)
assert(session:prototype("Dog") == Dog)`)
}

// Instances are held weakly: those that the app drops are collected.
func TestInstancesAreCollected(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `P = session:prototype("P", {n = 0}) for i = 1, 20000 do P:new({n = i}) end`)
	runtime.GC()
	runtime.GC()
	run(t, vm, `P:new() session:prototype("P", {n = 0, m = 1}) function P:mutate() count = (count or 0) + 1 end`)
	run(t, vm, `session:prototype("P", {n = 0, m = 2})`)
	v := run(t, vm, "return count or 0")
	if got := string(vm.JSON(v, 100)); len(got) > 3 {
		t.Errorf("%s instances are still migrated", got)
	}
}

func TestRequire(t *testing.T) {
	vm, dir := newVM(t)
	write(t, filepath.Join(dir, "lua/a/b.lua"), "n = (n or 0) + 1 return {v = 'lua'}")
	write(t, filepath.Join(dir, "apps/shop/json.lua"), "return 'app'")
	write(t, filepath.Join(dir, "apps/shop/bad.lua"), "\nerror('x')")
	write(t, filepath.Join(dir, "apps/shop/none.lua"), "")
	run(t, vm, `assert(require("a.b").v == "lua" and require("a.b") == require("a.b") and n == 1)
assert(require("shop.json") == "app")
assert(require("apps.shop.json") == "app")
assert(require("shop.none") == true)
local ok, err = pcall(require, "shop.bad")
assert(not ok and err:find("apps/shop/bad.lua:2: x", 1, true), err)`)
}

func TestDefine(t *testing.T) {
	vm, _ := newVM(t)
	vm.Define("mcp", map[string]any{
		"type": "MCP",
		"f": lua.Func(func(args []lua.Value) ([]any, error) {
			return []any{float64(len(args)), map[string]any{"a": []any{1.0}}}, nil
		}),
		"e": lua.Func(func([]lua.Value) ([]any, error) { return nil, fault.New(fault.Invalid, "no such thing") }),
	})
	run(t, vm, `assert(mcp.type == "MCP")
local n, t = mcp:f(1) assert(n == 1 and t.a[1] == 1)
assert(mcp.f(1, 2) == 2)
local ok, err = pcall(mcp.e) assert(not ok and err:find("no such thing"), err)`)
}

func TestWrappers(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `W = session:prototype("W", {})
function W:new(variable) return session:create(W, {first = variable.getValue(), colon = variable:getValue()}) end
function W:sync() self.synced = self.value end
app = {Item = {new = function(self, it) return {item = it.item, index = it.index} end}}`)
	w, err := vm.Wrap("W", vm.Import("a"))
	if err != nil {
		t.Fatal(err)
	}
	if err := vm.Rewrap(w, vm.Import("b")); err != nil {
		t.Fatal(err)
	}
	if got := string(vm.JSON(w, 1000)); got != `{"type":"W","colon":"a","first":"a","synced":"b","value":"b"}` {
		t.Error(got)
	}
	item, _, err := vm.WrapItem("app.Item", vm.Import("x"), 3)
	if err != nil || string(vm.JSON(item, 1000)) != `{"index":3,"item":"x"}` {
		t.Errorf("WrapItem = %s, %v", vm.JSON(item, 1000), err)
	}
	if _, err := vm.Wrap("No.Such", nil); err == nil || !strings.Contains(err.Error(), "no type No.Such") {
		t.Errorf("an unknown type: %v", err)
	}
}

// A pass over a tree reads fields.
func BenchmarkField(b *testing.B) {
	vm := limited(b, time.Hour)
	disarm := vm.Arm()
	own, err := vm.Run("bench", `P = session:prototype("P", {inherited = 1}) return P:new({own = 2})`)
	if err != nil {
		b.Fatal(err)
	}
	disarm()
	defer vm.Reading()()
	for _, name := range []string{"own", "inherited"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := vm.Field(own, name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
