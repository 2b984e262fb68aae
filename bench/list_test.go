package bench

import (
	"fmt"
	"maps"
	"testing"
	"time"

	"ui-mcp/internal/testkit/browser"
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

// BenchmarkWindow displays 100,000 rows, of which the page holds those near the viewport, in a real
// Chromium. It measures the first paint, a change of a visible row until the page displays it, and
// a jump to another position until its rows are there.
func BenchmarkWindow(b *testing.B) {
	const n = 100_000
	p := display(b, n, map[string]string{"apps/rows/viewdefs/Rows.DEFAULT.html": `<template><ul ui-viewlist="items?window"></ul></template>`})
	b.Run("paint", func(b *testing.B) {
		person := browser.New(b)
		var times stopwatch
		for b.Loop() {
			tab := person.Tab()
			tab.Open(p.url + "/1/")
			times.add(browser.Eval[float64](tab, fmt.Sprintf(painted, 30)))
			tab.Close()
		}
		times.report(b)
		b.ReportMetric(float64(p.memory())/(1<<20), "MiB")
	})
	b.Run("change/painted", func(b *testing.B) {
		tab := openRows(b, p)
		var times stopwatch
		for i := 1; b.Loop(); i++ {
			name := fmt.Sprintf("new %d", i)
			browser.Eval[int](tab, fmt.Sprintf(changed, name))
			begin := time.Now()
			p.run(fmt.Sprintf("rows.items[5].name = '%s'", name))
			browser.Eval[bool](tab, `changed`)
			times = append(times, time.Since(begin))
		}
		times.report(b)
	})
	b.Run("jump/painted", func(b *testing.B) {
		tab := openRows(b, p)
		var times stopwatch
		for i := 1; b.Loop(); i++ {
			times.add(browser.Eval[float64](tab, fmt.Sprintf(jumped, float64(i*37%100)/100)))
		}
		times.report(b)
	})
}

// openRows opens the page in its own Chromium, and waits for its first rows.
func openRows(b *testing.B, p *process) *browser.Tab {
	tab := browser.New(b).Tab()
	tab.Open(p.url + "/1/")
	tab.Wait(`document.querySelectorAll("li").length >= 30`)
	return tab
}

// changed waits until a row with a name is in the page and laid out.
const changed = `window.changed = new Promise((done) => {
	const look = () => {
		if (![...document.querySelectorAll("li b")].some((b) => b.textContent === %q)) return;
		observer.disconnect();
		document.body.offsetHeight;
		done(true);
	};
	const observer = new MutationObserver(look);
	observer.observe(document.body, { subtree: true, childList: true, characterData: true });
}); 0`

// jumped scrolls to a part of the page and returns the time until its rows are visible.
const jumped = `new Promise((done) => {
	const start = performance.now();
	const root = document.scrollingElement;
	root.scrollTop = %v * root.scrollHeight;
	const look = () => {
		const space = [...document.querySelectorAll(".ui-space:not([hidden])")].some((s) => {
			const { top, bottom } = s.getBoundingClientRect();
			return bottom > 0 && top < innerHeight;
		});
		if (space) requestAnimationFrame(look);
		else done(performance.now() - start);
	};
	look();
})`
