//go:build linux

package attack

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// scripts are attacks by ui_run. Each must end with an error that contains want, or succeed if want
// is "".
var scripts = []struct {
	name, code, want string
	slow             bool
}{
	// Time.
	{"endless loop", `while true do end`, "stopped", false},
	{"endless recursion", `local function f() return 1 + f() end return f()`, "stack overflow", false},
	{"endless tail calls", `local function f() return f() end return f()`, "stopped", true},
	{"pcall that swallows the deadline", `while true do pcall(function() while true do end end) end`, "stopped", false},
	{"xpcall with a handler that never ends", `xpcall(error, function() while true do end end)`, "stopped", true},
	{"error in error handlers", `local function h(e) error(e) end for i = 1, 1e9 do xpcall(error, h) end`, "stopped", true},
	{"nested pcalls that retry", `local function f() while true do pcall(f) end end f()`, "", true},
	{"endless __tostring", `return tostring(setmetatable({}, {__tostring = function() while true do end end}))`, "stopped", true},
	{"endless __index", `return setmetatable({}, {__index = function() while true do end end}).x`, "stopped", true},
	{"__index that is itself", `local t = {} setmetatable(t, {__index = t}) t = setmetatable({}, t) return t.x and 1 or 2`, "", true},
	{"chain of __index in a circle", `local a, b = {}, {} setmetatable(a, {__index = b}) setmetatable(b, {__index = a}) return a.x`, "", true},
	{"endless __newindex", `local t = setmetatable({}, {}) getmetatable(t).__newindex = t t.x = 1`, "", true},
	{"endless __eq", `local m = {__eq = function() while true do end end} return setmetatable({}, m) == setmetatable({}, m)`, "stopped", true},
	{"endless __lt in sort", `local m = {__lt = function() while true do end end} table.sort({setmetatable({}, m), setmetatable({}, m)})`, "stopped", true},
	{"endless __concat", `return setmetatable({}, {__concat = function() while true do end end}) .. "x"`, "stopped", true},
	{"endless __call", `setmetatable({}, {__call = function() while true do end end})()`, "stopped", true},
	{"__gc that never ends", `for i = 1, 1000 do setmetatable({}, {__gc = function() while true do end end}) end collectgarbage()`, "", true},
	{"newproxy with __gc", `for i = 1, 1000 do getmetatable(newproxy(true)).__gc = function() while true do end end end collectgarbage()`, "", true},
	{"collecting without end", `while true do collectgarbage() end`, "stopped", true},
	{"endless JSON by __tostring", `return setmetatable({}, {__tostring = function() while true do end end})`, "", true},
	{"sort comparator that never ends", `table.sort({3, 2, 1}, function() while true do end end)`, "stopped", true},
	{"sort comparator that contradicts itself", `local t = {} for i = 1, 20000 do t[i] = i end table.sort(t, function() return true end)`, "", true},
	{"sort of a million", `local t = {} for i = 1, 1e6 do t[i] = math.random() end table.sort(t, function(a, b) return a < b end)`, "", true},
	{"pattern that backtracks", `return ("a"):rep(30):find(("a*"):rep(30) .. "b")`, "stopped", false},
	{"pattern of balances", `return ("("):rep(100000):find(("%b()"):rep(50))`, "", true},
	{"pattern of lazy repeats", `return ("a"):rep(3000):match((".-"):rep(30) .. "b")`, "stopped", true},
	{"pattern of a megabyte", `return ("a"):find(("a?"):rep(500000))`, "", true},
	{"captures without end", `return ("x"):find(("()"):rep(1000))`, "", true},
	{"gsub that never ends", `while true do ("x"):rep(1000):gsub(".", "%0%0") end`, "stopped", true},
	{"gsub with an endless function", `("x"):gsub(".", function() while true do end end)`, "stopped", true},
	{"gmatch in an endless loop", `while true do for w in ("x "):rep(1000):gmatch("%w") do end end`, "stopped", true},
	{"plain find in much", `local s = ("a"):rep(2^20) while true do s:find(s .. "b", 1, true) end`, "stopped", true},
	{"coroutine that never yields", `coroutine.wrap(function() while true do end end)()`, "stopped", false},
	{"coroutines in each other", `local function f(n) return coroutine.wrap(function() return f(n + 1) end)() end return f(1)`, "", true},
	{"a million coroutines", `local t = {} for i = 1, 1e6 do t[i] = coroutine.create(function() coroutine.yield() end) coroutine.resume(t[i]) end`, "", true},
	{"yield across ui_run", `coroutine.yield()`, "", true},
	{"os.execute that never ends", `os.execute("sleep 1000") while true do end`, "stopped", false},
	{"io.popen that never ends", `return io.popen("sleep 1000"):read("*a")`, "with key 'read'", true},
	{"io.popen that floods", `return #io.popen("yes"):read("*a")`, "", true},
	{"io.popen whose child keeps the pipe", `return io.popen("sleep 1000 & exit"):read("*a")`, "", true},
	{"a loop of processes", `while true do os.execute("true") end`, "stopped", true},
	{"session:exec that floods", `session:exec({"yes"}, function() end)`, "", true},
	// Memory.
	{"doubling a string", `local s = "x" while true do s = s .. s end`, "out of memory", false},
	{"doubling a global string", `s = "x" while true do s = s .. s end`, "out of memory", true},
	{"tables without end", `local t = {} while true do t = {t} end`, "", true},
	{"an array without end", `local t = {} for i = 1, 1e12 do t[i] = i end`, "", false},
	{"keys without end", `local t = {} for i = 1, 1e12 do t["k" .. i] = i end`, "", true},
	{"closures without end", `local t = {} for i = 1, 1e12 do t[i] = function() return i, t end end`, "", true},
	{"different strings without end", `local t = {} for i = 1, 1e12 do t[i] = ("x"):rep(1000) .. i end`, "", true},
	{"garbage without end", `while true do local t = {} for i = 1, 1000 do t[i] = {} end end`, "stopped", true},
	{"garbage of large strings", `local i = 0 while true do i = i + 1 local s = ("x"):rep(2^20) .. i end`, "stopped", true},
	{"string.rep beyond all", `return ("x"):rep(2^40)`, "out of memory", false},
	{"string.rep to the ceiling", `local t = {} while true do t[#t + 1] = ("x"):rep(2^24) end`, "out of memory", true},
	{"string.rep of nothing", `return ("").rep("", 2^62)`, "", true},
	{"string.format with a width", `return ("%99999999d"):format(1)`, "invalid", true},
	{"string.format of much", `local s = ("x"):rep(2^22) return ("%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s"):format(s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s,s)`, "out of memory", true},
	{"string.format of quotes", `local s = ("\0"):rep(2^22) while true do s = ("%q"):format(s) end`, "", true},
	{"gsub that explodes", `local s = ("x"):rep(2^16) return #s:gsub(".", s)`, "out of memory", true},
	{"gsub that doubles", `local s = "x" while true do s = s:gsub(".", "%0%0") end`, "", true},
	{"table.concat that explodes", `local t, s = {}, ("x"):rep(2^20) for i = 1, 1e5 do t[i] = s end return #table.concat(t)`, "out of memory", true},
	{"table.concat with a separator", `local t = {} for i = 1, 1e5 do t[i] = "" end return #table.concat(t, ("x"):rep(2^20))`, "out of memory", true},
	{"upper, lower, reverse", `local t, s = {}, ("x"):rep(2^22) while true do t[#t + 1] = s:upper() t[#t + 1] = s:lower() t[#t + 1] = s:reverse() end`, "", true},
	{"unpack of much", `local t = {} for i = 1, 1e6 do t[i] = i end return select("#", unpack(t))`, "", true},
	{"unpack without bounds", `return unpack({}, 1, 2^31)`, "", true},
	{"string.char, string.byte of much", `local s = ("x"):rep(1e6) return #string.char(s:byte(1, -1))`, "", true},
	{"table.insert far away", `local t = {} t[2^31] = 1 table.insert(t, 2^30, 1) return #t`, "", true},
	{"table.remove in a loop", `local t = {} for i = 1, 2e5 do t[i] = i end while #t > 0 do table.remove(t, 1) end`, "", true},
	{"table.insert at the front", `local t = {} for i = 1, 2e5 do table.insert(t, 1, i) end`, "", true},
	{"a stack of arguments", `local function f(...) return f(1, ...) end return f()`, "", true},
	{"JSON of a large array", `local t = {} for i = 1, 3e5 do t[i] = i end return t`, "", true},
	{"JSON that is deep", `local t = {} for i = 1, 1e5 do t = {t} end return t`, "", true},
	{"JSON of shared tables", `local t = {} for i = 1, 40 do t = {t, t} end return t`, "", true},
	{"events without end", `for i = 1, 1e9 do mcp.pushState({s = ("x"):rep(100000)}) end`, "stopped", true},
	{"subscriptions without end", `for i = 1, 1e5 do mcp:subscribe("t", function() end) end for i = 1, 100 do mcp:publish("t", i) end`, "", true},
	// Compiling.
	{"loadstring, a million deep", `return loadstring("return " .. ("("):rep(1e6) .. "1" .. (")"):rep(1e6))`, "", true},
	{"a chunk of brackets, a million deep", "return " + strings.Repeat("(", 1e6) + "1" + strings.Repeat(")", 1e6), "compiling so much code", false},
	{"a chunk of a million functions", `return assert(loadstring(("f=function()end "):rep(5e5)))`, "compiling so much code", true},
	{"a chunk of many numbers", `return assert(loadstring("return {" .. ("1,"):rep(4e6) .. "}"))`, "compiling so much code", true},
	{"a long join", `return assert(loadstring("return a" .. ("..a"):rep(2.5e6)))`, "compiling so much code", true},
	{"loadstring of tables, a million deep", `return loadstring("return " .. ("{"):rep(1e6) .. ("}"):rep(1e6))`, "", true},
	{"loadstring of unary operators", `return loadstring("return " .. ("-"):rep(1e6) .. "1")`, "", true},
	{"loadstring of a million locals", `return loadstring(("local a "):rep(1e6))`, "", true},
	{"loadstring of a long chain", `return loadstring("return a" .. ("..a"):rep(1e6))`, "", true},
	{"loadstring of many gotos", `return loadstring(("goto x "):rep(1e5) .. "::x::")`, "", true},
	{"loadstring of a long comment", `return loadstring("--[" .. ("="):rep(1e6) .. "[")`, "", true},
	{"loadstring of bytecode", `return loadstring("\27Lua\81\0\1\4\4\4\8\0")`, "", true},
	{"loadstring of itself", `local s = "local s = ... return loadstring(s)(s)" return loadstring(s)(s)`, "", true},
	{"load with an endless reader", `return load(function() return "x = 1 " end)`, "", true},
	{"load of nothing without end", `return load(function() return " " end)`, "", true},
	// The process.
	{"os.exit", `os.exit(1)`, "not available", false},
	{"os.exit in pcall", `pcall(os.exit, 1) pcall(os.exit) return 1`, "", true},
	{"the library without its tables", `string, table, os, io, math, coroutine, pairs, print = nil return 1`, "", true},
	{"the global mcp is gone", `local m = mcp mcp = nil mcp = m return 1`, "", true},
	{"string's metatable", `local m = getmetatable("") local i = m.__index m.__index = function() while true do end end pcall(function() return ("x").y end) m.__index = i`, "", true},
	{"debug library", `if debug and debug.sethook then debug.sethook(function() while true do end end, "l") end return 1`, "", true},
	{"closing standard streams", `pcall(function() io.stdout:close() end) pcall(function() io.stderr:close() end) pcall(function() io.stdin:close() end) return 1`, "", true},
	{"writing the protocol's output", `io.stdout:write('{"jsonrpc":"2.0","id":1,"result":{}}\n') print("x") io.open("/dev/stdout", "w") return 1`, "", true},
	{"setmetatable(_G)", `setmetatable(_G, {__index = function() while true do end end}) pcall(function() return nope end) setmetatable(_G, nil)`, "", true},
	// These go on for as long as the process runs.
	{"timers of nothing", `for i = 1, 1e5 do session:setInterval(function() end, 1) end`, "", true},
	{"an interval that never ends", `session:setInterval(function() while true do end end, 1)`, "", true},
	{"setImmediate that repeats itself", `n = 0 function again() n = n + 1 if n < 1e5 then session:setImmediate(again) end end again()`, "", true},
	{"listeners that double", `for i = 1, 20 do mcp:subscribe("double", function(v) mcp:publish("double", v) end) end mcp:publish("double", 1)`, "", true},
	{"publishing in a circle", `mcp:subscribe("circle", function(v) mcp:publish("circle", v) end) mcp:publish("circle", 1)`, "", true},
}

