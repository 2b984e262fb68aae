package async_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
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

func newHarness(t *testing.T, change func(*async.Options)) *harness {
	t.Helper()
	h := &harness{t: t, dir: t.TempDir(), queue: make(chan func(), 100)}
	ctx, cancel := context.WithCancel(context.Background())
	opts := async.Options{
		After: func(d time.Duration, f func()) func() {
			timer := time.AfterFunc(d, func() { h.queue <- f })
			return func() { timer.Stop() }
		},
		Background: func(work func(context.Context) func()) {
			h.wg.Go(func() { h.queue <- work(ctx) })
		},
	}
	if change != nil {
		change(&opts)
	}
	h.vm = open(lua.Options{
		Dir: h.dir, Timeout: 5 * time.Second, Exec: opts.Exec,
		Failed: func(kind string, err error) { h.failed = append(h.failed, kind+": "+lua.Message(err)) },
	}, opts)
	t.Cleanup(func() {
		cancel()
		h.vm.Close()
		h.wg.Wait()
	})
	return h
}

// open returns a VM with the library.
func open(machine lua.Options, opts async.Options) *lua.VM {
	machine.Log = slog.New(slog.DiscardHandler)
	vm := lua.New(machine)
	async.Open(vm, opts)
	return vm
}

// run runs code and returns its result as JSON.
func (h *harness) run(code string) string {
	h.t.Helper()
	defer h.vm.Arm()()
	v, err := h.vm.Run("test", code)
	if err != nil {
		h.t.Fatalf("%s: %v", code, err)
	}
	return string(h.vm.JSON(v, 1<<16))
}

// try runs code that may fail.
func (h *harness) try(code string) error {
	defer h.vm.Arm()()
	_, err := h.vm.Run("test", code)
	return err
}

// gives runs code and compares its result, as JSON.
func (h *harness) gives(when, code, want string) {
	h.t.Helper()
	if got := h.run(code); got != want {
		h.t.Errorf("%s: %s gives %s, want %s", when, code, got, want)
	}
}

// refuses runs pieces of code, each of which must fail with a message that has its text.
func (h *harness) refuses(wants map[string]string) {
	h.t.Helper()
	for code, want := range wants {
		if err := h.try(code); err == nil || !strings.Contains(err.Error(), want) {
			h.t.Errorf("%s: %v, want %q", code, err, want)
		}
	}
}

// load runs a file with that code.
func (h *harness) load(name, code string) error {
	h.t.Helper()
	testkit.Write(h.t, h.dir, "lua/"+name, code)
	file := filepath.Join(h.dir, "lua", name)
	defer h.vm.Arm()()
	_, err := h.vm.Load(file, h.vm.Loaded(file))
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
		h.gives("after 20 ms", "return log", `"a"`)
		h.pass(105 * time.Millisecond) // 30, 50, 60, 90, 100, 120
		h.gives("after 125 ms", "return log", `"a.b..c."`)
		h.run("session:clearInterval(tick)")
		h.pass(time.Minute)
		h.gives("after clearInterval", "return log", `"a.b..c."`)
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
		h.gives("ticks", "return n", "1")
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
		h.gives("what ran", "return {ran = ran or false, count = count}", `{"count":1,"ran":false}`)
	})
}

func TestTimerFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		h.run("session:setTimeout(function()\nerror('late') end, 10)\nsession:setInterval(function() error({code = 1}) end, 1000)")
		h.pass(2500 * time.Millisecond)
		h.wantFailed("timer: test:2: late", "timer: table", "timer: table")
		h.refuses(map[string]string{
			"session:setTimeout(1, 2)":                                "function expected",
			"session:setTimeout(print)":                               "number expected",
			"session.setTimeout(print, 1)":                            "function expected",
			"session:setInterval(print, {})":                          "number expected",
			"for i = 1, 20000 do session:setTimeout(print, 1e12) end": "there are 10000 timers already",
		})
	})
}

