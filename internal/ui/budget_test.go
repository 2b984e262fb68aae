package ui_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// slowRows is an app with eight rows that take forever to read, each in its own way and through its
// own function, and good rows before, between and after them.
var slowRows = map[string]string{
	"apps/slow/app.lua": `
Slow = session:prototype("Slow", {rows = EMPTY, first = "first", last = "last"})
Row = session:prototype("Row", {name = "row"})
local function loop(kind) return function() local c = slow and slow.counts or {} c[kind] = (c[kind] or 0) + 1 while armed do end return kind end end
armed = false
function Slow:fill()
	self.rows = {}
	for i = 1, 8 do
		local row = Row:new({name = "row " .. i})
		row.text = loop("text " .. i)
		row.thing = setmetatable({x = 1}, {__tostring = loop("thing " .. i)})
		row.other = setmetatable({}, {__index = loop("other " .. i)})
		self.rows[i] = row
	end
end
if not session.reloading then slow = Slow:new() slow:fill() end`,
	"apps/slow/viewdefs/Slow.DEFAULT.html":  `<template><p ui-value="first"></p><ul ui-viewlist="rows"><li></li></ul><p ui-value="last"></p></template>`,
	"apps/slow/viewdefs/Row.list-item.html": `<template><li><b ui-value="name"></b> <i ui-value="text()"></i> <u ui-value="thing"></u> <s ui-value="other.x"></s></li></template>`,
}

