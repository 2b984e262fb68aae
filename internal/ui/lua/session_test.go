package lua_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/ui/lua"
)

// A harness provides what a session provides to its VM, on the goroutine of the test. Create it
// inside a synctest bubble.
type harness struct {
	t      *testing.T
	vm     *lua.VM
	dir    string
	queue  chan func()
	wg     sync.WaitGroup
	failed []string // kind: message
}

func newHarness(t *testing.T, change func(*lua.Options)) *harness {
	t.Helper()
	h := &harness{t: t, dir: t.TempDir(), queue: make(chan func(), 100)}
	ctx, cancel := context.WithCancel(context.Background())
	opts := lua.Options{
		Dir: h.dir, Timeout: 5 * time.Second, Log: slog.New(slog.DiscardHandler),
		After: func(d time.Duration, f func()) func() {
			timer := time.AfterFunc(d, func() { h.queue <- f })
			return func() { timer.Stop() }
		},
		Background: func(work func(context.Context) func()) {
			h.wg.Go(func() { h.queue <- work(ctx) })
		},
		Failed: func(kind string, err error) { h.failed = append(h.failed, kind+": "+lua.Message(err)) },
	}
	if change != nil {
		change(&opts)
	}
	h.vm = lua.New(opts)
	t.Cleanup(func() {
		cancel()
		h.vm.Close()
		h.wg.Wait()
	})
	return h
}

func (h *harness) run(code string) string {
	h.t.Helper()
	defer h.vm.Arm()()
	return string(h.vm.JSON(run(h.t, h.vm, code), 1<<16))
}

// try runs code that may fail.
func (h *harness) try(code string) error {
	defer h.vm.Arm()()
	_, err := h.vm.Run("test", code)
	return err
}

// pass lets time pass, and runs what is due meanwhile.
func (h *harness) pass(d time.Duration) {
	end := time.After(d)
	for {
		select {
		case f := <-h.queue:
			disarm := h.vm.Arm()
			f()
			disarm()
		case <-end:
			return
		}
	}
}

func (h *harness) wantFailed(want ...string) {
	h.t.Helper()
	if diff := cmp.Diff(want, h.failed); diff != "" {
		h.t.Errorf("failures (-want +got):\n%s", diff)
	}
	h.failed = nil
}

func TestTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.run(`log = ""
		function add(s) return function() log = log .. s end end
		session:setTimeout(add("b"), 50)
		session:setTimeout(add("c"), 100)
		session:setImmediate(add("a"))
		gone = session:setTimeout(add("X"), 10)
		session:clearTimeout(gone) session:clearTimeout(gone)
		session:clearInterval(nil) session:clearTimeout({}) session:clearImmediate(99999) session:clearInterval(0/0)
		tick = session:setInterval(add("."), 30)`)
		h.pass(20 * time.Millisecond)
		if got := h.run("return log"); got != `"a"` {
			t.Errorf("after 20 ms: %s", got)
		}
		h.pass(105 * time.Millisecond) // 30, 50, 60, 90, 100, 120
		if got := h.run("return log"); got != `"a.b..c."` {
			t.Errorf("after 125 ms: %s", got)
		}
		h.run("session:clearInterval(tick)")
		h.pass(time.Minute)
		if got := h.run("return log"); got != `"a.b..c."` {
			t.Errorf("after clearInterval: %s", got)
		}
		h.wantFailed()
	})
}

// The next tick is scheduled when a tick has run: a session that was blocked gets only one.
func TestIntervalsDoNotPileUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.run(`n = 0 tick = session:setInterval(function() n = n + 1 end, 10)`)
		time.Sleep(time.Second) // the session's goroutine is busy
		h.pass(0)
		h.pass(5 * time.Millisecond)
		if got := h.run("return n"); got != "1" {
			t.Errorf("%s ticks", got)
		}
	})
}

// A timer that is cleared after it has become due, but before it runs, does not run.
func TestClearedOnItsWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.run(`a = session:setTimeout(function() ran = true end, 10)
		b = session:setInterval(function() session:clearInterval(b) count = (count or 0) + 1 end, 10)`)
		time.Sleep(20 * time.Millisecond)
		h.run("session:clearTimeout(a)")
		h.pass(time.Second)
		if got := h.run("return {ran = ran or false, count = count}"); got != `{"count":1,"ran":false}` {
			t.Error(got)
		}
	})
}

func TestTimerFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.run("session:setTimeout(function()\nerror('late') end, 10)\nsession:setInterval(function() error({code = 1}) end, 1000)")
		h.pass(2500 * time.Millisecond)
		h.wantFailed("timer: test:2: late", "timer: table", "timer: table")
		for code, want := range map[string]string{
			"session:setTimeout(1, 2)":                                "function expected",
			"session:setTimeout(print)":                               "number expected",
			"session.setTimeout(print, 1)":                            "function expected",
			"session:setInterval(print, {})":                          "number expected",
			"for i = 1, 20000 do session:setTimeout(print, 1e12) end": "there are 10000 timers already",
		} {
			if err := h.try(code); err == nil || !strings.Contains(lua.Message(err), want) {
				t.Errorf("%s: %v", code, err)
			}
		}
	})
}

// An interval whose function had to be stopped would block the session again and again.
func TestRunawayIntervalEnds(t *testing.T) {
	queue := make(chan func(), 1)
	var failed []string
	vm := lua.New(lua.Options{Dir: t.TempDir(), Timeout: 20 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		After: func(_ time.Duration, f func()) func() {
			select {
			case queue <- f:
			default: // prepare has set an interval before
			}
			return func() {}
		},
		Failed: func(kind string, err error) { failed = append(failed, lua.Message(err)) },
	})
	defer vm.Close()
	prepare(t, vm, "session:setInterval(function() while true do end end, 1)")
	disarm := vm.Arm()
	(<-queue)()
	disarm()
	if len(failed) != 2 || !strings.Contains(failed[0], "stopped after 20ms") || !strings.Contains(failed[1], "has been ended") {
		t.Errorf("failed: %q", failed)
	}
	if len(queue) != 0 {
		t.Error("it is scheduled again")
	}
}

func TestCloseEndsTimersAndJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		h := newHarness(t, func(o *lua.Options) {
			o.Exec = func(ctx context.Context, _ lua.Command) (lua.Result, error) {
				<-ctx.Done()
				ended <- ctx.Err()
				return lua.Result{}, ctx.Err()
			}
		})
		h.run(`session:setInterval(error, 10) session:setTimeout(error, 10) session:exec({"sleep"}, error)`)
		h.vm.Close()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("the process ended with %v", err)
		}
		h.pass(time.Second)
		h.wantFailed()
	})
}

func TestHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got lua.Request
		h := newHarness(t, func(o *lua.Options) {
			o.HTTP = func(ctx context.Context, req lua.Request) (lua.Response, error) {
				switch {
				case strings.HasSuffix(req.URL, "/x"):
					got = req // the first of them
				case strings.HasSuffix(req.URL, "/slow"):
					<-ctx.Done()
					return lua.Response{}, ctx.Err()
				case strings.HasSuffix(req.URL, "/bad"):
					return lua.Response{}, errors.New("connection refused")
				}
				return lua.Response{Status: 201, Header: map[string]string{"X-Kind": "test"}, Body: []byte(`{"a":[1,2]}`)}, nil
			}
		})
		h.run(`session:http({url = "http://127.0.0.1/x", json = {n = 1}, headers = {["X-A"] = 7}}, function(r, err)
			res = {r.status, r.ok, r.headers["x-kind"], r.body, r:json().a[2], r.json().a[1], tostring(err)} end)`)
		h.pass(time.Millisecond)
		if diff := cmp.Diff(lua.Request{Method: "POST", URL: "http://127.0.0.1/x", Body: []byte(`{"n":1}`), Limit: lua.MaxAnswer,
			Header: map[string]string{"content-type": "application/json", "x-a": "7"}}, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		if got := h.run("return res"); got != `[201,true,"test","{\"a\":[1,2]}",2,1,"nil"]` {
			t.Error(got)
		}
		h.run(`session:http("https://example.org/bad", function(r, err) bad = {tostring(r), err} end)
		session:http({url = "https://example.org/slow", timeout = 1500}, function(r, err) slow = err end)
		session:http("https://example.org/bad")
		cancelled = session:http("https://example.org/slow", function() called = true end)
		cancelled:cancel() cancelled.cancel()
		session:setTimeout(function() session:http("http://y/", function() error("in callback") end) end, 1)`)
		h.pass(2 * time.Second)
		if got := h.run("return {bad, slow, called or false}"); got != `[["nil","connection refused"],"no answer within 1.5s",false]` {
			t.Error(got)
		}
		h.wantFailed("callback: session:http: connection refused", "callback: test:6: in callback")
		for code, want := range map[string]string{
			`session:http("file:///etc/passwd")`:                         `"file:///etc/passwd" is no URL with http:// or https://`,
			`session:http("x")`:                                          "is no URL",
			`session:http()`:                                             "a URL or a table",
			`session:http({url = "http://x/", timeout = "soon"})`:        "timeout must be a number",
			`session:http({url = "http://x/", headers = {a = "b\r\n"}})`: "texts of one line",
			`session:http({url = "http://x/", json = 0/0})`:              "is no JSON number",
			`session:http("http://x/", 5)`:                               "function expected",
		} {
			if err := h.try(code); err == nil || !strings.Contains(lua.Message(err), want) {
				t.Errorf("%s: %v", code, err)
			}
		}
	})
}