// An interval whose function had to be stopped would block the session again and again.
func TestRunawayIntervalEnds(t *testing.T) {
	queue := make(chan func(), 1)
	var failed []string
	vm := open(lua.Options{
		Dir: t.TempDir(), Timeout: 20 * time.Millisecond,
		Failed: func(kind string, err error) { failed = append(failed, lua.Message(err)) },
	}, async.Options{After: func(_ time.Duration, f func()) func() {
		select {
		case queue <- f:
		default: // an interval was set before
		}
		return func() {}
	}})
	defer vm.Close()
	wait.Until(t, "the interval is set in time", func() bool {
		defer vm.Arm()()
		_, err := vm.Run("test", "session:setInterval(function() while true do end end, 1)")
		return err == nil
	})
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
		h := newHarness(t, func(o *async.Options) {
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
		var got async.Request
		h := newHarness(t, func(o *async.Options) {
			o.HTTP = func(ctx context.Context, req async.Request) (async.Response, error) {
				switch {
				case strings.HasSuffix(req.URL, "/x"):
					got = req // the first of them
				case strings.HasSuffix(req.URL, "/slow"):
					<-ctx.Done()
					return async.Response{}, ctx.Err()
				case strings.HasSuffix(req.URL, "/bad"):
					return async.Response{}, errors.New("connection refused")
				}
				return async.Response{Status: 201, Header: map[string]string{"X-Kind": "test"}, Body: []byte(`{"a":[1,2]}`)}, nil
			}
		})
		h.run(`session:http({url = "http://127.0.0.1/x", json = {n = 1}, headers = {["X-A"] = 7}}, function(r, err)
			res = {r.status, r.ok, r.headers["x-kind"], r.body, r:json().a[2], r.json().a[1], tostring(err)} end)`)
		h.pass(time.Millisecond)
		if diff := cmp.Diff(async.Request{Method: "POST", URL: "http://127.0.0.1/x", Body: []byte(`{"n":1}`), Limit: lua.MaxAnswer,
			Header: map[string]string{"content-type": "application/json", "x-a": "7"}}, got); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		h.gives("the response", "return res", `[201,true,"test","{\"a\":[1,2]}",2,1,"nil"]`)
		h.run(`session:http("https://example.org/bad", function(r, err) bad = {tostring(r), err} end)
		session:http({url = "https://example.org/slow", timeout = 1500}, function(r, err) slow = err end)
		session:http("https://example.org/bad")
		cancelled = session:http("https://example.org/slow", function() called = true end)
		cancelled:cancel() cancelled.cancel()
		session:setTimeout(function() session:http("http://y/", function() error("in callback") end) end, 1)`)
		h.pass(2 * time.Second)
		h.gives("failures", "return {bad, slow, called or false}", `[["nil","connection refused"],"no answer within 1.5s",false]`)
		h.wantFailed("callback: session:http: connection refused", "callback: test:6: in callback")
		h.refuses(map[string]string{
			`session:http("file:///etc/passwd")`:                         `"file:///etc/passwd" is no URL with http:// or https://`,
			`session:http("x")`:                                          "is no URL",
			`session:http()`:                                             "a URL or a table",
			`session:http({url = "http://x/", timeout = "soon"})`:        "timeout must be a number",
			`session:http({url = "http://x/", headers = {a = "b\r\n"}})`: "texts of one line",
			`session:http({url = "http://x/", json = 0/0})`:              "is no JSON number",
			`session:http("http://x/", 5)`:                               "function expected",
		})
	})
}

func TestExec(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got lua.Command
		h := newHarness(t, func(o *async.Options) {
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
		h.gives("results", "return {res, err}", `[[3,"out\nmore\n","err\n","nil"],"no such program"]`)
		if got := h.run(`local p = io.popen("cmd 'x'")
		local lines = {} for l in p:lines() do lines[#lines + 1] = l end
		local q = io.popen("again", "r") local first, rest, none = q:read("*l", "*a", "*l")
		local code = q:close() local ok, err = pcall(q.read, q)
		return {lines, first, rest, tostring(none), code, err, os.execute("true"), os.execute()}`); got !=
			`[["out","more"],"out","more\n","nil",3,"test:4: attempt to use a closed file",3,true]` {
			t.Error(got)
		}
		if len(got.Argv) != 3 || got.Argv[2] != "true" {
			t.Errorf("os.execute ran %q", got.Argv)
		}
		h.refuses(map[string]string{
			`session:exec("ls")`:       "table expected",
			`session:exec({})`:         "is empty",
			`session:exec({print})`:    "argument 1 is a function",
			`io.popen("x", "w")`:       "io.popen only reads",
			`io.popen("x"):write("y")`: "was not opened for this",
			`io.popen("x"):read("*x")`: "invalid format",
		})
	})
}

func TestTooManyJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, func(o *async.Options) {
			o.HTTP = func(ctx context.Context, _ async.Request) (async.Response, error) {
				<-ctx.Done()
				return async.Response{}, ctx.Err()
			}
		})
		h.refuses(map[string]string{`for i = 1, 100 do session:http("http://x/") end`: "64 requests and processes are under way"})
	})
}

// Functions that the server or the command line has disabled say so.
func TestSwitchedOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, func(o *async.Options) { *o = async.Options{} })
		h.refuses(map[string]string{
			`session:http("http://x/")`: "session:http is switched off, by --no-http",
			`session:exec({"ls"})`:      "session:exec is switched off, by --no-exec",
		})
	})
}

// The session's memory is counted while something without a callback is under way, and callbacks
// count.
func TestMemoryOfCallbacks(t *testing.T) {
	never := func(func(context.Context) func()) {}
	vm := open(lua.Options{Dir: t.TempDir(), Timeout: wait.Patience, MemoryLimit: 16 << 20}, async.Options{
		Background: never, After: func(time.Duration, func()) func() { return func() {} },
		Effects: async.Effects{Exec: func(context.Context, lua.Command) (lua.Result, error) { return lua.Result{}, nil }},
	})
	defer vm.Close()
	for _, code := range []string{
		`session:exec({"a program without a callback"}) held = {} for i = 1, 1e9 do held[i] = {i} end`,
		`held = nil local held = {} session:setTimeout(function() return held end, 1e9) for i = 1, 1e9 do held[i] = {i} end`,
	} {
		disarm := vm.Arm()
		_, err := vm.Run("test", code)
		disarm()
		if err == nil || !strings.Contains(lua.Message(err), "out of memory") {
			t.Errorf("%s: %v", code, err)
		}
	}
}