// A pass has one budget: bindings that take too long are reported, remembered and not read again;
// all others are read.
func TestSlowBindingsArePaidForOnce(t *testing.T) {
	w := newLimitedWorld(t, slowRows, time.Second)
	w.display("slow")
	w.run(`armed, slow.counts = true, {} slow.first = "changed first" slow.last = "changed last"
		for _, r in ipairs(slow.rows) do r.name = r.name .. "!" end`)
	blamed := w.problems()
	for _, p := range blamed {
		if !strings.Contains(p, "Row.list-item.html") || !strings.Contains(p, "stopped after") {
			t.Errorf("blamed is %q", p)
		}
	}
	if len(blamed) == 0 {
		t.Fatal("nothing is blamed")
	}
	text := w.inspect(ui.Inspection{})
	for _, want := range []string{"changed first", "changed last", "row 1!", "row 8!"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown:\n%s", want, text)
		}
	}
	// Later passes, and pages that connect, run none of it. (Running new code does: it may be
	// fixed.)
	before := w.counts()
	for range 3 {
		if err := w.session.Do(t.Context(), func(*ui.Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
		w.connect()
	}
	if diff := cmp.Diff(before, w.counts()); diff != "" {
		t.Errorf("called again (-before +after):\n%s", diff)
	}
	// New code is tried, and works.
	w.run("armed = false")
	want(t, "still", w.problems())
}

// counts are how often each loop was entered, without a call of ui_run.
func (w *world) counts() map[string]int {
	w.t.Helper()
	state, err := w.session.State(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.session.Do(w.t.Context(), func(*ui.Tx) error { return nil }); err != nil {
		w.t.Fatal(err)
	}
	var app struct{ Counts map[string]int }
	if err := json.Unmarshal(state, &app); err != nil {
		w.t.Fatal(err)
	}
	return app.Counts
}

// A page that connects gets what was read; the app's code does not run for it.
func TestConnectingRunsNoCode(t *testing.T) {
	w := newLimitedWorld(t, map[string]string{
		"apps/odd/app.lua": `Odd = session:prototype("Odd", {})
n, slow = 0, false
if not session.reloading then
	odd = Odd:new()
	odd.thing = setmetatable({x = 1}, {__tostring = function() n = n + 1 while slow do end return "a thing" end})
end`,
		"apps/odd/viewdefs/Odd.DEFAULT.html": `<template><p ui-value="thing"></p><ul ui-viewlist="list?wrapper=lua.ViewList"><li></li></ul></template>`,
	}, time.Second)
	w.display("odd")
	w.run("slow = true n = 0")
	p := w.connect()
	if got := string(p.take()[0].Root); !strings.Contains(got, "a thing") {
		t.Errorf("the snapshot is %s", got)
	}
}

// What a page does for an act that was given up has no effect, though the page wakes up later. The
// next act goes to a page that answers.
func TestActThatIsGivenUp(t *testing.T) {
	w := (&world{t: t, limit: patience, actTimeout: 50 * time.Millisecond}).startWith(actFiles)
	w.display("a")
	other, asleep := w.connect(), w.connect()
	other.take()
	asleep.take()
	remove, binding := w.ref("Remove", 0), w.binding("action", "remove()")
	asks := func(p *page, which string) {
		t.Helper()
		w.act(remove, click)
		if got := p.takeTypes(); got != "act" {
			t.Errorf("%s got %q, and was to be asked", which, got)
		}
	}

	if text, err := w.act(remove, click); fault.KindOf(err) != fault.Precondition || !strings.HasPrefix(err.Error(), "it was not done: ") {
		t.Errorf("an act on a page that sleeps: %q, %v", text, err)
	}
	if got := asleep.takeTypes(); got != "act" {
		t.Errorf("the page that came last got %q", got)
	}
	asleep.send(`{"type":"events","ref":1,"act":1,"events":[[%s]]}`, binding)
	asleep.send(`{"type":"acted","id":1}`)
	w.gives("rows when the page has woken up", "return #a.rows", "2")
	if m := asleep.take(); len(m) != 1 || m[0].Type != "ack" || len(m[0].Stale) > 0 || m[0].Error != "" {
		t.Errorf("the page got %+v", m)
	}
	asks(asleep, "a page that has woken up")
	asks(other, "the page after one that does not answer")
	other.send(`{"type":"visible","on":true}`)
	asleep.send(`{"type":"visible","on":false}`)
	asks(other, "the page beside one that nobody sees")
	other.send(`{"type":"visible","on":false}`)
	asks(asleep, "of two that nobody sees, the one that was used last")
	asleep.send(`{"type":"events","ref":2,"act":5,"events":[[%s]]}`, binding) // another page was asked
	other.send(`{"type":"events","ref":1,"events":[[%s]]}`, binding)
	w.gives("rows after a click of the person", "return #a.rows", "1")
}

// A call that is cancelled ends at the next instruction of the app's code, and says so; what the
// person does runs on.
func TestCancelledCalls(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	for _, c := range []struct{ what, code, want string }{
		{"an endless loop", "a.text = 'begun' mcp.leave() while true do end", "stopped, because the call was cancelled; what it had done before stays"},
		{"errors that are caught", "a.text = 'begun' mcp.leave() while true do pcall(function() while true do end end) end", "stopped, because the call was cancelled"},
		{"an effect that comes later", "a.text = 'begun' mcp.leave() for i = 1, 100 do end a.text = 'done'", "stopped, because the call was cancelled"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		w.leave = cancel
		err := w.session.Do(ctx, func(tx *ui.Tx) error {
			_, err := tx.Run(c.code)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
		w.gives(c.what+": the text", "return a.text", `"begun"`)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.session.Do(ctx, func(*ui.Tx) error { t.Error("it ran"); return nil }); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "nothing was done: ") {
		t.Errorf("a call that was cancelled before: %v", err)
	}
	// The page leaves while a method of the app runs that the person has called.
	w.run("function A:select() mcp.leave() for i = 1, 100 do end self.text = 'done' end")
	p := w.connect()
	ctx, w.leave = context.WithCancel(t.Context())
	if err := w.session.Receive(ctx, p, []byte(`{"type":"events","ref":1,"events":[[`+w.binding("action", "select()")+`]]}`)); err != nil {
		t.Error(err)
	}
	// And an agent, whose act the method belongs to.
	w.gives("what a person does: the text", "local t = a.text a.text = '' return t", `"done"`)
	w.session.Detach(p)
	ctx, w.leave = context.WithCancel(t.Context())
	if _, err := w.session.Act(ctx, w.ref("Other", 0), click); err == nil {
		t.Error("an act that was cancelled")
	}
	w.gives("a cancelled act: the text", "return a.text", `""`)
}
