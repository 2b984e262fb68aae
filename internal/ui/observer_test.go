package ui_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui"
)

// observe attaches a client that only looks.
func (w *world) observe() *page {
	w.t.Helper()
	p := &page{w: w, room: -1, observes: true}
	if err := w.session.Attach(w.t.Context(), p.client()); err != nil {
		w.t.Fatal(err)
	}
	return p
}

// An observer gets what pages get, is not counted, and changes nothing.
func TestObserver(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/a/app.lua": `
A = session:prototype("A", { name = "Ann", width = 0, clicks = 0 })
function A:click() self.clicks = self.clicks + 1 end
if not session.reloading then a = A:new() end
`,
		"apps/a/viewdefs/A.DEFAULT.html": `<template><div ui-measure-width="width"><input ui-value="name"><button ui-action="click()">x</button></div></template>`,
	})
	w.display("a")
	o := w.observe()
	if got := o.takeTypes(); got != "snapshot" {
		t.Fatalf("an observer got %q", got)
	}
	counted := func(want int) {
		t.Helper()
		if got := [2]int{w.engine.Clients(), w.engine.Viewed()}; got != [2]int{want, want} {
			t.Errorf("pages and sessions with pages: %v, want %d each", got, want)
		}
	}
	counted(0)
	text, err := w.session.Inspect(t.Context(), ui.Inspection{})
	if err != nil || !strings.HasPrefix(text, "session 1, 0 pages") {
		t.Errorf("inspect: %v, %s", err, text)
	}
	for i, at := range []string{w.binding("value", "name") + `,"Eve"`, w.binding("measure width", "width") + ",300", w.binding("action", "click()")} {
		o.send(`{"type":"events","ref":%d,"seq":1,"events":[[%s]]}`, i+1, at)
		if got := o.take(); len(got) != 1 || got[0].Type != "ack" || got[0].Error != "" {
			t.Errorf("event %d is answered with %+v", i, got)
		}
	}
	o.send(`{"type":"error","message":"a script has failed"}`)
	if got := o.takeTypes(); got != "" || w.engine.Errors() != 0 {
		t.Errorf("an error of the page: %q, %d problems", got, w.engine.Errors())
	}
	w.mustGive("after the events", `return a.name .. a.width .. a.clicks`, `"Ann00"`)
	w.run(`a.name = "Bob"`)
	if got := o.takeTypes(); got != "batch" {
		t.Errorf("after a change: %q", got)
	}
	o.send(`{"type":"resync"}`)
	if got := o.takeTypes(); got != "snapshot" {
		t.Errorf("after a resync: %q", got)
	}
	slow := w.observe()
	slow.mu.Lock()
	slow.room = 0
	slow.mu.Unlock()
	w.run(`a.name = "Cid"`) // what it cannot take makes the session drop it
	slow.send(`{"type":"events","ref":9,"seq":1,"events":[[%s]]}`, w.binding("action", "click()"))
	w.mustGive("after events of an observer that was dropped", `return a.name .. a.clicks`, `"Cid0"`)
	p := w.connect()
	counted(1)
	w.session.Detach(o.client())
	counted(1)
	w.session.Detach(p)
	w.until("the page has left", func() bool { return w.engine.Clients() == 0 })
	counted(0)
}

// Paths lead to what pages can find, and elements to where they are written.
func TestAreas(t *testing.T) {
	files := map[string]string{}
	for name, text := range long {
		files[name] = text
	}
	files["apps/long/viewdefs/Row.list-item.html"] = "<template>\n  <li><b>fix</b>\n    <i ui-value=\"name\"></i></li>\n</template>"
	w := newWorld(t, files)
	w.display("long")
	p := w.connect()
	area, _, err := w.session.Area(t.Context(), "value.items.900")
	if err != nil || len(area.Instances) != 1 || area.Element != -1 {
		t.Fatalf("a row: %+v, %v", area, err)
	}
	if got := p.take(); len(got) < 2 || !strings.Contains(fmt.Sprintf("%s", got[len(got)-1].Ops), "row 900") {
		t.Errorf("pages did not get the row: %+v", got)
	}
	row := area.Instances[0]
	bound, seq, err := w.session.Area(t.Context(), "value.items.900.name")
	if err != nil || bound.Element != 2 || bound.Instances[0] != row || seq == 0 {
		t.Fatalf("a binding: %+v at %d, %v", bound, seq, err)
	}
	places, err := w.session.Places(t.Context(), []finding.Element{
		{Instance: row, Number: 2, Tag: "i"}, {Instance: row, Number: 1, Tag: "b"}, {Instance: row, Number: 1, Tag: "u"}, {Instance: 1 << 40}, {Template: "Long.DEFAULT"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const file = "apps/long/viewdefs/Row.list-item.html"
	want := []finding.Place{
		{Path: "value.items.900", File: file, Line: 3}, {Path: "value.items.900", File: file, Line: 2},
		{Path: "value.items.900", File: file}, {}, {File: "apps/long/viewdefs/Long.DEFAULT.html"},
	}
	if d := cmp.Diff(want, places); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	outline, err := w.session.Inspect(t.Context(), ui.Inspection{Path: "value.items.900"})
	ref := regexp.MustCompile(`@[a-z2-7]{4}\d+`).FindString(outline)
	if err != nil || ref == "" {
		t.Fatalf("no reference in %q, %v", outline, err)
	}
	if got, _, err := w.session.Area(t.Context(), ref); err != nil || got.Instances[0] != row || got.Element != -1 {
		t.Errorf("the row's reference: %+v, %v", got, err)
	}
	if _, _, err := w.session.Area(t.Context(), "@aaaa1"); err == nil {
		t.Error("an unknown reference has an area")
	}
	if whole, _, err := w.session.Area(t.Context(), ""); err != nil || len(whole.Instances) < 3 {
		t.Errorf("everything: %+v, %v", whole, err)
	}
	if _, _, err := w.session.Area(t.Context(), "value.nothing"); err == nil {
		t.Error("a path that leads nowhere has an area")
	}
}
