package web_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/web"
)

// bare does with the DOM alone what the client does for a list of rows with three bindings; it
// evaluates to the milliseconds that this took.
const bare = `new Promise((done) => requestAnimationFrame(() => {
	document.getElementById("bare")?.remove();
	const names = Array.from({ length: %d }, (_, i) => ["name " + i, "mail" + i + "@example.com", i %% 2 === 0]);
	const template = document.createElement("template");
	template.innerHTML = '<li class="row"><b></b><span></span></li>';
	const proto = template.content.firstChild;
	const start = performance.now();
	const list = document.createElement("ul");
	list.id = "bare";
	for (const [name, mail, on] of names) {
		const row = document.importNode(proto, true);
		row.firstChild.textContent = name;
		row.lastChild.textContent = mail;
		row.classList.toggle("on", on);
		list.append(row);
	}
	document.body.append(list);
	const made = performance.now() - start;
	document.body.offsetHeight;
	const shown = performance.now() - start;
	list.remove();
	done([made, shown]);
}))`

// timed is how long the client takes for its next message.
const timed = `window.timed = new Promise((done) => {
	const start = { now: 0 };
	const parse = JSON.parse;
	JSON.parse = (text) => { start.now = performance.now(); JSON.parse = parse; return parse(text); };
	new MutationObserver((_, observer) => {
		observer.disconnect();
		const made = performance.now() - start.now;
		document.body.offsetHeight;
		done([made, performance.now() - start.now]);
	}).observe(document.documentElement, { attributeFilter: ["data-ui-seq"] });
}); 0`

// BenchmarkMount measures in the browser: milliseconds until the rows of a list are in the document
// (made), and until they are laid out (shown), for the client, parsing included, and for bare
// cloning in the same tab.
func BenchmarkMount(b *testing.B) {
	for _, n := range []int{100, 1_000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := serve(b)
			tab := browser.New(b).Tab()
			tab.Open(s.url + "/1/")
			c := s.accept()
			list := def(1, "L", `<ul data-ui='0'><li></li></ul>`, `[[0,"list",""]]`)
			item := def(2, "R", `<li class='row' data-ui='0'><b data-ui='1'></b><span data-ui='2'></span></li>`,
				`[[0,"class","on"],[1,"value",""],[2,"value",""]]`)
			c.send("%s", snapshot(1, `[1,1,[[]]]`, list, item))
			tab.Wait(`document.documentElement.dataset.uiSeq === "1"`)

			seq, id := 1, 10
			mount := func() [2]float64 {
				rows := make([]string, n)
				for i := range rows {
					id++
					rows[i] = fmt.Sprintf(`[2,%d,[%t,"name %d","mail%d@example.com"]]`, id, i%2 == 0, i, i)
				}
				browser.Eval[int](tab, timed)
				c.send("%s", batch(seq+1, fmt.Sprintf(`["list",1,0,0,0,[%s]]`, strings.Join(rows, ","))))
				took := browser.Eval[[2]float64](tab, "timed")
				seq += 2
				c.send("%s", batch(seq, fmt.Sprintf(`["list",1,0,0,%d,[]]`, n)))
				tab.Wait(fmt.Sprintf(`document.documentElement.dataset.uiSeq === "%d"`, seq))
				return took
			}
			clone := func() [2]float64 { return browser.Eval[[2]float64](tab, fmt.Sprintf(bare, n)) }

			var client, cloned [2]float64
			for range b.N {
				// The first of a kind after the other pays for caches of the layout; the second one
				// counts.
				mount()
				add(&client, mount())
				clone()
				add(&cloned, clone())
			}
			report := func(v float64, unit string) { b.ReportMetric(v/float64(b.N), unit) }
			report(client[0], "made-ms")
			report(client[1], "shown-ms")
			report(cloned[0], "bare-made-ms")
			report(cloned[1], "bare-shown-ms")
			b.ReportMetric(client[1]/cloned[1], "ratio")
			b.ReportMetric(0, "ns/op") // says nothing here
		})
	}
}

func add(sum *[2]float64, v [2]float64) {
	sum[0] += v[0]
	sum[1] += v[1]
}

// BenchmarkSize is what a first visit downloads.
func BenchmarkSize(b *testing.B) {
	js, err := fs.ReadFile(web.Dist(), "main.js")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(js)), "bytes")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkSave measures in the browser, like BenchmarkMount, how long a list of 1,000 rows takes
// to become another version: of the view around them, or of their own definition.
func BenchmarkSave(b *testing.B) {
	const n = 1_000
	for _, of := range []string{"view", "rows"} {
		b.Run(of, func(b *testing.B) {
			s := serve(b)
			tab := browser.New(b).Tab()
			tab.Open(s.url + "/1/")
			c := s.accept()
			seq, id := 1, 10
			next := func() string {
				list := def(id+1, "L.DEFAULT", fmt.Sprintf(`<section><h1>%d</h1><ul data-ui='0'><li></li></ul></section>`, id), `[[0,"list",""]]`)
				title := 0
				if of == "rows" {
					title = id
				}
				item := def(id+2, "R.list-item", fmt.Sprintf(`<li class='row' data-ui='0'><label>Name %d <input data-ui='1'></label><span data-ui='2'></span></li>`, title),
					`[[0,"class","on"],[1,"value","",{"edit":true}],[2,"value",""]]`)
				view := id + 3
				rows := make([]string, n)
				for i := range rows {
					rows[i] = fmt.Sprintf(`[%d,%d,[%t,"name %d","mail%d@example.com"],%d]`, id+2, view+(i+1)*10, i%2 == 0, i, i, 100+i)
				}
				message := fmt.Sprintf(`"defs":[%s,%s],"ops":[["mount",1,0,[%d,%d,[[%s]],99]]]`, list, item, id+1, view, strings.Join(rows, ","))
				id += (n + 2) * 10
				seq++
				return fmt.Sprintf(`{"type":"batch","seq":%d,%s}`, seq, message)
			}
			c.send("%s", snapshot(1, `[1,1,[]]`, def(1, "O", `<main data-ui='0'></main>`, `[[0,"view",""]]`)))
			tab.Wait(`document.documentElement.dataset.uiSeq === "1"`)
			save := func() [2]float64 {
				message := next()
				browser.Eval[int](tab, timed)
				c.send("%s", message)
				return browser.Eval[[2]float64](tab, "timed")
			}
			save() // mounts
			var took [2]float64
			for range b.N {
				add(&took, save())
			}
			b.ReportMetric(took[0]/float64(b.N), "made-ms")
			b.ReportMetric(took[1]/float64(b.N), "shown-ms")
			b.ReportMetric(0, "ns/op") // says nothing here
		})
	}
}
