package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

// actLua is an app with every kind of control, which keeps a log of what happens.
const actLua = `
Row = session:prototype("Row", { name = "", done = false })
Act = session:prototype("Act", {
    rows = EMPTY, log = EMPTY, text = "", live = "", area = "", number = 1, range = 10, date = "", color = "#000000",
    agree = false, pace = "slow", size = "m", tags = EMPTY, sent = 0, closed = true, locked = "x", word = "",
    sltext = "", slon = false, slplan = "free", slsize = "m", slarea = "", selected = nil,
})
local function note(what) table.insert(act.log, what) end
function Row:remove()
    for i, row in ipairs(act.rows) do if row == self then table.remove(act.rows, i) end end
    note("remove " .. self.name)
end
function Row:pick() note("pick " .. self.name) end
function Row:toggled() note("toggled " .. self.name .. " " .. tostring(self.done)) end
function Act:add() table.insert(self.rows, Row:new({ name = "row " .. (#self.log) })) note("add") end
function Act:arg(value) note("arg " .. tostring(value)) end
function Act:keyed(key) note("key " .. tostring(key)) end
function Act:changed() note("changed " .. tostring(self.text)) end
function Act:set(value) note("set " .. tostring(value)) end
function Act:formChanged() note("form changed") end
function Act:send() self.sent = self.sent + 1 note("send") end
function Act:fail() error("no luck") end
function Act:none() return nil end
function Act:logged() return table.concat(self.log, "; ") end
function Act:choose(value) note("choose " .. tostring(value)) end
if not session.reloading then
    act = Act:new({ log = {}, rows = { Row:new({ name = "a" }), Row:new({ name = "b" }) } })
end
`

var actDefs = map[string]string{
	"Act.DEFAULT": `<template><div>
  <p id="log" ui-value="logged()"></p>
  <button ui-action="add()">Add</button>
  <button ui-action="arg(_)" value="7">Arg</button>
  <button ui-event-click="choose(_)" ui-event-click-value="three">Literal</button>
  <button ui-action="add()" disabled>Disabled</button>
  <button ui-action="add()" hidden>Hidden</button>
  <div ui-class-hidden="closed"><button ui-action="add()">Inside</button></div>
  <label>Agree <input type="checkbox" ui-value="agree" ui-event-change="arg(_)"></label>
  <input type="checkbox" aria-label="Both" ui-value="closed" ui-action="add()">
  <input type="radio" name="pace" aria-label="Slow" value="slow" ui-value="pace">
  <input type="radio" name="pace" aria-label="Fast" value="fast" ui-value="pace" ui-event-change="arg(_)">
  <select aria-label="Size" ui-value="size" ui-event-change="arg(_)"><option value="s">Small</option><option value="m">Medium</option><option value="l" disabled>Large</option></select>
  <select aria-label="Tags" multiple ui-value="tags"><option>x</option><option>y</option><option>z</option></select>
  <input aria-label="Live" ui-value="live?keypress" maxlength="12" ui-event-keypress-enter="keyed(_)" ui-event-keypress-ctrl-s="add()">
  <input aria-label="Word" ui-value="set(_)" ui-event-input="arg(_)">
  <input aria-label="Locked" readonly ui-value="locked">
  <textarea aria-label="Area" ui-value="area" ui-event-keypress-ctrl-enter="add()"></textarea>
  <input type="number" aria-label="Number" ui-value="number">
  <input type="range" aria-label="Range" min="0" max="50" step="5" ui-value="range">
  <input type="date" aria-label="Date" ui-value="date">
  <input type="color" aria-label="Color" ui-value="color">
  <input type="file" aria-label="File">
  <form ui-event-submit="send()" ui-event-change="formChanged()">
    <input aria-label="Text" required ui-value="text" ui-event-input="changed()" ui-event-change="changed()">
    <button>Send</button>
    <button type="button" ui-action="fail()">Fail</button>
  </form>
  <form ui-event-submit="send()">
    <sl-input label="Sl text" ui-value="sltext" ui-event-sl-change="changed()"></sl-input><input aria-label="Beside it">
    <sl-button type="submit" ui-action="add()">Sl send</sl-button>
  </form>
  <sl-textarea label="Sl area" ui-value="slarea?keypress"></sl-textarea>
  <sl-checkbox ui-value="slon" ui-event-sl-change="arg(_)">Sl on</sl-checkbox>
  <sl-select label="Sl size" ui-value="slsize" ui-event-sl-change="arg(_)"><sl-option value="s">Small</sl-option><sl-option value="m">Medium</sl-option></sl-select>
  <sl-radio-group label="Sl plan" ui-value="slplan"><sl-radio value="free">Free</sl-radio><sl-radio value="pro">Pro</sl-radio></sl-radio-group>
  <sl-button ui-action="add()">Sl add</sl-button>
  <ul ui-viewlist="rows"><li></li></ul>
</div></template>`,
	"Row.list-item": `<template><li ui-action="pick()"><span ui-value="name"></span>
  <button ui-action="remove()">Remove</button><input aria-label="Name" ui-value="name"></li></template>`,
}

