//go:build unix

package lua_test

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/ui/lua"
)

// attack runs code in a session of 64 MiB with half a minute to run, most of it for busy machines,
// and fails the test if it takes much longer or allocates much more. It returns the error's
// message, or "".
func attack(t *testing.T, code string) string {
	t.Helper()
	const limit = 64 << 20
	vm := lua.New(lua.Options{Dir: t.TempDir(), Timeout: 30 * time.Second, MemoryLimit: limit, Log: slog.New(slog.DiscardHandler)})
	defer vm.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	disarm := vm.Arm()
	_, err := vm.Run("attack", code)
	disarm()
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	if took > time.Minute {
		t.Errorf("it took %s", took)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 16*limit {
		t.Errorf("it allocated %d MiB", n>>20)
	}
	if err == nil {
		return ""
	}
	return lua.Message(err)
}

// Joining strings checks the memory first.
func TestJoiningIsBounded(t *testing.T) {
	for _, code := range []string{
		`local s = "x" while true do s = s .. s end`,
		`s = "x" while true do s = s .. s .. s .. s .. s .. s .. s .. s end`,
		`local s = ("x"):rep(2^24) local t = s` + strings.Repeat(" .. s", 150) + ` return #t`,
		`local s = ("x"):rep(2^20) while true do s = s .. 1 .. s end`,
		`local t = setmetatable({}, {__concat = function(a, b) return b end}) local s = ("x"):rep(2^24) return t .. s .. s .. s .. s .. s .. s .. s`,
	} {
		if got := attack(t, code); !strings.Contains(got, "out of memory") {
			t.Errorf("%.60s: %q", code, got)
		}
	}
}

// Joining strings has the same results as the library's instruction.
func TestJoining(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `T = setmetatable({}, {__concat = function(a, b)
			local function name(v) return type(v) == "table" and "T" or tostring(v) end
			return "(" .. name(a) .. "+" .. name(b) .. ")"
		end})
		a, b, n = "a", "b", 3`)
	long := strings.Repeat("a .. ", 500) + "b"
	for code, want := range map[string]string{
		`a .. b`: `"ab"`, `n .. a`: `"3a"`, `a .. n .. 1.5 .. b`: `"a31.5b"`, `"x" .. a`: `"xa"`, `"x" .. 1`: `"x1"`,
		`a .. b .. T .. b .. a`: `"ab(T+ba)"`,
		`T .. T`:                `"(T+T)"`,
		`a .. (function(...) return ... end)(b, n)`:             `"ab"`,
		`select("#", a .. b, a .. b)`:                           `2`,
		`#(` + long + `)`:                                       `501`,
		`(function(...) return ... end)(a .. b)`:                `"ab"`,
		`select(2, pcall(function() return a .. nil .. b end))`: `"test:1: cannot perform concat operation between nil and string"`,
		`(select(2, xpcall(function() return {} .. a end, debug.traceback)):match("test:1: in [^\n]*"))`: `"test:1: in function <test:1>"`,
		`setfenv(function() return x .. x end, {x = "y"})()`:                                             `"yy"`,
		`loadstring("return ... .. a")(a)`:                                                               `"aa"`,
	} {
		if got := string(vm.JSON(run(t, vm, "return "+code), 1000)); got != want {
			t.Errorf("%.20s = %s, want %s", code, got, want)
		}
	}
}

