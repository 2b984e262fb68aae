package ui_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	if list := w.problems(); list != nil {
		t.Errorf("still: %q", list)
	}
}

// counts are how often each loop was entered, without a call of ui_run.
func (w *world) counts() map[string]int {
	w.t.Helper()
	state := make(chan json.RawMessage, 1)
	if err := w.session.Do(w.t.Context(), func(tx *ui.Tx) error { state <- tx.State(); return nil }); err != nil {
		w.t.Fatal(err)
	}
	var app struct{ Counts map[string]int }
	if err := json.Unmarshal(<-state, &app); err != nil {
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