// refs are the references in an inspection.
var refs = regexp.MustCompile(`@([a-z2-7]{4}\d+)`)

// where is the part of an answer that says where something was done.
var where = regexp.MustCompile(`(?m)^(.*) \((in the page|no page is open)[^)]*\)\.$`)

func writeActApp(s *server) {
	s.write("apps/act/app.lua", actLua)
	for key, src := range actDefs {
		s.write("apps/act/viewdefs/"+key+".html", src)
	}
}

// actedOn is one of two sessions that display the same.
type actedOn struct {
	s    *server
	id   string
	seen []string // the references of the last inspection
	line []string // and their lines
}

func (a *actedOn) inspect() string {
	text := a.s.ok("ui_inspect", map[string]any{"sessionId": a.id, "path": "value", "max_tokens": 20000})
	_, text, _ = strings.Cut(text, "\n")
	a.seen, a.line = nil, nil
	for l := range strings.Lines(text) {
		for _, m := range refs.FindAllStringSubmatch(l, -1) {
			a.seen, a.line = append(a.seen, m[1]), append(a.line, l)
		}
	}
	return refs.ReplaceAllString(ids.ReplaceAllString(text, "#"), "@")
}

var ids = regexp.MustCompile(`#\d+`)

func (a *actedOn) act(k int, args map[string]any) string {
	all := map[string]any{"ref": a.seen[k], "sessionId": a.id}
	for key, v := range args {
		all[key] = v
	}
	text, failed := a.s.call("ui_act", all)
	text = refs.ReplaceAllString(ids.ReplaceAllString(where.ReplaceAllString(text, "$1."), "#"), "@")
	return fmt.Sprint(failed, " ", text)
}

