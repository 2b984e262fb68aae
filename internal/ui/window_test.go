package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
)

// long is an app with a windowed list.
var long = map[string]string{
	"apps/long/app.lua": `
Long = session:prototype("Long", { items = EMPTY })
Row = session:prototype("Row", { name = "" })
if not session.reloading then
  long = Long:new({ items = {} })
  for i = 1, 1000 do long.items[i] = Row:new({ name = "row " .. i - 1 }) end
end
`,
	"apps/long/viewdefs/Long.DEFAULT.html":  `<template><ul ui-viewlist="items?window"></ul></template>`,
	"apps/long/viewdefs/Row.list-item.html": `<template><li ui-value="name"></li></template>`,
}

// Each page gets the rows that it asks for; when it leaves, its request ends.
func TestWindow(t *testing.T) {
	w := newWorld(t, long)
	w.display("long")
	a, b := w.connect(), w.connect()
	if root := string(a.take()[0].Root); !strings.Contains(root, `"total":1000`) || !strings.Contains(root, `"row 0"`) || strings.Contains(root, `"row 900"`) {
		t.Fatalf("the snapshot is %s", root)
	}
	at := w.binding("list", "items")
	b.take()
	a.send(`{"type":"window","at":[%s],"start":900,"count":3}`, at)
	for _, p := range []*page{a, b} {
		if got := fmt.Sprint(p.takeOps(t)); !strings.HasPrefix(got, `[window [[900,[`) || !strings.Contains(got, "row 902") || strings.Contains(got, "row 903") {
			t.Errorf("got %s", got)
		}
	}
	b.send(`{"type":"window","at":[%s],"start":10,"count":1}`, at)
	if got := fmt.Sprint(a.takeOps(t)); !strings.HasPrefix(got, `[window [[10,[`) || !strings.Contains(got, "[900,[") {
		t.Errorf("two ranges: got %s", got)
	}
	// Only visible rows are reported.
	b.take()
	w.run(`long.items[901].name = "changed" long.items[500].name = "unseen"`)
	if got := fmt.Sprint(b.takeOps(t)); !strings.Contains(got, "changed") || strings.Contains(got, "unseen") {
		t.Errorf("got %s", got)
	}
	w.session.Detach(b)
	a.take()
	w.run(`long.items[11].name = "nobody sees it"`)
	if got := fmt.Sprint(a.takeOps(t)); !strings.HasPrefix(got, "[window [[900,[") || strings.Contains(got, "[10,[") {
		t.Errorf("after a page has left: %s", got)
	}
	for _, bad := range []string{`{"type":"window"}`, `{"type":"window","at":[1,0],"start":-1,"count":1}`, `{"type":"window","at":[1],"start":0,"count":1}`} {
		if err := w.session.Receive(t.Context(), a, []byte(bad)); fault.KindOf(err) != fault.Invalid {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// takeOps returns the operations of the delivered batches.
func (p *page) takeOps(t *testing.T) (all []string) {
	t.Helper()
	for _, m := range p.take() {
		if m.Type == "batch" {
			all = append(all, ops(m)...)
		}
	}
	return all
}
