package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/app"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
)

// world is what there is at the time of a test of a failing file.
const world = `
session.reloaded = (session.reloaded or 0) + 1
Thing = session:prototype("Thing", {n = 1, old = 2})
function Thing:label() return "old" end
Kept = session:prototype("Kept", {}, Thing)
heard, ticks = heard or {}, ticks or 0
if not session.reloading then
  thing = Thing:new()
  subscription = mcp:subscribe("cancelled", function(v) heard[#heard + 1] = "old cancelled " .. v end)
  mcp:subscribe("replaced", function(v) heard[#heard + 1] = "old replaced " .. v end)
  interval = session:setInterval(function() ticks = ticks + 1 end, 1)
  timeout = session:setTimeout(function() heard[#heard + 1] = "old timeout" end, 1)
  immediate = session:setImmediate(function() heard[#heard + 1] = "old immediate" end)
  request = session:http("http://old/", function() heard[#heard + 1] = "old http" end)
  process = session:exec({"old"}, function() heard[#heard + 1] = "old exec" end)
  require("part")
end
`

// registering is what a file may do with each function that scripts can reach, given by the path of
// the function from the globals; nothing means that the function registers nothing. A new function
// must be added, so that nobody forgets what a failing file leaves behind.
var registering = map[string]string{
	"session.prototype":         `session:prototype("Thing", {n = 5, added = 1}) function Thing:label() return "new" end session:prototype("Fresh", {})`,
	"session.create":            `Thing.mutate = function() mutated = true end session:create(Thing, {})`,
	"session.removePrototype":   `session:removePrototype("Thing", true)`,
	"session.unloadModule":      `assert(session:unloadModule("part"))`,
	"session.unloadDirectory":   `assert(session:unloadDirectory("lua") > 0)`,
	"session.createAppVariable": `session:createAppVariable({type = "Other"})`,
	"session.getApp":            ``,
	"session.setImmediate":      `session:setImmediate(function() error("new immediate") end)`,
	"session.setTimeout":        `session:setTimeout(function() error("new timeout") end, 0)`,
	"session.setInterval":       `session:setInterval(function() error("new interval") end, 1)`,
	"session.clearImmediate":    `session:clearImmediate(immediate)`,
	"session.clearTimeout":      `session:clearTimeout(timeout)`,
	"session.clearInterval":     `session:clearInterval(interval)`,
	"session.http":              `session:http("http://new/", function() error("new http") end) request.cancel()`,
	"session.exec":              `session:exec({"new"}, function() error("new exec") end) process.cancel()`,
	"mcp.subscribe":             `mcp:subscribe("replaced", function(v) error("new replaced") end) mcp:subscribe("fresh", function(v) error("fresh") end) subscription.cancel()`,
	"mcp.keep":                  `mcp:keep("new", { thing = thing })`,
	"mcp.display":               `assert(mcp:display("other"))`,
	"mcp.app":                   `assert(mcp:app("other"))`,
	"mcp.ask":                   `mcp:ask({message = "new"}, function() error("new answer") end)`,
	"mcp.pushState":             ``, // events have left the session
	"mcp.publish":               `mcp:publish("replaced", "while it fails")`,
	"mcp.message":               ``, "mcp.context": ``, "mcp.fullscreen": ``, // so has what a chat was sent
	"mcp.pollingEvents": ``, "mcp.pendingEventCount": ``, "mcp.reinjectThemes": ``, "mcp.apps": ``,
	"mcp.waitTime": ``, "mcp.renderMarkdown": ``, "mcp.status": ``,
	"ui.registerWrapper":   `ui.registerWrapper("W", {new = function() end})`,
	"ui.registerPresenter": `ui.registerPresenter("W", {new = function() end})`,
	"ui.log":               ``, "ui.json_encode": ``, "ui.json_decode": ``,
	"terminal.create": ``, "terminal.list": ``, "terminal.get": ``, // see TestFailingFileKeepsHandlers
	"require":  `package.loaded["part"] = nil require("part") require("added")`,
	"setfenv":  `setfenv(0, {})`,
	"dofile":   `dofile(DIR .. "/lua/added.lua")`,
	"loadfile": `loadfile(DIR .. "/lua/added.lua")()`,
	"setmetatable": `setmetatable(_G, {__index = function() return 1 end}) setmetatable(Thing, nil) setmetatable(mcp, nil)
		setmetatable(session, {__index = {more = 1}}) getmetatable("").__index = nil`,
	"rawset":    `rawset(_G, "extra", 1) rawset(session, "extra", 1) rawset(mcp, "extra", 1) rawset(Thing, "extra", 1) rawset(ui, "extra", 1)`,
	"io.output": `io.output(DIR .. "/lua/output.txt")`,
	"module":    `local error = error module("made")`,
	"newproxy":  ``, "coroutine.create": ``, "coroutine.resume": ``, "coroutine.running": ``, "coroutine.status": ``,
	"coroutine.wrap": ``, "coroutine.yield": ``,
	"debug.setmetatable": `debug.setmetatable("", {}) debug.setmetatable(1, {}) debug.setmetatable(print, {})`,
	"debug.setfenv":      ``, "debug.setupvalue": ``, // of functions: see setfenv
}