// What an agent does has the same effect on an app, and the same answer, with a page and without
// one. TestActs of package web has what a page does with each control in each state.
func TestActAgrees(t *testing.T) {
	load.Long(t, "TestActLeavesUnsentText acts with a page, and the tests of ui without one")
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	writeActApp(s)
	with, without := &actedOn{s: s, id: "1"}, &actedOn{s: s, id: "2"}
	for _, a := range []*actedOn{with, without} {
		s.ok("ui_display", map[string]any{"name": "act", "sessionId": a.id})
	}
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.Wait(`document.querySelector("sl-select")?.updateComplete !== undefined && document.querySelectorAll("li").length === 2`)
	const seed = 11
	random := rand.New(rand.NewPCG(seed, 1))
	texts := []string{"", "x", "Ada Lovelace", "12", "-3.5", "2026-02-03", "#aBcDeF", "a much too long text for that", "two\nlines", "15"}
	choices := []any{"s", "m", "Medium", "l", "x", "pro", "free", []string{"x", "z"}, []string{}, "none"}
	keys := []string{"enter", "ctrl-s", "ctrl-enter", "space", "a", "f5"}
	state := func(a *actedOn) string {
		text, _ := s.call("ui_run", map[string]any{"code": "return act", "sessionId": a.id})
		return text
	}
	counts := map[bool]int{}
	for step := range 60 {
		if d := cmp.Diff(without.inspect(), with.inspect()); d != "" {
			t.Fatalf("step %d: the displays differ, -without +with a page:\n%s", step, d)
		}
		k := random.IntN(len(with.seen))
		var args map[string]any
		switch n := random.IntN(5); n {
		case 0:
			args = map[string]any{"click": true}
		case 1:
			args = map[string]any{"fill": texts[random.IntN(len(texts))]}
		case 2:
			args = map[string]any{"check": random.IntN(2) == 0}
		case 3:
			args = map[string]any{"select": choices[random.IntN(len(choices))]}
		case 4:
			args = map[string]any{"key": keys[random.IntN(len(keys))]}
		}
		line := strings.TrimSpace(with.line[k])
		b := without.act(k, args)
		if strings.Contains(b, "no page is open") {
			continue // nothing but a script or the browser could react
		}
		a := with.act(k, args)
		counts[strings.HasPrefix(a, "false")]++
		if d := cmp.Diff(b, a); d != "" {
			t.Fatalf("step %d: %v on %s: the answers differ, -without +with a page:\n%s", step, args, line, d)
		}
		if d := cmp.Diff(state(without), state(with)); d != "" {
			t.Fatalf("step %d: %v on %s: the states differ, -without +with a page:\n%s\nanswer: %s", step, args, line, d, a)
		}
	}
	if counts[true] < 5 || counts[false] < 5 {
		t.Errorf("%v acts succeeded, which says little", counts)
	}
	var got struct{ Log []string }
	if err := json.Unmarshal([]byte(state(with)), &got); err != nil || len(got.Log) < 5 {
		t.Errorf("the app has noted %d happenings, %v", len(got.Log), err)
	}
}

// An agent does not send what the person has not finished typing, by no click or key in the form.
func TestActLeavesUnsentText(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	s.write("apps/note/app.lua", `Note = session:prototype("Note", { text = "", other = "", sent = 0 })
function Note:send() self.sent = self.sent + 1 end
if not session.reloading then note = Note:new() end`)
	s.write("apps/note/viewdefs/Note.DEFAULT.html", `<template><section><form>
  <input aria-label="Text" ui-value="text"> <button ui-action="send()">Send</button>
</form><input aria-label="Other" ui-value="other"> <button ui-action="send()">Elsewhere</button></section></template>`)
	s.ok("ui_display", map[string]any{"name": "note"})
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.Wait(`document.querySelector("[aria-label=Text]") !== null`)
	a := &actedOn{s: s, id: "1"}
	a.inspect()
	act := func(text string, args map[string]any) string {
		k := slices.IndexFunc(a.line, func(l string) bool { return strings.Contains(l, text) })
		if k < 0 {
			t.Fatalf("no %q in %s", text, a.line)
		}
		return a.act(k, args)
	}
	tab.Type("[aria-label=Text]", "half a w")
	const refused = "the person is typing in it, or in its form"
	for _, text := range []string{
		act("{text: ", map[string]any{"fill": "whole"}), act("{text: ", map[string]any{"key": "enter"}),
		act("button Send", map[string]any{"click": true}), act("button Send", map[string]any{"key": "enter"}),
	} {
		if !strings.Contains(text, refused) {
			t.Errorf("while the person types: %s", text)
		}
	}
	if text := act("{other: ", map[string]any{"fill": "meanwhile"}); !strings.Contains(text, "meanwhile") {
		t.Errorf("another field: %s", text)
	}
	if got := s.ok("ui_run", map[string]any{"code": "return { note.sent, note.text }"}); got != `[0,""]` {
		t.Errorf("while the person types: %s", got)
	}
	tab.Run(`document.activeElement.blur()`)
	if text := act("button Send", map[string]any{"click": true}); strings.Contains(text, refused) {
		t.Errorf("after the edit: %s", text)
	}
	if got := s.ok("ui_run", map[string]any{"code": "return { note.sent, note.text }"}); got != `[1,"half a w"]` {
		t.Errorf("after the edit: %s", got)
	}
}
