package lua_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui/lua"
)

// A file that fails while it is run again leaves the old code intact.
func TestFailedReloadChangesNothing(t *testing.T) {
	vm, dir := newVM(t)
	vm.Define("mcp", map[string]any{"type": "MCP"})
	file := write(t, filepath.Join(dir, "apps/c/app.lua"), `Base = session:prototype("Base", {})
Contact = session:prototype("Contact", {name = "n", old = 1})
function Contact:label() return "v1" end
function mcp:menu() return "v1" end
helper = function() return "v1" end
if not session.reloading then ann = Contact:new({old = 5}) end`)
	if _, err := vm.Load(file, false); err != nil {
		t.Fatal(err)
	}
	good := testkit.Read(t, dir, "apps/c/app.lua")
	const check = `assert(Contact:label() == "v1" and ann:label() == "v1" and mcp:menu() == "v1" and helper() == "v1")
assert(ann.old == 5 and ann.name == "n" and rawget(Contact, "old") == 1 and rawget(Contact, "added") == nil)
assert(extra == nil and Fresh == nil and session.extra == nil and rawget(Contact, "mutate") == nil)
assert(getmetatable(Contact) ~= Base and not session.reloading and mutated == nil)`
	run(t, vm, check)
	for name, bad := range map[string]string{
		"runtime": `Contact = session:prototype("Contact", {name = "changed", added = 2}, Base)
function Contact:label() return "v2" end
function Contact:mutate() mutated = true end
function mcp:menu() return "v2" end
Fresh = session:prototype("Fresh", {})
helper, extra, session.extra, string.nothing = nil, 1, 1, nil
session:removePrototype("Base")
require("c.part")
error("late")`,
		"syntax":   `helper = nil function`,
		"deadline": "helper = nil error(setmetatable({}, {__tostring = function() return 'object' end}))",
	} {
		write(t, filepath.Join(dir, "apps/c/part.lua"), "extra = 2 return {}")
		write(t, file, bad)
		if _, err := vm.Load(file, true); err == nil {
			t.Fatalf("%s: no error", name)
		}
		run(t, vm, check)
		if vm.Loaded(filepath.Join(dir, "apps/c/part.lua")) {
			t.Errorf("%s: what only the failed file has required counts as loaded", name)
		}
		run(t, vm, `assert(session:prototype("Base") == Base and package.loaded["c.part"] == nil)`)
	}
	write(t, file, strings.ReplaceAll(good, "v1", "v2"))
	if _, err := vm.Load(file, true); err != nil {
		t.Fatal(err)
	}
	run(t, vm, `assert(ann:label() == "v2" and helper() == "v2" and mcp:menu() == "v2" and ann.old == 5)`)
}