// plain are the libraries whose functions register nothing.
var plain = []string{"string.", "table.", "math.", "os.", "io.", "debug.", "package."}

// A file that fails while it is run again leaves the code as it was, whatever it has done before.
// Each function that a script can reach is tried.
func TestFailingFileLeavesTheCodeAsItWas(t *testing.T) {
	var answer atomic.Pointer[chan struct{}] // closed when requests and processes are to end
	h := started(t, func(o *app.Options) {
		wait := func(ctx context.Context) error {
			select {
			case <-*answer.Load():
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		o.HTTP = func(ctx context.Context, _ async.Request) (async.Response, error) {
			return async.Response{Status: 200}, wait(ctx)
		}
		o.Exec = func(ctx context.Context, _ lua.Command) (lua.Result, error) { return lua.Result{}, wait(ctx) }
		o.Ask = func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	})
	h.write("lua/part.lua", "parts = (parts or 0) + 1 return {parts}")
	h.write("lua/added.lua", "addition = 1")
	h.write("apps/other/app.lua", `other = session:prototype("Other", {}):new()`)
	h.write("apps/other/viewdefs/Other.DEFAULT.html", "<template><p></p></template>")
	h.write("apps/thing/viewdefs/Thing.DEFAULT.html", "<template><p ui-value='n'></p></template>")
	names := strings.Split(strings.Trim(h.run(functions), `"`), " ")
	if len(names) < 100 {
		t.Fatalf("the functions of scripts: %q", names)
	}
	for _, name := range names {
		code, known := registering[name]
		if !known {
			for _, prefix := range plain {
				known = known || strings.HasPrefix(name, prefix)
			}
			known = known || !strings.Contains(name, ".") // the language's own
		}
		if !known {
			t.Errorf("what does a file register with %s? Add it to this test", name)
		}
		if code != "" {
			c := make(chan struct{})
			answer.Store(&c)
			t.Run(name, func(t *testing.T) { failing(t, h, code, func() { close(c) }) })
		}
	}
	for name := range registering {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") && registering[name] != "" {
			t.Logf("there is no %s", name)
		}
	}
}

// functions lists the functions that can be reached from the globals.
const functions = `local names, seen = {}, {}
local function walk(prefix, t)
  seen[t] = true
  for k, v in pairs(t) do
    if type(k) == "string" and type(v) == "function" then names[#names + 1] = prefix .. k end
    if type(k) == "string" and type(v) == "table" and not seen[v] and k ~= "_G" and k ~= "loaded" and prefix == "" then walk(k .. ".", v) end
  end
end
walk("", _G) table.sort(names) return table.concat(names, " ")`

// failing shows that a file that runs code and then fails changes nothing.
func failing(t *testing.T, h *harness, code string, answer func()) {
	session := "s" + fmt.Sprint(len(code)) + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, t.Name())
	run := func(code string) string {
		t.Helper()
		ran, err := h.Run(t.Context(), session, code)
		if err != nil {
			t.Fatal(err)
		}
		return string(ran.Result)
	}
	h.write("apps/thing/app.lua", world)
	run(fmt.Sprintf("DIR = %q", h.dir))
	if _, err := h.Display(t.Context(), session, "thing"); err != nil {
		t.Fatal(err)
	}
	run(remember)
	before := run(describe)
	h.write("apps/thing/app.lua", world+code+"\nerror('late')")
	after := run(describe)
	s, err := h.Session(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	if list, err := s.Problems(t.Context()); err != nil || len(list) != 1 || !strings.HasSuffix(list[0].Message, ": late") {
		t.Fatalf("the file did not fail in the end: %v %v", list, err)
	}
	if diff := cmp.Diff(strings.Split(before, `\n`), strings.Split(after, `\n`)); diff != "" {
		t.Error(diff)
	}
	// What ran before goes on.
	now := run("return ticks")
	for start := time.Now(); run("return ticks") == now; {
		if time.Since(start) > patience {
			t.Fatal("the interval has ended")
		}
	}
	for _, topic := range []string{"replaced", "cancelled", "fresh"} {
		want := 1
		if topic == "fresh" {
			want = 0
		}
		// Sessions of earlier parts run the file, too, and may be in the middle of it.
		n := publish(t, h, topic, `"later"`)
		for start := time.Now(); n != want && time.Since(start) < patience; {
			n = publish(t, h, topic, `"later"`)
		}
		if n != want {
			t.Errorf("%d listeners of %s, want %d", n, topic, want)
		}
	}
	answer()
	heard := ""
	for _, want := range []string{"old timeout", "old immediate", "old replaced later", "old cancelled later", "old http", "old exec"} {
		for start := time.Now(); !strings.Contains(heard, want) && time.Since(start) < patience; {
			heard = run(`return table.concat(heard, "; ")`)
		}
		if !strings.Contains(heard, want) {
			t.Errorf("%q is missing in %s", want, heard)
		}
	}
	if strings.Contains(code, "mcp:publish") && !strings.Contains(heard, "old replaced while it fails") {
		t.Errorf("the old code has missed a value: %s", heard)
	}
	// Let go of the session: the next one publishes to the same topics.
	h.write("apps/thing/app.lua", `subscription.cancel() mcp:subscribe("replaced", function() end).cancel() session:clearInterval(interval)`)
	if _, err := h.Run(t.Context(), session, ""); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Problems(t.Context()); len(list) > 0 || err != nil {
		t.Errorf("problems after the fix: %v %v", list, err)
	}
}

// describe lists what code there is: every function, table and value that can be reached from the
// globals through the tables of the engine, of libraries and of prototypes, with their metatables.
// Objects have numbers, which the first call gives them.
const remember = `__ids = {n = 0}`
const describe = `
local ids, lines, seen = __ids, {}, {}
local function name(v)
  if type(v) ~= "table" and type(v) ~= "function" and type(v) ~= "userdata" then return tostring(v) end
  if not ids[v] then ids.n = ids.n + 1 ids[v] = ids.n end
  return type(v) .. ids[v]
end
local skip = {["_G.ticks"] = true, ["_G.heard"] = true, ["_G.__ids"] = true, ["_G.DIR"] = true}
local function walk(path, t, depth)
  if seen[t] then return end
  seen[t] = true
  local mt = debug.getmetatable(t)
  lines[#lines + 1] = path .. " metatable " .. name(mt)
  if mt and depth > 0 then walk(path .. " metatable", mt, depth - 1) end
  local keys = {}
  for k in next, t do keys[#keys + 1] = k end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, k in ipairs(keys) do
    local v, p = rawget(t, k), path .. "." .. tostring(k)
    if not skip[p] then
      lines[#lines + 1] = p .. " = " .. name(v)
      if type(v) == "table" and depth > 0 then walk(p, v, depth - 1) end
    end
  end
end
walk("_G", _G, 3)
walk("string metatable", debug.getmetatable(""), 1)
return table.concat(lines, "\n") .. name(io.output()) .. name(getfenv(0))`

// A topic has no more subscriptions than it may have, and a file that makes too many takes nothing
// from those that there are.
func TestSubscriptionsAreBounded(t *testing.T) {
	h := started(t, nil)
	h.write("apps/a/app.lua", `a = {} for i = 1, 999 do mcp:subscribe("t", function() end) end`)
	h.run(`assert(mcp:app("a")) mcp:subscribe("t", function(v) heard = v end)`)
	if _, err := h.Run(t.Context(), "1", `mcp:subscribe("t", function() end)`); err == nil || !strings.Contains(err.Error(), `the topic "t" has 1000 subscriptions`) {
		t.Errorf("one more: %v", err)
	}
	h.write("apps/a/app.lua", `for i = 1, 1000 do mcp:subscribe("t", function() end) end`)
	h.run("")
	if n := publish(t, h, "t", "2"); n != 1000 {
		t.Errorf("%d listeners after a failure, want 1000", n)
	}
	h.want("return heard", "2")
	h.write("apps/a/app.lua", `for i = 1, 998 do mcp:subscribe("t", function() end) end`)
	h.run("")
	if n := publish(t, h, "t", "3"); n != 999 {
		t.Errorf("%d listeners once the file was loaded again, want 999", n)
	}
}
