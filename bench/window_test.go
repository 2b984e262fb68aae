package bench

import (
	"fmt"
	"testing"
	"time"

	"ui-mcp/internal/testkit/browser"
)

// BenchmarkWindow displays 100,000 rows, of which the page holds those near the viewport, in a real
// Chromium. It measures the first paint, a change of a visible row until the page displays it, the
// insertion of a row at the start, and a jump to another position until its rows are there.
func BenchmarkWindow(b *testing.B) {
	const n = 100_000
	app := map[string]string{
		"apps/rows/app.lua":                      rows["apps/rows/app.lua"],
		"apps/rows/viewdefs/Rows.DEFAULT.html":   `<template><ul ui-viewlist="items?window"></ul></template>`,
		"apps/rows/viewdefs/Item.list-item.html": rows["apps/rows/viewdefs/Item.list-item.html"],
	}
	p := start(b, app)
	p.call("ui_display", map[string]any{"name": "rows"})
	p.run(fmt.Sprintf("rows:fill(%d)", n))

	b.Run("paint", func(b *testing.B) {
		person := browser.New(b)
		var times stopwatch
		for b.Loop() {
			tab := person.Tab()
			tab.Open(p.url + "/1/")
			ms := browser.Eval[float64](tab, fmt.Sprintf(painted, 30))
			times = append(times, time.Duration(ms*float64(time.Millisecond)))
			tab.Close()
		}
		times.report(b)
		b.ReportMetric(float64(p.memory())/(1<<20), "MiB")
	})
	b.Run("change", func(b *testing.B) {
		pg, _ := p.open()
		var times stopwatch
		i := 0
		for b.Loop() {
			i++
			call := params(b, "ui_run", map[string]any{"code": fmt.Sprintf("rows.items[%d].name = 'changed %d'", i%20+1, i)})
			begin := time.Now()
			p.send("tools/call", call)
			pg.next("batch")
			times = append(times, time.Since(begin))
			p.answer()
		}
		times.report(b)
		pg.conn.CloseNow()
	})
	for _, tt := range []struct{ name, code, row string }{
		{"change/painted", "rows.items[5].name = '%s'", "new %d"},
		{"insert/painted", "table.insert(rows.items, 1, Item:new({ name = '%s' }))", "first %d"},
	} {
		b.Run(tt.name, func(b *testing.B) {
			tab := openRows(b, p)
			var times stopwatch
			i := 0
			for b.Loop() {
				i++
				name := fmt.Sprintf(tt.row, i)
				browser.Eval[int](tab, fmt.Sprintf(changed, name))
				begin := time.Now()
				p.run(fmt.Sprintf(tt.code, name))
				browser.Eval[bool](tab, `changed`)
				times = append(times, time.Since(begin))
			}
			times.report(b)
		})
	}
	b.Run("jump/painted", func(b *testing.B) {
		tab := openRows(b, p)
		var times stopwatch
		i := 0
		for b.Loop() {
			i++
			ms := browser.Eval[float64](tab, fmt.Sprintf(jumped, float64(i*37%100)/100))
			times = append(times, time.Duration(ms*float64(time.Millisecond)))
		}
		times.report(b)
	})
}

// BenchmarkScroll scrolls through 100,000 rows at several speeds, in pixels per frame, and by jumps
// of the scroll bar to places all over the list. It reports in how many of a hundred frames a
// placeholder was visible, and in how many a part of the list showed neither rows nor a
// placeholder.
func BenchmarkScroll(b *testing.B) {
	app := map[string]string{
		"apps/rows/app.lua":                      rows["apps/rows/app.lua"],
		"apps/rows/viewdefs/Rows.DEFAULT.html":   `<template><ul ui-viewlist="items?window"></ul></template>`,
		"apps/rows/viewdefs/Item.list-item.html": rows["apps/rows/viewdefs/Item.list-item.html"],
	}
	p := start(b, app)
	p.call("ui_display", map[string]any{"name": "rows"})
	p.run("rows:fill(100000)")
	tab := openRows(b, p)
	for _, step := range []int{30, 100, 300, 1000, -100, 0} {
		name := fmt.Sprintf("%dpx", step)
		if step == 0 {
			name = "jumps"
		}
		b.Run(name, func(b *testing.B) {
			var all scrollCounts
			for b.Loop() {
				c := browser.Eval[scrollCounts](tab, fmt.Sprintf(scrolled, step))
				all.Frames += c.Frames
				all.Placeholder += c.Placeholder
				all.Blank += c.Blank
			}
			b.ReportMetric(100*float64(all.Placeholder)/float64(all.Frames), "placeholder-%")
			b.ReportMetric(100*float64(all.Blank)/float64(all.Frames), "blank-%")
		})
	}
}

// scrollCounts are numbers of frames.
type scrollCounts struct{ Frames, Placeholder, Blank int }

// scrolled scrolls by a number of pixels in each of 120 frames, or jumps in each if that is 0. It
// looks right after each step, at what the frame is going to paint.
const scrolled = `new Promise((done) => {
	const step = %d, root = document.scrollingElement;
	const counts = { Frames: 0, Placeholder: 0, Blank: 0 };
	const frame = () => {
		if (counts.Frames === 120) return done(counts);
		counts.Frames++;
		if (step !== 0) root.scrollTop += step;
		else root.scrollTop = counts.Frames * 37 %% 100 / 100 * root.scrollHeight;
		let end = Math.max(document.querySelector("ul").getBoundingClientRect().top, 0), space = false;
		for (const e of document.querySelectorAll("ul > *:not([hidden])")) {
			const { top, bottom } = e.getBoundingClientRect();
			if (bottom <= 0 || top >= innerHeight || top > end + 1) continue;
			end = Math.max(end, bottom);
			if (e.className === "ui-space") space = true;
		}
		if (space) counts.Placeholder++;
		if (end < Math.min(innerHeight, document.querySelector("ul").getBoundingClientRect().bottom) - 1) counts.Blank++;
		requestAnimationFrame(frame);
	};
	root.scrollTop = root.scrollHeight / 2;
	setTimeout(() => requestAnimationFrame(frame), 500); // rows have arrived
})`

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