func TestExec(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got lua.Command
		h := newHarness(t, func(o *lua.Options) {
			o.Exec = func(_ context.Context, cmd lua.Command) (lua.Result, error) {
				got = cmd
				if cmd.Argv[0] == "none" {
					return lua.Result{}, errors.New("no such program")
				}
				return lua.Result{Code: 3, Stdout: []byte("out\nmore\n"), Stderr: []byte("err\n")}, nil
			}
		})
		h.run(`session:exec({"ls", "-l", 7}, {cwd = "/tmp", env = {A = "b"}, input = "in"}, function(r, err) res = {r.code, r.stdout, r.stderr, tostring(err)} end)`)
		h.pass(time.Millisecond)
		if diff := cmp.Diff(lua.Command{Argv: []string{"ls", "-l", "7"}, Dir: "/tmp", Env: []string{"A=b"}, Input: []byte("in"), Limit: lua.MaxAnswer}, got); diff != "" {
			t.Errorf("command (-want +got):\n%s", diff)
		}
		h.run(`session:exec({"none"}, function(r, e) err = e end)`)
		h.pass(time.Millisecond)
		if got := h.run("return {res, err}"); got != `[[3,"out\nmore\n","err\n","nil"],"no such program"]` {
			t.Error(got)
		}
		if got := h.run(`local p = io.popen("cmd 'x'")
		local lines = {} for l in p:lines() do lines[#lines + 1] = l end
		local q = io.popen("again", "r") local first, rest, none = q:read("*l", "*a", "*l")
		local code = q:close() local ok, err = pcall(q.read, q)
		local w = io.popen("sort", "w") w:write("a", 1):write("b") io.close(w)
		return {lines, first, rest, tostring(none), code, err, os.execute("true"), os.execute()}`); got !=
			`[["out","more"],"out","more\n","nil",3,"test:4: attempt to use a closed file",3,true]` {
			t.Error(got)
		}
		if len(got.Argv) != 3 || got.Argv[2] != "true" {
			t.Errorf("os.execute ran %q", got.Argv)
		}
		for code, want := range map[string]string{
			`session:exec("ls")`:       "table expected",
			`session:exec({})`:         "is empty",
			`session:exec({print})`:    "argument 1 is a function",
			`io.popen("x", "rw")`:      `"r" or "w" expected`,
			`io.popen("x"):write("y")`: "was not opened for this",
			`io.popen("x"):read("*x")`: "invalid format",
		} {
			if err := h.try(code); err == nil || !strings.Contains(lua.Message(err), want) {
				t.Errorf("%s: %v", code, err)
			}
		}
	})
}

// Functions that the server or the command line has disabled say so.
func TestSwitchedOff(t *testing.T) {
	vm, _ := newVM(t)
	for code, want := range map[string]string{
		`session:http("http://x/")`:    "session:http is switched off, by --no-http",
		`session:exec({"ls"})`:         "session:exec is switched off, by --no-exec",
		`os.execute("ls")`:             "os.execute is switched off, by --no-exec",
		`io.popen("ls")`:               "io.popen is switched off",
		`session:setTimeout(print, 1)`: "there are no timers here",
		`loadfile()`:                   "string expected",
		`dofile("")`:                   "there is no standard input",
		`_printregs()`:                 "attempt to call global '_printregs'",
		`channel.make():receive()`:     "attempt to index global 'channel'",
	} {
		disarm := vm.Arm()
		_, err := vm.Run("test", code)
		disarm()
		if err == nil || !strings.Contains(lua.Message(err), want) {
			t.Errorf("%s: %v, want %q", code, err, want)
		}
	}
}

func TestTooManyJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, func(o *lua.Options) {
			o.HTTP = func(ctx context.Context, _ lua.Request) (lua.Response, error) {
				<-ctx.Done()
				return lua.Response{}, ctx.Err()
			}
		})
		err := h.try(`for i = 1, 100 do session:http("http://x/") end`)
		if err == nil || !strings.Contains(lua.Message(err), "64 requests and processes are under way") {
			t.Error(err)
		}
	})
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
	if got := readFile(t, filepath.Join(dir, "log", "lua.log")); got != "plain\n[2] second\n[warn] 7\n" {
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
