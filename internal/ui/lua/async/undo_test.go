package async_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/ui/lua/async"
)

// belling is terminals whose watchers ring a bell each second. Making one takes a second.
type belling struct {
	room
	open, made atomic.Int64 // watchers
}

// Watch implements [async.Terminals].
func (b *belling) Watch(ctx context.Context, id string) (func() ([]async.TerminalEvent, error), error) {
	if id == "" {
		return b.room.Watch(ctx, id)
	}
	time.Sleep(time.Second) // the context's end does not stop it
	b.made.Add(1)
	b.open.Add(1)
	context.AfterFunc(ctx, func() { b.open.Add(-1) })
	return func() ([]async.TerminalEvent, error) {
		select {
		case <-time.After(time.Second):
			return []async.TerminalEvent{{Bell: true}}, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}, nil
}

// A terminal that is removed while its watcher is being made leaves no watcher open.
func TestWatcherOfARemovedTerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &belling{room: room{list: []async.Terminal{{Name: "a", ID: "@1", State: "prompt"}}}}
		h := newHarness(t, func(o *async.Options) { o.Terminals = func() async.Terminals { return b } })
		h.run(`terminal.get("a"):on("bell", function() end)`)
		h.pass(time.Millisecond)
		b.set()
		h.run(`terminal.list()`)
		h.pass(time.Minute)
		if b.made.Load() != 1 || b.open.Load() != 0 {
			t.Errorf("%d watchers were made, and %d are open", b.made.Load(), b.open.Load())
		}
	})
}

// A file that fails while it runs again neither adds handlers to terminals nor ends any.
func TestFailingFileKeepsHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &belling{room: room{list: []async.Terminal{{Name: "a", ID: "@1", State: "prompt"}}}}
		h := newHarness(t, func(o *async.Options) { o.Terminals = func() async.Terminals { return b } })
		if err := h.load("a.lua", `a, rings, cancelled = terminal.get("a"), 0, 0
			a:on("bell", function() rings = rings + 1 end)
			other = a:on("bell", function() cancelled = cancelled + 1 end)`); err != nil {
			t.Fatal(err)
		}
		h.pass(10500 * time.Millisecond)
		before := h.run("return {rings, cancelled}")
		if err := h.load("a.lua", `a:on("bell", function() error("new") end) other.cancel() error("late")`); err == nil {
			t.Fatal("no error")
		}
		h.pass(time.Second)
		if after := h.run("return {rings, cancelled}"); before != "[9,9]" || after != "[10,10]" {
			t.Errorf("handlers were called %s times, and then %s", before, after)
		}
		if err := h.load("a.lua", `a:on("bell", function() rings = rings + 100 end) other.cancel()`); err != nil {
			t.Fatal(err)
		}
		h.pass(time.Second)
		h.gives("after a file that works", "return {rings, cancelled}", "[110,10]")
		h.wantFailed()
	})
}

// What a module has done stays undone where the file that requires it catches the error, and the
// order in which things are undone does not matter.
func TestCaughtModuleIsUndone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, nil)
		bad := h.load("bad.lua", `extra = 1 Thing = session:prototype("Thing", {})
			local id = session:setInterval(function() error("bad") end, 1) session:clearInterval(id) session:clearInterval(good)
			string.trim = function() end session:setTimeout(function() error("bad") end, 1) error("late")`)
		if bad == nil {
			t.Fatal("bad.lua works")
		}
		for name, code := range map[string]string{
			"pcall":     `ok = pcall(require, "bad")`,
			"xpcall":    `ok = xpcall(function() require("bad") end, function() end)`,
			"coroutine": `ok = coroutine.resume(coroutine.create(function() require("bad") end))`,
		} {
			if err := h.load(name+".lua", `ticks = 0 good = session:setInterval(function() ticks = ticks + 1 end, 10) `+code); err != nil {
				t.Fatal(err)
			}
			h.pass(time.Second)
			h.gives(name, "session:clearInterval(good) return {ok, extra == nil and Thing == nil and string.trim == nil, ticks > 50}", "[false,true,true]")
			h.wantFailed()
		}
	})
}

// A file that fails gets no results of what it has begun in terminals, and takes none from others.
func TestFailingFileGetsNoResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{list: []async.Terminal{{Name: "a", ID: "@1", State: "prompt"}}, slow: time.Second}
		h := newHarness(t, func(o *async.Options) { o.Terminals = func() async.Terminals { return r } })
		h.run(`a, log = terminal.get("a"), "" old = a:run("ls", function() log = log .. "old" end)`)
		if err := h.load("a.lua", `local function new() error("new") end
			old.cancel()
			a:run("ls", new) a:send("x", new) a:submit("x", new) a:call("session.get", {}, new) a:wait("prompt", new)
			a:overlay({lines = {}}, new) terminal.create({name = "b"}, new)
			error("late")`); err == nil || !strings.Contains(err.Error(), "late") {
			t.Fatalf("error: %v", err)
		}
		h.pass(time.Minute)
		h.wantFailed()
		h.gives("log", "return log", `"old"`)
	})
}

// What handlers of terminals do is not undone with a file that looked at the terminals and failed.
func TestFailingFileUndoesNoHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &room{list: []async.Terminal{{Name: "a", ID: "@1", State: "prompt"}}}
		h := newHarness(t, func(o *async.Options) { o.Terminals = func() async.Terminals { return r } })
		h.run(`terminal.get("a"):on("exit", function() ended = true session:setTimeout(function() later = true end, 10) end)`)
		r.set()
		if err := h.load("a.lua", `assert(#terminal.list() == 0) error("late")`); err == nil || !strings.Contains(err.Error(), "late") {
			t.Fatalf("error: %v", err)
		}
		h.pass(time.Second)
		h.gives("the handler", "return {ended, later}", "[true,true]")
		h.wantFailed()
	})
}
