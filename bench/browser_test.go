package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/browser"
)

// painted is the time in milliseconds from the start of the navigation until the page has painted a
// given number of rows.
const painted = `new Promise((done) => {
	const look = () => document.querySelectorAll("li").length >= %d
		? requestAnimationFrame(() => setTimeout(() => done(performance.now())))
		: requestAnimationFrame(look);
	look();
})`

// bare is a page that only clones and paints the same elements: a lower bound for every
// server-driven page.
const bare = `<!doctype html><title>bare</title><template><div><li><b></b> <i></i><span></span></li></div></template><div id="list"></div><script>
	const t = document.querySelector("template").content.firstElementChild;
	const all = document.createDocumentFragment();
	for (let i = 1; i <= %d; i++) {
		const row = t.cloneNode(true), li = row.firstElementChild;
		li.children[0].textContent = "item " + i;
		li.children[1].textContent = "note " + i;
		all.append(row);
	}
	document.querySelector("#list").append(all);
</script>`

// BenchmarkFirstPaint opens a page with n rows, five variables each, in a real Chromium.
func BenchmarkFirstPaint(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		file := filepath.Join(b.TempDir(), "bare.html")
		if err := os.WriteFile(file, fmt.Appendf(nil, bare, n), 0o644); err != nil {
			b.Fatal(err)
		}
		p := display(b, n, nil)
		for _, v := range []struct{ name, url string }{{"bare", "file://" + file}, {"ours", p.url + "/1/"}} {
			b.Run(fmt.Sprintf("rows=%d/%s", n, v.name), func(b *testing.B) {
				person := browser.New(b)
				var times stopwatch
				for b.Loop() {
					tab := person.Tab()
					tab.Open(v.url)
					times.add(browser.Eval[float64](tab, fmt.Sprintf(painted, n)))
					tab.Close()
				}
				times.report(b)
			})
		}
		b.Run(fmt.Sprintf("rows=%d/reload", n), func(b *testing.B) {
			tab := browser.New(b).Tab()
			tab.Open(p.url + "/1/")
			var times stopwatch
			for b.Loop() {
				tab.Reload()
				times.add(browser.Eval[float64](tab, fmt.Sprintf(painted, n)))
			}
			times.report(b)
		})
	}
}

// BenchmarkSave measures the time from saving a file until the page displays the change.
func BenchmarkSave(b *testing.B) {
	p := display(b, 10, nil)
	tab := browser.New(b).Tab()
	tab.Open(p.url + "/1/")
	tab.Wait(`document.querySelectorAll("li").length === 10`)
	b.Run("viewdef", func(b *testing.B) {
		timed(b, func(i int) func() {
			testkit.Write(b, p.dir, "apps/rows/viewdefs/Item.list-item.html", fmt.Sprintf(`<template><li class="v%d"><b ui-value="name"></b></li></template>`, i))
			tab.Wait(fmt.Sprintf(`document.querySelectorAll("li.v%d").length === 10`, i))
			return nil
		}).report(b)
	})
	b.Run("lua", func(b *testing.B) {
		testkit.Write(b, p.dir, "apps/rows/viewdefs/Rows.DEFAULT.html", `<template><h1 ui-value="title()"></h1></template>`)
		timed(b, func(i int) func() {
			testkit.Write(b, p.dir, "apps/rows/app.lua", fmt.Sprintf("%s\nfunction Rows:title() return 'title %d' end\n", rows["apps/rows/app.lua"], i))
			tab.Wait(fmt.Sprintf(`document.querySelector("h1").textContent === "title %d"`, i))
			return nil
		}).report(b)
	})
}
