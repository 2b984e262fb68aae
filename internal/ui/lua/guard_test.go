package lua_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/ui/lua"
)

// A session that holds too much memory, of whatever kind, gets an error, and can continue after
// freeing it. Other sessions are unaffected.
func TestMemoryLimit(t *testing.T) {
	const limit = 16 << 20
	other, _ := newVM(t)
	run(t, other, "x = 1")
	for name, code := range map[string]string{
		"tables":                  "held = {} for i = 1, 1e9 do held[i] = {i} end",
		"long strings":            `held = {} for i = 1, 1e9 do held[i] = ("x"):rep(1e6) .. i end`,
		"one string that doubles": `held = "x" for i = 1, 60 do held = held .. held end`,
		"one string":              `held = ("x"):rep(1e9)`,
		"keys":                    "held = {} for i = 1, 1e9 do held['key' .. i] = true end",
		"closures":                "held = {} for i = 1, 1e9 do held[i] = function() return i end end",
		"coroutines":              "held = {} for i = 1, 1e9 do held[i] = coroutine.create(function() end) end",
		"locals":                  "local held = {} for i = 1, 1e9 do held[i] = {} end",
		"caught":                  "held = {} while true do pcall(function() for i = 1, 1e9 do held[#held + 1] = {} end end) end",
		"formatting":              `held = string.format("%99s", ("x"):rep(5e8))`,
		"joining":                 `local t = {} for i = 1, 1000 do t[i] = ("x"):rep(1e5) end held = table.concat(t):rep(100)`,
		"gsub":                    `held = ("x"):rep(1e6):gsub("x", ("y"):rep(1000))`,
	} {
		t.Run(name, func(t *testing.T) {
			vm := lua.New(lua.Options{
				Dir: t.TempDir(), Timeout: time.Minute, MemoryLimit: limit, Log: slog.New(slog.DiscardHandler),
			})
			defer vm.Close()
			disarm := vm.Arm()
			_, err := vm.Run("test", code)
			disarm()
			if err == nil || !strings.Contains(lua.Message(err), "out of memory") {
				t.Fatalf("err = %v", err)
			}
			disarm = vm.Arm()
			defer disarm()
			run(t, vm, "held = nil")
			runtime.GC()
			if got := string(vm.JSON(run(t, vm, "local t = {} for i = 1, 1000 do t[i] = {} end return #t"), 100)); got != "1000" {
				t.Errorf("afterwards: %s", got)
			}
			disarmOther := other.Arm() // its time starts again: all of these together take long
			defer disarmOther()
			if got := string(other.JSON(run(t, other, "local t = {} for i = 1, 1e4 do t[i] = {} end return x"), 100)); got != "1" {
				t.Errorf("another session: %s", got)
			}
		})
	}
}

// Scripts learn how many KiB are in use, and cannot have the whole process's garbage collected.
func TestCollectgarbage(t *testing.T) {
	vm, _ := newVM(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run(t, vm, `assert(collectgarbage("count") / 1024 > 0.1)
		assert(collectgarbage() == 0 and collectgarbage("collect") == 0 and collectgarbage("step", 100) == 0)`)
	if runtime.ReadMemStats(&after); after.NumForcedGC != before.NumForcedGC {
		t.Errorf("collected %d times", after.NumForcedGC-before.NumForcedGC)
	}
}

// A script is stopped at its deadline whatever it does, and learns where.
func TestDeadlineEverywhere(t *testing.T) {
	vm := limited(t, 30*time.Millisecond)
	for _, code := range []string{
		"repeat until false",
		"while true do pcall(function() while true do end end) end",
		"local co = coroutine.wrap(function() while true do end end) co()",
		"goto_ = function() return goto_() end goto_()",
		"local t = setmetatable({}, {__index = function(t, k) while true do end end}) return t.x",
		"table.sort({3, 2, 1}, function() while true do end end)",
		`("x"):gsub("x", function() while true do end end)`,
		`("a"):rep(40):find(("a*"):rep(20) .. "b")`,
		"xpcall(function() while true do end end, function() while true do end end)",
		"while true do coroutine.wrap(function() end)() end",
		"local s = 'x' while true do s = tostring(#s) end",
		"error(setmetatable({}, {__tostring = function() while true do end end}))",
	} {
		begin := time.Now()
		disarm := vm.Arm()
		_, err := vm.Run("test", code)
		line := !strings.Contains(code, "__tostring")
		if err == nil || !strings.Contains(lua.Message(err), "stopped after 30ms") || line && !strings.Contains(lua.Message(err), "test:") {
			t.Errorf("%s: %v", code, err)
		}
		disarm()
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s took %v", code, took)
		}
	}
	if v := prepare(t, vm, "return 7"); fmt.Sprint(v) != "7" {
		t.Error("the VM did not survive")
	}
}

func TestCoroutines(t *testing.T) {
	vm, _ := newVM(t)
	for code, want := range map[string]string{
		`local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end) return {co(1), co(10)}`:                         "[2,20]",
		`local co = coroutine.create(function() error("no") end) local ok, err = coroutine.resume(co) return {ok, err}`:                           `[false,"test:1: no"]`,
		`local co = coroutine.create(function() end) coroutine.resume(co) return {coroutine.status(co), (coroutine.resume(co))}`:                  `["dead",false]`,
		`local function f(n) return coroutine.wrap(function() return n > 0 and f(n - 1) or "deep" end)() end return f(50)`:                        `"deep"`,
		`local function f() return coroutine.wrap(f)() end local ok, err = pcall(f) return {ok, err:match("stack overflow") ~= nil}`:              "[false,true]",
		`local co = coroutine.wrap(function() return pcall(coroutine.yield, 1) end) local a, b = co() return {a, b:match("yield across") ~= nil}`: "[false,true]",
		`local t = {} for v in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do t[#t + 1] = v end return t`:               "[1,2,3]",
		`local s = 0 for i = 1, 20000 do s = s + coroutine.wrap(function() return 1 end)() end return s`:                                          "20000",
	} {
		if got := string(vm.JSON(run(t, vm, code), 1000)); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
	}
}

// os.execute and io.popen use the same function as session:exec; nothing of a command reaches our
// own streams.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	vm := lua.New(lua.Options{Dir: dir, Timeout: 5 * time.Second, Log: slog.New(slog.DiscardHandler),
		Exec: func(context.Context, lua.Command) (lua.Result, error) {
			return lua.Result{Code: 3, Stdout: []byte("one\n2 x\nrest"), Stderr: []byte("oh")}, nil
		}})
	defer vm.Close()
	disarm := vm.Arm()
	defer disarm()
	for code, want := range map[string]string{
		`return os.execute("a b")`:   "3",
		`return os.execute() ~= nil`: "true",
		`local p = io.popen("c") local a, b, c = p:read("*l", 1, "*a") return {a, b, c, p:close()}`:      `["one","2"," x\nrest",3]`,
		`local n = 0 for line in io.popen("c"):lines() do n = n + #line end return n`:                    "10",
		`local p = io.popen("c") local was = io.type(p) p:close() return {was, io.type(p), tostring(p)}`: `["file","closed file","file (closed)"]`,
		`io.stdout:close() return {io.type(io.stdout), tostring(io.stderr), (io.stdout:seek())}`:         `["file","file (lua-err.log)"]`,
		`local p = io.popen("c") p:close() return {pcall(p.read, p)}`:                                    `[false,"test:1: attempt to use a closed file"]`,
	} {
		if got := string(vm.JSON(run(t, vm, code), 1000)); got != want {
			t.Errorf("%s = %s, want %s", code, got, want)
		}
	}
}