// scripts returns the attacks by ui_run.
func (s *server) scripts() (list []attack) {
	for i, c := range scripts {
		list = append(list, attack{"S16", "Lua: " + c.name, c.slow, func(t *testing.T) {
			// Sessions of their own, so that what one leaves behind does not add to the next.
			session := fmt.Sprintf("lua-%d", i%8)
			bounded(t, func() {
				text, isError := s.tool(t, "ui_run", map[string]any{"code": c.code, "sessionId": session})
				// On a busy machine, any attack may take too long before it fails otherwise.
				if c.want != "" && (!isError || !strings.Contains(text, c.want) && !strings.Contains(text, "takes too long")) {
					t.Errorf("got %.300q (error: %t), want an error with %q", text, isError, c.want)
				}
			})
			// Sessions cannot be ended, so what the attack holds is let go of.
			bounded(t, func() { s.tool(t, "ui_run", map[string]any{"code": `s = nil`, "sessionId": session}) })
		}})
	}
	return list
}

// files are attacks by files in the base directory, and by what is displayed.
func (s *server) files() []attack {
	run := func(code, want string) func(t *testing.T) {
		return func(t *testing.T) {
			bounded(t, func() {
				if text, isError := s.tool(t, "ui_run", map[string]any{"code": code}); want != "" && (!isError || !strings.Contains(text, want)) {
					t.Errorf("got %.300q (error: %t), want an error with %q", text, isError, want)
				}
			})
		}
	}
	path := func(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }
	fifo := func(t *testing.T, name string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path(name), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Remove(path(name)) })
		return path(name)
	}
	display := func(t *testing.T, app string) (text string, isError bool) {
		bounded(t, func() { text, isError = s.tool(t, "ui_display", map[string]any{"name": app}) })
		return text, isError
	}
	write := func(t *testing.T, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	app := func(t *testing.T, name, code, html string) {
		t.Helper()
		global := strings.ToUpper(name[:1]) + name[1:]
		write(t, "apps/"+name+"/viewdefs/"+global+".DEFAULT.html", "<template>"+html+"</template>")
		write(t, "apps/"+name+"/app.lua", fmt.Sprintf("%[1]s = session:prototype(%[1]q, {items = EMPTY, text = EMPTY, me = EMPTY, a = EMPTY, b = EMPTY, c = EMPTY})\n%[2]s\n%[3]s = %[3]s or %[1]s:new()\n", global, code, name))
	}
	nothing := func(t *testing.T) { _, _ = display(t, "quiet") }
	app(s.t, "quiet", "", "<p>quiet</p>")
	shown := func(name, code, html string) func(t *testing.T) {
		return func(t *testing.T) {
			app(t, name, code, html)
			display(t, name)
			bounded(t, func() { s.tool(t, "ui_inspect", nil) })
			for _, url := range []string{s.agent + "/state", s.agent + "/variables.json"} {
				if _, _, err := get(t, "GET", url, ""); err != nil {
					t.Error(err)
				}
			}
			bounded(t, func() { nothing(t) })
		}
	}
	return []attack{
		{"S17", "file: read(2^40)", false, run(`return #io.open("/proc/self/exe"):read(2^40)`, "")},
		{"S17", "file: /dev/zero", false, run(`return io.open("/dev/zero"):read("*a")`, "")},
		{"S17", "file: /dev/zero, by io.lines", true, run(`for l in io.lines("/dev/zero") do end`, "")},
		{"S17", "file: /dev/tty and /dev/stdin", true, run(`io.open("/dev/tty") io.open("/dev/stdin") return 1`, "")},
		{"S17", "file: dofile of a device", true, run(`dofile("/dev/zero")`, "/dev/zero")},
		{"S17", "file: loadfile of a device", true, run(`return assert(loadfile("/dev/zero"))`, "/dev/zero")},
		{"S17", "file: a FIFO by io.open", false, func(t *testing.T) { run(fmt.Sprintf(`assert(io.open(%q))`, fifo(t, "fifo")), "fifo")(t) }},
		{"S17", "file: a FIFO by io.open for writing", true, func(t *testing.T) { run(fmt.Sprintf(`assert(io.open(%q, "w"))`, fifo(t, "fifo")), "fifo")(t) }},
		{"S17", "file: a FIFO by io.input and io.output", true, func(t *testing.T) {
			f := fifo(t, "fifo")
			run(fmt.Sprintf(`io.input(%q)`, f), "input")(t)
			run(fmt.Sprintf(`io.output(%q)`, f), "output")(t)
		}},
		{"S17", "file: a FIFO by dofile", true, func(t *testing.T) { run(fmt.Sprintf(`dofile(%q)`, fifo(t, "fifo")), "fifo")(t) }},
		{"S17", "file: a FIFO by require", true, func(t *testing.T) { fifo(t, "lua/pipe.lua"); run(`require("pipe")`, "pipe")(t) }},
		{"S17", "file: a FIFO as an app", true, func(t *testing.T) { fifo(t, "apps/pipe/app.lua"); display(t, "pipe") }},
		{"S17", "file: a FIFO as a view definition", true, func(t *testing.T) { fifo(t, "viewdefs/Pipe.DEFAULT.html"); nothing(t) }},
		{"S17", "file: a FIFO as config.json", true, func(t *testing.T) { fifo(t, "config.json"); nothing(t) }},
		{"S17", "file: a FIFO as a document", false, func(t *testing.T) {
			fifo(t, "resources/pipe.md")
			bounded(t, func() {
				if a := s.call(t, "resources/read", map[string]any{"uri": "ui://pipe.md"}); a.code() != -32602 && a.code() != -32002 {
					t.Errorf("the answer is %+v", a)
				}
			})
		}},
		{"S17", "file: a FIFO in html", true, func(t *testing.T) {
			fifo(t, "html/pipe.html")
			if status, _, err := get(t, "GET", s.pages+"/pipe.html", ""); err != nil || status != 404 {
				t.Errorf("%d, %v", status, err)
			}
		}},
		{"S17", "file: a socket as a view definition", true, func(t *testing.T) {
			write(t, "viewdefs/.keep", "")
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer syscall.Close(fd)
			folder, err := os.Open(path("viewdefs"))
			if err != nil {
				t.Fatal(err)
			}
			defer folder.Close()
			name := fmt.Sprintf("/proc/self/fd/%d/Socket.DEFAULT.html", folder.Fd()) // names of sockets are short
			if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: name}); err != nil {
				t.Fatal(err)
			}
			defer os.Remove(name)
			nothing(t)
		}},
		{"S17", "file: a link to a device as an app", true, func(t *testing.T) {
			if err := os.MkdirAll(path("apps/zero"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("/dev/zero", path("apps/zero/app.lua")); err != nil {
				t.Fatal(err)
			}
			display(t, "zero")
		}},
		{"S17", "file: a circle of links", true, func(t *testing.T) {
			for _, name := range []string{"apps", "viewdefs", "html", "resources", "lua"} {
				if err := os.MkdirAll(path(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink("..", path(name+"/up")); err != nil {
					t.Fatal(err)
				}
				defer os.Remove(path(name + "/up"))
			}
			nothing(t)
			s.call(t, "completion/complete", map[string]any{"ref": map[string]any{"type": "ref/resource", "uri": "ui://{+path}"}, "argument": map[string]any{"name": "path", "value": ""}})
		}},
		{"S16", "file: a chunk a million deep", false, func(t *testing.T) {
			write(t, "apps/deep/app.lua", "deep = "+strings.Repeat("{", 1e6)+strings.Repeat("}", 1e6))
			if text, isError := display(t, "deep"); !isError {
				t.Errorf("displayed: %.100q", text)
			}
		}},
		{"S16", "file: an app of 64 MiB", true, func(t *testing.T) {
			write(t, "apps/huge/app.lua", "huge = {}\n"+strings.Repeat("x = 1\n", 64<<20/6))
			if text, isError := display(t, "huge"); !isError {
				t.Errorf("displayed: %.100q", text)
			}
			_ = os.RemoveAll(path("apps/huge"))
		}},
		{"S16", "file: a view definition of 64 MiB", true, func(t *testing.T) {
			app(t, "wide", "", strings.Repeat("<p ui-value=\"text\"></p>", 64<<20/23))
			display(t, "wide")
			_ = os.RemoveAll(path("apps/wide"))
		}},
		{"S16", "file: a view definition 100,000 deep", true, func(t *testing.T) {
			app(t, "nested", "", strings.Repeat("<b>", 1e5)+strings.Repeat("</b>", 1e5))
			display(t, "nested")
			_ = os.RemoveAll(path("apps/nested"))
		}},
		{"S16", "file: 20,000 links among the apps", true, func(t *testing.T) {
			for i := range 20_000 {
				if err := os.Symlink("../nowhere", path(fmt.Sprintf("apps/link%d", i))); err != nil {
					t.Fatal(err)
				}
			}
			nothing(t)
			for i := range 20_000 {
				_ = os.Remove(path(fmt.Sprintf("apps/link%d", i)))
			}
		}},
		// Displayed objects run code without a call of ours.
		{"S16", "view: shows itself", false, shown("mirror", `function Mirror:new(d) local o = session:create(Mirror, d) o.me = o return o end`, `<div ui-view="me"></div>`)},
		{"S16", "view: a list of itself", true, shown("mirrors", `function Mirrors:new(d) local o = session:create(Mirrors, d) o.items = {o, o, o} return o end`, `<ul ui-viewlist="items"><li></li></ul>`)},
		{"S16", "view: shows a new object each time", true, shown("fresh", `function Fresh:me2() return Fresh:new() end`, `<div ui-view="me2()"></div>`)},
		{"S16", "view: a getter of 200 MB, three times", false, shown("heavy", `function Heavy:big() return ("x"):rep(200e6) end`, `<p ui-value="big()"></p><p ui-value="big()"></p><p ui-value="big()"></p>`)},
		{"S16", "view: a getter of 16 MB, three times", true, shown("medium", `function Medium:big() return ("x"):rep(16e6) end`, `<p ui-value="big()"></p><p ui-value="big()"></p><p ui-value="big()"></p>`)},
		{"S16", "view: a getter that never ends", false, shown("slow", `function Slow:get() while true do end end`, `<p ui-value="get()"></p><p ui-value="get()"></p>`)},
		{"S16", "view: a thousand rows that never end", true, shown("rows", `Row = session:prototype("Row", {}) function Row:get() while true do end end
			function Rows:new(d) local o = session:create(Rows, d) o.items = {} for i = 1, 1000 do o.items[i] = Row:new() end return o end`, `<ul ui-viewlist="items"><li></li></ul>`)},
		{"S16", "view: a list of a million", true, shown("long", `function Long:new(d) local o = session:create(Long, d) o.items = {} for i = 1, 1.3e6 do o.items[i] = i end return o end`, `<ul ui-viewlist="items"><li></li></ul>`)},
		{"S16", "view: __tostring that never ends", true, shown("loud", `function Loud:me2() return setmetatable({}, {__tostring = function() while true do end end}) end`, `<p ui-value="me2()"></p>`)},
		{"S16", "view: Markdown of a table", false, func(t *testing.T) {
			text := "|" + strings.Repeat("a|", 1_200) + "\n|" + strings.Repeat("-|", 1_200) + "\n" + strings.Repeat("|\n", 15_000)
			bounded(t, func() {
				s.tool(t, "ui_run", map[string]any{"code": fmt.Sprintf("return #mcp.renderMarkdown(%q)", text)})
			})
		}},
		{"S16", "view: Markdown that is deep", true, func(t *testing.T) {
			for _, code := range []string{`(">"):rep(1e5)`, `("*a **b "):rep(1e5)`, `("["):rep(1e5)`, `("- "):rep(1e4) .. "x"`, `("!["):rep(1e5) .. ("](x)"):rep(1e5)`, `("<a "):rep(1e5)`, "(\"`\"):rep(1e5) .. (\"a`\"):rep(1e4)"} {
				bounded(t, func() { s.tool(t, "ui_run", map[string]any{"code": "return #mcp.renderMarkdown(" + code + ")"}) })
			}
		}},
	}
}