func TestMutate(t *testing.T) {
	vm, dir := newVM(t)
	file := write(t, filepath.Join(dir, "a.lua"), `Animal = session:prototype("Animal", {name = "", legs = 4, f = function() return 1 end})
Dog = session:prototype("Dog", {tricks = {}}, Animal)
if not session.reloading then
  cat, dog = Animal:new({name = "Tom", legs = 3}), session:create(Dog, {name = "Rex", legs = 2})
end`)
	if _, err := vm.Load(file, false); err != nil {
		t.Fatal(err)
	}
	// Renamed: name to title; removed: legs. Nothing is left of either, for heirs, too.
	write(t, file, `Animal = session:prototype("Animal", {title = "none", color = EMPTY, f = function() return 2 end})
Dog = session:prototype("Dog", {tricks = {}}, Animal)
function Animal:mutate()
  count = (count or 0) + 1
  if rawget(self, "name") then self.title = self.name end
  self.had = self.legs
  if self.name == "Rex" then error("bad dog") end
end`)
	_, err := vm.Load(file, true)
	if err == nil || !strings.Contains(lua.Message(err), "a.lua:7: bad dog") {
		t.Errorf("the error of mutate: %v", err)
	}
	run(t, vm, `assert(count == 2, count)
for _, o in ipairs({cat, dog}) do assert(o.color == nil and o.f() == 2) end
assert(cat.title == "Tom" and cat.had == 3 and cat.name == nil and cat.legs == nil and Animal.name == nil and Animal.legs == nil)
assert(dog.title == "none" and dog.had == nil and dog.name == "Rex" and dog.legs == 2, "it is as it was")
bird = Animal:new({title = "Tweety"})`)
	// The same again: no field changes, redefined methods do not count, and what has failed is
	// tried again.
	if _, err := vm.Load(file, true); err == nil {
		t.Error("the same file again: no error")
	}
	run(t, vm, `assert(count == 3) Animal.mutate = function(self) count = count + 1 self.title, self.had = self.name, self.legs end`)
	file2 := write(t, filepath.Join(dir, "b.lua"), "")
	for range 2 {
		if _, err := vm.Load(file2, true); err != nil {
			t.Errorf("when mutate works: %v", err)
		}
	}
	run(t, vm, `assert(count == 4 and dog.title == "Rex" and dog.had == 2 and dog.name == nil and dog.legs == nil and bird.title == "Tweety")`)
}

// What mutate has done before it fails is undone in the tables of the object, too: it runs again.
func TestMutateFailsHalfway(t *testing.T) {
	vm, dir := newVM(t)
	file := write(t, filepath.Join(dir, "a.lua"), `Bill = session:prototype("Bill", {euros = EMPTY})
if not session.reloading then
  bills = {}
  for i = 1, 2 do bills[i] = session:create(Bill, {euros = {1, 2, more = {3, type = 'net'}}, next = bills[1]}) end
  bills[1].euros.more.up = bills[1].euros
end`)
	if _, err := vm.Load(file, false); err != nil {
		t.Fatal(err)
	}
	mutate := `Bill = session:prototype("Bill", {cents = EMPTY})
function Bill:mutate()
  local e = self.euros
  e[1], e[2], e.more[1], e.new, e.more.gone = e[1] * 100, e[2] * 100, e.more[1] * 100, {}, 1
  FAIL self.cents = e
end`
	write(t, file, strings.ReplaceAll(mutate, "FAIL", "error('halfway')"))
	if _, err := vm.Load(file, true); err == nil {
		t.Error("no error of mutate")
	}
	run(t, vm, `for _, b in ipairs(bills) do
  local e = b.euros
  assert(e[1] == 1 and e[2] == 2 and e.more[1] == 3 and e.new == nil and e.more.gone == nil, "it is as it was")
end`)
	write(t, file, strings.ReplaceAll(mutate, "FAIL", ""))
	if _, err := vm.Load(file, true); err != nil {
		t.Fatal(err)
	}
	run(t, vm, `for _, b in ipairs(bills) do assert(b.cents[1] == 100 and b.cents.more[1] == 300 and b.euros == nil) end`)
}

func TestRemovePrototype(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `A = session:prototype("A", {x = 1}) B = session:prototype("B", {}, A) C = session:prototype("A.Item", {}) D = session:prototype("D", {})
session:removePrototype("A") assert(session:prototype("A", {x = 2}) ~= A and session:prototype("B") == B)
A = session:prototype("A") E = session:prototype("E", {}, A)
session:removePrototype("A", true)
assert(session:prototype("A.Item", {}) ~= C and session:prototype("E", {}) ~= E and session:prototype("D") == D)
session:removePrototype("none", true)`)
}