// Compiling is bounded whichever way a chunk comes in: by its size, by its nesting, and by whatever
// costs the compiler quadratic time.
func TestCompilingIsBounded(t *testing.T) {
	const deep = 50_000
	many, uses := load.Count(60_000, 200_000), load.Count(60_000, 500_000) // of constants
	nest := func(open, middle, end string) string {
		return strings.Repeat(open, deep) + middle + strings.Repeat(end, deep)
	}
	numbered := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	chunks := map[string]struct{ code, want string }{
		"tables":         {"return " + nest("{", "", "}"), "nests more than"},
		"functions":      {nest("return function() ", "", " end "), "compiling so much code"},
		"blocks":         {nest("do ", "", " end "), "nests more than"},
		"not":            {"return " + nest("not ", "1", ""), "nests more than"},
		"calls":          {"return " + nest("f(", "", ")"), "nests more than"},
		"calls of calls": {"return f" + nest("()", "", ""), "nests more than"},
		"fields":         {"return a" + nest(".a", "", ""), "nests more than"},
		"sums":           {"return 1" + nest("+1", "", ""), "nests more than"},
		"and":            {"return a" + nest(" and a", "", ""), "nests more than"},
		"powers":         {"return 1" + nest("^1", "", ""), "nests more than"},
		"elseif":         {"if a then " + nest("elseif a then ", "", "") + " end", "nests more than"},
		"size":           {"--" + strings.Repeat("x", 9<<20), "a chunk can have 8 MiB at most"},
		"constants":      {"return {" + numbered(many, "%d,") + "}", "too many different constants"},
		"strings":        {"return {" + numbered(many, "'a%d',") + "}", "too many different constants"},
		"globals":        {numbered(many, "a%d=1 "), "too many different constants"},
		"used constants": {"local t = {" + numbered(20_000, "%d,") + strings.Repeat("19999,", uses) + "}", "too many different constants"},
		"labels":         {numbered(50_000, "goto a%d ") + numbered(50_000, "::a%d:: "), "labels and gotos at most"},
	}
	dir := t.TempDir()
	vm := lua.New(lua.Options{Dir: dir, Timeout: time.Hour, Log: slog.New(slog.DiscardHandler)})
	defer vm.Close()
	for name, c := range chunks {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			defer vm.Arm()()
			if _, err := vm.Run("test", c.code); err == nil || !strings.Contains(lua.Message(err), c.want) {
				t.Errorf("run: %.200v", err)
			}
			vm.Define("test", map[string]any{"code": c.code})
			if got := string(vm.JSON(run(t, vm, "return select(2, loadstring(test.code))"), 10_000)); !strings.Contains(got, c.want) {
				t.Errorf("loadstring: %.200s", got)
			}
			file := write(t, filepath.Join(dir, "attack.lua"), c.code)
			if _, err := vm.Load(file, false); err == nil || !strings.Contains(err.Error(), c.want) && !strings.Contains(err.Error(), "larger than") {
				t.Errorf("load: %.200v", err)
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// Compiling takes no more memory than the session has.
func TestCompilingIsBoundedInMemory(t *testing.T) {
	for _, code := range []string{
		"return " + strings.Repeat("(", 4_000_000) + "1" + strings.Repeat(")", 4_000_000),
		"return " + strings.Repeat("- ", 2_000_000) + "1",
		"return a" + strings.Repeat("..a", 2_000_000),
		"return {" + strings.Repeat("1,", 4_000_000) + "}",
		strings.Repeat("f=function()end ", 500_000),
	} {
		if got := attack(t, code); !strings.Contains(got, "compiling so much code takes more than the 64 MiB") {
			t.Errorf("%.30s: %.200q", code, got)
		}
	}
}

// Code that people write stays far below all of these bounds.
func TestLargeChunksCompile(t *testing.T) {
	vm := limited(t, time.Hour)
	defer vm.Arm()()
	var data strings.Builder
	data.WriteString("return {\n")
	for i := range 5_000 {
		fmt.Fprintf(&data, "  {id = %d, name = 'name %d', ok = true},\n", i, i%500)
	}
	data.WriteString("}")
	deep := strings.Repeat("{", 150) + strings.Repeat("}", 150)
	chain := "local n = 0 if n == 1 then " + strings.Repeat("elseif n == 2 then n = n + 1 ", 300) + " end return n"
	joining := "local a = 'x' return #(a" + strings.Repeat(" .. a", 50_000) + ")"
	for _, code := range []string{data.String(), "return " + deep, chain, joining} {
		if _, err := vm.Run("test", code); err != nil {
			t.Errorf("%.40s: %.200v", code, err)
		}
	}
}

// Compiling can be stopped: it does not get as far as the mistake at the end.
func TestCompilingIsStopped(t *testing.T) {
	vm := limited(t, time.Millisecond)
	defer vm.Arm()()
	if _, err := vm.Run("test", strings.Repeat("a = 1\n", 1<<20)+"a = = 1"); err == nil || !strings.Contains(lua.Message(err), "stopped after 1ms") {
		t.Errorf("err = %.200v", err)
	}
}

// Anything but a regular file is refused before it is opened, and a request for many bytes does not
// allocate them in advance.
func TestFilesAreBounded(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "short.txt"), "one\n2 x\nrest")
	pipe := filepath.Join(dir, "pipe.lua")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("there are no named pipes here:", err)
	}
	long := filepath.Join(dir, "long")
	f, err := os.Create(long)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil { // it has a hole
		t.Skip(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]string{
		`assert(io.open("/dev/zero"))`:               "it is a device",
		`assert(io.open("/dev/zero", "w"))`:          "it is a device",
		`for l in io.lines("/dev/zero") do end`:      "it is a device",
		`dofile("/dev/zero")`:                        "it is a device",
		`assert(loadfile("/dev/zero"))`:              "it is a device",
		`assert(io.open("` + pipe + `"))`:            "it is a named pipe",
		`assert(io.open("` + pipe + `", "a+"))`:      "it is a named pipe",
		`dofile("` + pipe + `")`:                     "it is a named pipe",
		`io.output("` + pipe + `")`:                  "it is a named pipe",
		`return #io.open("` + long + `"):read(2^39)`: "out of memory",
		`return #io.open("` + long + `"):read("*a")`: "out of memory",
		`return #io.open("` + long + `"):read("*l")`: "out of memory",
		`for l in io.lines("` + long + `") do end`:   "out of memory",
		`io.read()`: "there is no standard input",
		`local fs = {} for i = 1, 1000 do fs[i] = assert(io.open("` + file + `")) end`: "256 files are open already",
		`assert(io.open("` + file + `", "x"))`:                                         "the mode is one of",
		`io.open("` + file + `"):write("x")`:                                           "was not opened for this",
	} {
		got := attack(t, code)
		if want == "out of memory" && strings.Contains(got, "stopped after") {
			continue // on a busy machine its time is up first
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

func TestFiles(t *testing.T) {
	vm, dir := newVM(t)
	file := write(t, filepath.Join(dir, "f.txt"), "one\n2 0x10 x\n\nrest")
	vm.Define("test", map[string]any{"file": file, "new": filepath.Join(dir, "new")})
	for code, want := range map[string]string{
		`local f = io.open(test.file) return {f:read("*l", 1, "*l", "*l", "*a", "*a", 1)}`:                                                                                            `["one","2"," 0x10 x","","rest",""]`,
		`local f = io.open(test.file) return {f:read(2^40), f:read(1)}`:                                                                                                               `["one\n2 0x10 x\n\nrest"]`,
		`local f = io.open(test.file) return {f:read(0), f:read(3), f:seek(), f:seek("end"), f:read(0), f:seek("set", 1), f:read(2)}`:                                                 `{"1":"","2":"one","3":3,"4":18,"6":1,"7":"ne"}`,
		`local n = 0 for l in io.lines(test.file) do n = n + #l end return n`:                                                                                                         `15`,
		`local n = 0 for l in io.open(test.file):lines() do n = n + 1 end return n`:                                                                                                   `4`,
		`local f = assert(io.open(test.new, "w+")) f:write("ab", 1, "\n") f:seek("set") local s = f:read() f:write("c") f:flush() f:close() return {s, io.type(f), pcall(f.read, f)}`: `["ab1","closed file",false,"test:1: attempt to use a closed file"]`,
		`for _, s in ipairs{"c", "d"} do local f = io.open(test.new .. 2, "a") f:write(s) io.close(f) end return io.open(test.new .. 2):read("*a")`:                                   `"cd"`,
		`local f = io.open(test.new, "w+") f:write("x") f:seek("set") return {f:read("*a"), io.type(f), io.type(5)}`:                                                                  `["x","file"]`,
		`return {io.open("/no/such/file")}`:                                             `{"2":"stat /no/such/file: no such file or directory","3":1}`,
		`for i = 1, 2000 do local f = io.open(test.file) f:close() end return "closed"`: `"closed"`,
	} {
		if got := string(vm.JSON(run(t, vm, code), 1000)); got != want {
			t.Errorf("%s\n = %s, want %s", code, got, want)
		}
	}
}
