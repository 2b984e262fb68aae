package bench

import (
	"fmt"
	"testing"
	"time"

	"ui-mcp/internal/testkit/browser"
)

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