func TestModules(t *testing.T) {
	vm, dir := newVM(t)
	app := filepath.Join(dir, "apps/shop")
	mod := write(t, filepath.Join(app, "mod.lua"), "runs = (runs or 0) + 1 M = session:prototype('M', {}) return {v = runs, reloading = session.reloading}")
	write(t, filepath.Join(app, "x.lua"), "local y = require('shop.y') return {name = 'x', y = y}")
	write(t, filepath.Join(app, "y.lua"), "local x = require('shop.x') return {x = x}")
	bad := write(t, filepath.Join(app, "bad.lua"), "error('broken')")
	write(t, filepath.Join(dir, "lua/order.lua"), "return 'lua'")
	write(t, filepath.Join(dir, "order.lua"), "return 'dir'")
	write(t, filepath.Join(dir, "apps/order.lua"), "return 'apps'")
	if err := os.Symlink(app, filepath.Join(dir, "lua/linked")); err != nil {
		t.Skip(err)
	}
	run(t, vm, `local m = require("shop.mod")
assert(m == require("apps.shop.mod") and m == require("linked.mod") and runs == 1, "one file, one module")
assert(package.loaded["apps/shop/mod.lua"] == m)
assert(require("shop.x").y.x == true, "circular: what is being loaded is true")
assert(require("order") == "lua")
assert(not pcall(require, "shop.bad") and package.loaded["shop.bad"] == nil and package.loaded["apps/shop/bad.lua"] == nil)`)
	write(t, bad, "return 'fixed'")
	run(t, vm, `assert(require("shop.bad") == "fixed")`)
	for _, name := range []string{mod, filepath.Join(dir, "lua/linked/mod.lua")} {
		if !vm.Loaded(name) {
			t.Errorf("%s does not count as loaded", name)
		}
	}
	write(t, filepath.Join(app, "first.lua"), "return session.reloading")
	write(t, mod, "first = require('shop.first') return {v = 'new', reloading = session.reloading}")
	if _, err := vm.Load(mod, true); err != nil {
		t.Fatal(err)
	}
	run(t, vm, `for _, n in ipairs({"shop.mod", "apps.shop.mod", "linked.mod"}) do assert(require(n).v == "new" and require(n).reloading) end
assert(first == false, "a module that is loaded for the first time is not reloading")
assert(session:unloadModule("apps/shop/mod.lua") and not session:unloadModule("apps/shop/mod.lua") and not session:unloadModule("no/such"))
assert(session:prototype("M", {}) ~= M, "the prototype is forgotten with its file")
assert(package.loaded["shop.mod"] == nil and session:unloadModule("shop.bad"))
assert(session:unloadDirectory("apps/shop") == 3 and session:unloadDirectory("apps/shop/") == 0)
assert(require("order") == "lua")`)
	if vm.Loaded(mod) {
		t.Error("an unloaded file counts as loaded")
	}
	write(t, mod, "")
	run(t, vm, `assert(require("shop.mod") == true)`)
}

// An instance that mutate creates does not prevent the migration of others.
func TestMutateReachesEveryInstance(t *testing.T) {
	vm, dir := newVM(t)
	const base = `P = session:prototype("P", {a = 1%s})
function P:mutate() if self.held then mutated = mutated + 1 end if self.makes then for i = 1, 70 do P:new() end end end
`
	file := write(t, filepath.Join(dir, "lua", "p.lua"), fmt.Sprintf(base, ""))
	run(t, vm, "mutated, held = 0, {}")
	if _, err := vm.Load(file, false); err != nil {
		t.Fatal(err)
	}
	// Some are dropped in between, so that there is something to compact.
	run(t, vm, "for i = 1, 63 do local p = P:new({makes = i == 41, held = true}) if i % 2 == 1 then held[#held + 1] = p end end n = #held")
	runtime.GC()
	write(t, file, fmt.Sprintf(base, ", b = 2"))
	if _, err := vm.Load(file, true); err != nil {
		t.Fatal(err)
	}
	if got := string(vm.JSON(run(t, vm, "return mutated >= n"), 100)); got != "true" {
		t.Errorf("mutate was called %s times for %s instances", vm.JSON(vm.Global("mutated"), 100), vm.JSON(vm.Global("n"), 100))
	}
}
