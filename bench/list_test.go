package bench

import (
	"fmt"
	"maps"
	"testing"
)

// rows is an app with a list of five variables per item: its template's three bindings, and the
// list's item and view.
var rows = map[string]string{
	"apps/rows/app.lua": `
Item = session:prototype("Item", { name = "", note = "", done = false })
Rows = session:prototype("Rows", { items = EMPTY })
function Rows:fill(n)
	self.items = {}
	for i = 1, n do self.items[i] = Item:new({ name = "item " .. i, note = "note " .. i }) end
end
if not session.reloading then rows = Rows:new({ items = {} }) end
`,
	"apps/rows/viewdefs/Rows.DEFAULT.html":   `<template><div ui-view="items?wrapper=lua.ViewList"></div></template>`,
	"apps/rows/viewdefs/Item.list-item.html": `<template><li><b ui-value="name"></b> <i ui-value="note"></i><span ui-class-done="done"></span></li></template>`,
}

// display starts a server that displays the app of rows with n of them, if not 0. files replace
// some of the app's.
func display(b *testing.B, n int, files map[string]string) *process {
	b.Helper()
	app := maps.Clone(rows)
	maps.Copy(app, files)
	p := start(b, app, "--log-level", "error")
	p.call("ui_display", map[string]any{"name": "rows"})
	if n > 0 {
		p.run(fmt.Sprintf("rows:fill(%d)", n))
	}
	return p
}

// BenchmarkChangeOne changes one of n items with ui_run and measures the time until the page has
// the batch, and the processor time of a batch.
func BenchmarkChangeOne(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		p := display(b, n, nil)
		pg, size := p.open()
		b.Run(fmt.Sprintf("items=%d", n), func(b *testing.B) {
			before := p.cpu()
			times := timed(b, func(i int) func() {
				p.send("tools/call", params(b, "ui_run", map[string]any{"code": fmt.Sprintf("rows.items[%d].name = 'changed %d'", i%n+1, i)}))
				pg.next("batch")
				return func() { p.answer() }
			})
			times.report(b)
			b.ReportMetric(float64((p.cpu()-before).Microseconds())/1000/float64(len(times)), "cpu-ms/batch")
			b.ReportMetric(float64(p.memory())/(1<<20), "MiB")
			b.ReportMetric(float64(size)/1024, "snapshot-KiB")
		})
	}
}

// BenchmarkInsertFirst inserts an item at the head of a list of n and removes it again.
func BenchmarkInsertFirst(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		p := display(b, n, nil)
		pg, _ := p.open()
		b.Run(fmt.Sprintf("items=%d", n), func(b *testing.B) {
			insert := params(b, "ui_run", map[string]any{"code": "table.insert(rows.items, 1, Item:new({ name = 'first' }))"})
			remove := params(b, "ui_run", map[string]any{"code": "table.remove(rows.items, 1)"})
			timed(b, func(int) func() {
				p.send("tools/call", insert)
				pg.next("batch")
				return func() {
					p.answer()
					p.request("tools/call", remove)
					pg.next("batch")
				}
			}).report(b)
		})
	}
}
