package lua_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui/lua"
)

// Functions that the server or the command line has disabled say so.
func TestSwitchedOff(t *testing.T) {
	vm, _ := newVM(t)
	for code, want := range map[string]string{
		`os.execute("ls")`:         "os.execute is switched off, by --no-exec",
		`io.popen("ls")`:           "io.popen is switched off",
		`loadfile()`:               "string expected",
		`dofile("")`:               "there is no standard input",
		`_printregs()`:             "attempt to call global '_printregs'",
		`channel.make():receive()`: "attempt to index global 'channel'",
	} {
		disarm := vm.Arm()
		_, err := vm.Run("test", code)
		disarm()
		if err == nil || !strings.Contains(lua.Message(err), want) {
			t.Errorf("%s: %v, want %q", code, err, want)
		}
	}
}

// Scripts declare the object that pages show.
func TestApp(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `app = {} assert(session:getApp() == nil) assert(session:createAppVariable(app) == 1 and session:getApp() == app)`)
	if vm.App() != vm.Global("app") {
		t.Error("App is not what createAppVariable was given")
	}
}

func TestUI(t *testing.T) {
	var diags []string
	vm := lua.New(lua.Options{Dir: t.TempDir(), Timeout: time.Second, Log: slog.New(slog.DiscardHandler),
		Diag: func(level int, msg string) { diags = append(diags, fmt.Sprint(level, " ", msg)) }})
	defer vm.Close()
	defer vm.Arm()()
	run(t, vm, `diag(2, "two") diag(1, {}) W = {new = function(_, v) return {w = v.getValue()} end}
	ui.registerWrapper("my.Wrapper", W) ui.registerPresenter("P", {}) W = nil`)
	if len(diags) != 2 || diags[0] != "2 two" {
		t.Errorf("diag: %q", diags)
	}
	w, err := vm.Wrap("my.Wrapper", vm.Import("v"))
	if err != nil || string(vm.JSON(w, 100)) != `{"value":"v","w":"v"}` {
		t.Errorf("a registered wrapper: %s, %v", vm.JSON(w, 100), err)
	}
}

func TestUILog(t *testing.T) {
	vm, dir := newVM(t)
	run(t, vm, `ui.log("plain") ui.log(2, "second") ui.log("warn", 7)`)
	if got := testkit.Read(t, dir, "log/lua.log"); got != "plain\n[2] second\n[warn] 7\n" {
		t.Errorf("%q", got)
	}
}

func TestWrapperOfVariable(t *testing.T) {
	vm, _ := newVM(t)
	run(t, vm, `W = {} W.__index = W
	function W:new(v) local w = setmetatable({v = v}, W) w.first = v:getWrapper() == nil return w end
	function W:sync() self.seen = self.v:getValue() self.mine = self.v.getWrapper() == self end`)
	w, err := vm.Wrap("W", vm.Import(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := vm.Rewrap(w, vm.Import(2)); err != nil {
		t.Fatal(err)
	}
	vm.Define("t", map[string]any{"w": w})
	run(t, vm, `local w, v = t.w, t.w.v
	assert(w.first and w.seen == 2 and w.mine and v._id == 0)
	assert(v.getProperty("known") == nil and v:getProperty("known") == nil)`)
}
