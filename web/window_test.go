package web_test

import (
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
)

func TestWindowShows(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, list, row, scroller string }{
		{"page", inPage, inList, "document.scrollingElement"},
		{"box", inBox, inList, "box"},
		{"table", aTable, inRow, "box"},
		{"grid", aGrid, inList, "box"},
		{"component", shadow, inList, "inner"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := showLong(t, 1000, test.list, test.row)
			p := l.page
			l.filled()
			is(p, `document.querySelectorAll(".row").length < 120`, true)
			// The scroll bar covers about the whole list.
			total := 0
			for _, r := range l.rows {
				total += r.height
			}
			height := browser.Eval[int](p.Tab, test.scroller+".scrollHeight")
			if test.name == "grid" {
				total = height // as many lines as there are, each as high as its highest row
				is(p, `new Set([...document.querySelectorAll(".row")].filter((r) => Number(r.querySelector(".name").textContent) % 3 === 0).map((r) => r.getBoundingClientRect().left)).size`, 1)
			}
			if height < total*9/10 || height > total*11/10+400 {
				t.Errorf("the list is %d pixels high, want about %d", height, total)
			}
			for _, part := range []float64{0.5, 0.2, 0.9, 1, 0} {
				p.Run(fmt.Sprintf(`%s.scrollTop = %v * %[1]s.scrollHeight`, test.scroller, part))
				l.filled()
				is(p, seesRows, true)
				is(p, `document.querySelectorAll(".row").length < 150`, true)
			}
			is(p, firstSeen, "0")
			p.Run(test.scroller + `.scrollTop = 1e9`)
			l.filled()
			is(p, `[...document.querySelectorAll(".name")].at(-1).textContent`, "999")
			is(p, `uiApp.stats().instances`, len(l.ids)+1)
		})
	}
}

// Scrolling by small steps, in both directions, moves the visible rows by nothing else.
func TestWindowDoesNotJump(t *testing.T) {
	load.Long(t, "TestWindowAnchors keeps what is seen in its place")
	t.Parallel()
	l := showLong(t, 2000, inBox, inList)
	p := l.page
	l.filled()
	p.Run(`box.scrollTop = box.scrollHeight / 2`)
	l.filled()
	for _, step := range []int{-150, 90} {
		for range 40 {
			name := browser.Eval[string](p.Tab, firstSeen)
			before := browser.Eval[int](p.Tab, top(name))
			p.Run(fmt.Sprintf(`box.scrollTop += %d`, step))
			l.filled()
			after := browser.Eval[int](p.Tab, fmt.Sprintf(`(() => { try { return %s } catch { return -1e6 } })()`, top(name)))
			if d := before - step - after; d < -2 || d > 2 {
				t.Fatalf("row %s moved from %d to %d by a step of %d", name, before, after, step)
			}
		}
	}
}

// Rows that come and go above do not move what is seen.
func TestWindowAnchors(t *testing.T) {
	t.Parallel()
	for _, list := range []string{inPage, inBox} {
		l := showLong(t, 1000, list, inList)
		p := l.page
		l.filled()
		p.Run(`const s = document.querySelector("#box") ?? document.scrollingElement; s.scrollTop = s.scrollHeight / 3`)
		l.filled()
		random := rand.New(rand.NewPCG(1, 2))
		name := browser.Eval[string](p.Tab, firstSeen)
		for i := range 12 {
			before := browser.Eval[int](p.Tab, top(name))
			n := 1 + random.IntN(40)
			at := random.IntN(50)
			if i%3 == 2 { // away go rows above
				l.rows = append(l.rows[:at:at], l.rows[at+n:]...)
				n = -n
			} else {
				for range n {
					more := longRow{fmt.Sprintf("new %d", len(l.rows)+10_000*i), 20 + random.IntN(100)}
					l.rows = append(l.rows[:at:at], append([]longRow{more}, l.rows[at:]...)...)
				}
			}
			l.asked[0], l.asked[1] = l.asked[0]+n, l.asked[1]+n // as the server does
			l.send()
			if after := browser.Eval[int](p.Tab, top(name)); after < before-1 || after > before+1 {
				t.Errorf("step %d: row %s moved from %d to %d", i, name, before, after)
			}
			l.filled()
		}
		// At the start, what comes is seen.
		p.Run(`(document.querySelector("#box") ?? document.scrollingElement).scrollTop = 0`)
		l.filled()
		l.rows = append([]longRow{{"very new", 30}}, l.rows...)
		l.send()
		is(p, firstSeen, "very new")
	}
}

// The row in which the person types stays, however far it scrolls away.
func TestWindowKeepsFocus(t *testing.T) {
	t.Parallel()
	l := showLong(t, 1000, inBox, inList)
	p := l.page
	l.filled()
	p.Type(".row:nth-of-type(3) input", "hello")
	name := browser.Eval[string](p.Tab, `document.activeElement.parentNode.querySelector(".name").textContent`)
	p.Run(`document.activeElement.setSelectionRange(1, 3);
		window.blurs = 0; document.activeElement.addEventListener("blur", () => blurs++);
		box.scrollTop = box.scrollHeight / 2`)
	l.filled()
	if l.keep != l.ids[name] || l.keep == 0 {
		t.Fatalf("page keeps %d, want %d", l.keep, l.ids[name])
	}
	is(p, `document.activeElement.value + document.activeElement.selectionStart + document.activeElement.selectionEnd`, "hello13")
	is(p, `blurs`, 0)
	p.Press("X")
	is(p, `document.activeElement.value`, "hXlo")
	// The browser has scrolled to where the person types.
	l.filled()
	is(p, `(() => { const a = document.activeElement.getBoundingClientRect(), b = box.getBoundingClientRect(); return a.top >= b.top - 5 && a.bottom <= b.bottom; })()`, true)
	p.Run(`document.activeElement.blur(); box.scrollTop = box.scrollHeight`)
	l.filled()
	if l.keep != 0 {
		t.Errorf("page still keeps %d", l.keep)
	}
}

// Keys scroll the list.
func TestWindowKeys(t *testing.T) {
	load.Long(t, "TestWindowShows scrolls by other means")
	t.Parallel()
	l := showLong(t, 5000, inBox, inList)
	p := l.page
	l.filled()
	p.Run(`box.focus()`)
	l.scrolls(browser.End)
	p.Wait(`box.scrollTop + box.clientHeight >= box.scrollHeight - 1 && box.scrollTop > 1000`)
	l.filled()
	is(p, `[...document.querySelectorAll(".name")].at(-1).textContent`, "4999")
	is(p, `Math.abs([...document.querySelectorAll(".row")].at(-1).getBoundingClientRect().bottom - box.getBoundingClientRect().bottom) < 2`, true)
	l.scrolls(browser.PageUp)
	p.Wait(`box.scrollTop < was - 100`)
	l.filled()
	l.scrolls(browser.Home)
	p.Wait(`box.scrollTop === 0`)
	l.filled()
	is(p, firstSeen, "0")
	l.scrolls(browser.PageDown)
	p.Wait(`box.scrollTop > 100`)
	l.filled()
}

// Rows that come while a key scrolls to the start or the end do not stop that.
func TestWindowRowsWhileKeysScroll(t *testing.T) {
	load.Long(t, "TestWindowShows scrolls by other means")
	t.Parallel()
	for _, list := range []struct{ name, html string }{
		{"list in a box", inBox},
		{"list that scrolls itself", `<ul id='box' style='height: 400px; overflow: auto; margin: 0; padding: 0' tabindex='0' data-ui='0'><li></li></ul>`},
	} {
		t.Run(list.name, func(t *testing.T) {
			t.Parallel()
			l := showLong(t, 5000, list.html, inList)
			p := l.page
			l.filled()
			p.Run(`box.focus()`)
			p.Run(`box.scrollTop = 100_000`)
			l.filled()
			l.scrolls(browser.End)
			l.filledOnceIs(`box.scrollHeight - box.scrollTop - box.clientHeight < 2 * box.clientHeight`)
			l.scrolls(browser.Home)
			l.filledOnceIs(`box.scrollTop === 0`)
			is(p, firstSeen, "0")
			is(p, `box.scrollTop`, 0)

			// Another key ends that: the list does not scroll on its own.
			l.scrolls(browser.PageDown)
			l.filledOnceIs(`box.scrollTop > 100`)
			l.rows = append([]longRow{{"new", 30}}, l.rows...)
			l.send()
			is(p, `box.scrollTop > 100`, true)
		})
	}
}

// The keys are for the list also if the row that was pressed last is far away by now, and removed.
func TestWindowKeysAfterPress(t *testing.T) {
	load.Long(t, "TestWindowShows scrolls by other means")
	t.Parallel()
	l := showLong(t, 5000, inPage, inList)
	p := l.page
	l.filled()
	p.ClickOn(`document.querySelector(".name")`)
	p.Run(`window.row = document.querySelector(".row"); window.box = document.scrollingElement; box.scrollTop = 100_000`)
	l.filled()
	is(p, `row.isConnected`, false)
	p.Press(browser.End)
	is(p, `box.scrollHeight - box.scrollTop - box.clientHeight < 2`, true)
	p.Press(browser.Home)
	is(p, `box.scrollTop`, 0)
}

// In a text field, these keys move the caret: what scrolls afterwards is not theirs.
func TestWindowEndInField(t *testing.T) {
	load.Long(t, "TestWindowKeepsFocus types in a row")
	t.Parallel()
	l := showLong(t, 1000, inBox, inList)
	p := l.page
	l.filled()
	p.Type(".row:nth-of-type(3) input", "hello")
	p.Press(browser.Home)
	p.Press(browser.End)
	p.Run(`box.scrollTop = 200`)
	browser.Eval[any](p.Tab, `new Promise(requestAnimationFrame)`)
	l.filled()
	l.rows = append([]longRow{{"new", 30}}, l.rows...)
	l.send()
	l.filled()
	is(p, `box.scrollTop > 100 && box.scrollTop < 400`, true)
}

// While the person drags the scroll bar there is one request at a time, and the newest place wins.
func TestWindowFastScroll(t *testing.T) {
	load.Long(t, "TestWindowShows scrolls through the list")
	t.Parallel()
	l := showLong(t, 100_000, inBox, inList)
	p := l.page
	l.filled()
	p.silent()
	p.Run(`window.setTimeout = () => 1`) // the page would ask again after a time without an answer
	p.Run(`box.scrollTop = 100_000`)
	l.listen()
	for i := range 10 {
		p.Run(fmt.Sprintf(`box.scrollTop = %d`, 200_000+100_000*i))
		browser.Eval[any](p.Tab, `new Promise(requestAnimationFrame)`)
		is(p, `document.elementFromPoint(50, box.getBoundingClientRect().top + 200).className`, "ui-space")
	}
	p.silent() // one request is out
	l.send()
	l.filled()
	is(p, seesRows, true)
	is(p, `box.scrollTop > 1_000_000`, true)
}

// Placeholders are painted where rows are missing, in both colour schemes.
func TestWindowPlaceholders(t *testing.T) {
	load.Long(t, "TestWindowShows has rows once they have come")
	t.Parallel()
	for _, test := range []struct{ name, list, row string }{{"list", inBox, inList}, {"table", aTable, inRow}} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			l := showLong(t, 10_000, test.list, test.row)
			p := l.page
			p.Run(`document.documentElement.style.colorScheme = "light dark"; box.style.overflow = "hidden"`)
			l.filled()
			p.Run(`box.scrollTop = 100_000`)
			l.listen() // and does not answer
			is(p, seesRows, false)
			for _, dark := range []bool{false, true} {
				p.Dark(dark)
				file := filepath.Join(t.TempDir(), "space.png")
				p.Screenshot(file)
				if got := paintedLines(t, file, 400); got < 50 || got > 200 {
					t.Errorf("dark = %v: placeholders are on %d of 400 lines", dark, got)
				}
			}
		})
	}
}

// paintedLines counts in how many of the topmost lines of a picture the colours change.
func paintedLines(t *testing.T, file string, lines int) (painted int) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	bounds := picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Min.Y+lines; y++ {
		for x := bounds.Min.X + 1; x < bounds.Max.X; x++ {
			if picture.At(x, y) != picture.At(x-1, y) {
				painted++
				break
			}
		}
	}
	return painted
}

// A list that is not seen asks for nothing more, until it is.
func TestWindowHidden(t *testing.T) {
	load.Long(t, "TestWindowShows has a list that is seen")
	t.Parallel()
	l := &long{ids: map[string]int{}, next: 10, seq: 1, asked: [2]int{0, 10}}
	for i := range 100 {
		l.rows = append(l.rows, longRow{fmt.Sprint(i), 40})
	}
	l.page = show(t, fmt.Sprintf(`[1,1,[{"total":100,"segments":%s}]]`, l.segments()),
		def(1, "Long", `<div id='box' style='height: 800px; overflow: auto' hidden><ul data-ui='0' style='margin: 0; padding: 0'><li></li></ul></div>`, `[[0,"list",""]]`),
		def(2, "Row", inList, `[[0,"value",""],[1,"style","height"]]`))
	browser.Eval[any](l.page.Tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
	l.page.silent()
	l.page.Run(`box.hidden = false`)
	l.listen()
	l.send()
	l.filled()
	is(l.page, `box.scrollHeight`, 4000)
	// A smaller list, another width, a list that is empty.
	l.rows = l.rows[:30]
	l.send()
	l.filled()
	is(l.page, `box.scrollHeight`, 1200)
	l.rows = nil
	l.send()
	is(l.page, `document.querySelector("ul").children.length`, 0)
	// A list that is windowed no more.
	l.page.apply(l.seq+1, `["list",1,0,0,0,[[2,9000,["all","5px"]]]]`)
	is(l.page, `document.querySelector("ul").textContent`, "all")
}

// Stripes stay with their rows.
func TestWindowStripes(t *testing.T) {
	load.Long(t, "TestWindowShows displays the rows")
	t.Parallel()
	l := showLong(t, 1000, inBox, inList)
	p := l.page
	l.filled()
	const odd = `[...document.querySelectorAll(".row")].every((r) => r.matches(":nth-child(odd)") === (Number(r.querySelector(".name").textContent) % 2 === 0))`
	is(p, odd, true)
	p.Run(`box.scrollTop = 17_000`)
	l.filled()
	is(p, odd, true)
}

// After a reconnect the page asks again for what it sees.
func TestWindowReconnects(t *testing.T) {
	load.Long(t, "TestReconnect has a list without a window")
	t.Parallel()
	l := showLong(t, 1000, inBox, inList)
	p := l.page
	l.filled()
	p.Run(`box.scrollTop = 10_000`)
	l.filled()
	name := browser.Eval[string](p.Tab, firstSeen)
	p.kill()
	p.conn = p.server.accept()
	l.asked, l.ids = [2]int{0, 50}, map[string]int{}
	p.send("%s", snapshot(50, fmt.Sprintf(`[1,1,[{"total":1000,"segments":%s}]]`, l.segments()),
		def(1, "Long", inBox, `[[0,"list",""]]`),
		def(2, "Row", inList, `[[0,"value",""],[1,"style","height"]]`)))
	p.at(50)
	l.seq = 50
	l.filled()
	is(p, firstSeen, name)
}

// A removed list neither listens nor sends anything.
func TestWindowFrees(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.head = `<script>
		window.observed = 0;
		const observe = ResizeObserver.prototype.observe, disconnect = ResizeObserver.prototype.disconnect;
		ResizeObserver.prototype.observe = function (e) { observed++; this.n = (this.n ?? 0) + 1; return observe.call(this, e); };
		ResizeObserver.prototype.disconnect = function () { observed -= this.n ?? 0; this.n = 0; return disconnect.call(this); };
	</script>`
	p := showOn(s, `[3,1,[null]]`,
		def(1, "Long", inBox, `[[0,"list",""]]`), def(2, "Row", inList, `[[0,"value",""],[1,"style","height"]]`),
		def(3, "Outer", `<main data-ui='0'></main>`, `[[0,"view",""]]`))
	p.Run(`window.otherSizes = observed`) // what the page itself follows
	listeners := func() int { return p.Listeners(`document`) + p.Listeners(`window`) }
	others := listeners()
	for i := range 20 {
		id := 10 + 10*i
		p.apply(2+2*i, fmt.Sprintf(`["mount",1,0,[1,%d,[{"total":500,"segments":[[0,[[2,%d,["a","900px"]]]]]}]]]`, id, id+1))
		p.expect(fmt.Sprintf(`{"type":"window","at":[%d,0],"start":0,"count":19}`, id))
		is(p, `observed > otherSizes`, true)
		if i == 0 && listeners() <= others {
			t.Error("a list that is displayed does not listen")
		}
		p.apply(3+2*i, `["mount",1,0,null]`)
	}
	is(p, `observed - otherSizes`, 0)
	if n := listeners(); n != others {
		t.Errorf("%d listeners are left", n-others)
	}
	is(p, `uiApp.stats().instances`, 1)
	p.silent()
}

const itself = `<div><ul id='box' data-ui='0' style='margin: 0; padding: 0; height: 400px; overflow: auto'><li></li></ul></div>`

// A list that scrolls its own rows shows them wherever it is scrolled to.
func TestWindowScrollsItself(t *testing.T) {
	load.Long(t, "TestWindowShows has a page that scrolls")
	t.Parallel()
	l := showLong(t, 5000, itself, inList)
	p := l.page
	l.filled()
	for _, top := range []int{3000, 5100, 20_000, 90_000, 400} {
		p.Run(fmt.Sprintf(`box.scrollTop = %d`, top))
		l.filled()
		is(p, seesRows, true)
		is(p, fmt.Sprintf(`Math.abs(box.scrollTop - %d) < 200`, top), true)
	}
	// Rows that come above do not move what is seen.
	p.Run(`window.was = document.elementFromPoint(50, box.getBoundingClientRect().top + 100).closest(".row"); window.top0 = was.getBoundingClientRect().top`)
	l.rows = append([]longRow{{"new", 50}}, l.rows...)
	l.asked[0]++
	l.asked[1]++
	l.send()
	is(p, `Math.abs(was.getBoundingClientRect().top - top0) < 1`, true)
}

// A windowed list with scrollOnOutput begins at its end and follows it, whatever scrolls the list,
// until someone scrolls up, by any means, and again when they are back.
func TestWindowScrollOnOutput(t *testing.T) {
	load.Long(t, "TestScrollOnOutput has a list without a window")
	t.Parallel()
	for _, list := range []struct{ name, html, scroller string }{
		{"itself", itself, `box`},
		{"in a box", inBox, `box`},
		{"in the page", inPage, `document.scrollingElement`},
		{"in a component", shadow, `inner`},
	} {
		t.Run(list.name, func(t *testing.T) {
			l := showLongWith(t, 3000, list.html, inList, `{"scrollOnOutput":true}`)
			p := l.page
			p.Run(`window.scroller = ` + list.scroller + `; if (scroller !== document.scrollingElement) scroller.tabIndex = 0`)
			const atEnd = `scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 2`
			last := func() string {
				return fmt.Sprintf(`[...document.querySelectorAll(".name")].at(-1).textContent === %q`, l.rows[len(l.rows)-1].name)
			}
			follows := func(when string) {
				t.Helper()
				l.filledOnceIs(atEnd + " && " + last())
				for i := range 3 {
					l.rows = append(l.rows, longRow{fmt.Sprint(when, " ", i), 40 + 100*i})
					l.asked[1] = len(l.rows)
					l.send()
					l.filledOnceIs(atEnd + " && " + last())
				}
			}
			follows("at first")
			for _, driver := range []struct {
				name       string
				away, back func()
			}{
				{"wheel", func() { p.Wheel(browser.Point{X: 100, Y: 200}, -600) }, func() { p.Wheel(browser.Point{X: 100, Y: 200}, 5000) }},
				{"key", func() { p.Press(browser.PageUp) }, func() { p.Press(browser.End) }},
				// As the script of a click, which ends what the End key has begun: browsers go on
				// with that for a moment.
				{"script", func() { p.Run(`dispatchEvent(new Event("pointerdown")); scroller.scrollTop -= 2000`) }, func() { p.Run(`scroller.scrollTop = scroller.scrollHeight`) }},
			} {
				p.Run(`(scroller === document.scrollingElement ? document.body : scroller).focus(); window.was = scroller.scrollTop`)
				l.until(`scroller.scrollTop < was - 100`, driver.away)
				// The browser may still be scrolling.
				p.Run(`window.was = scroller.scrollTop; window.still = 0`)
				l.filledOnceIs(`(still = scroller.scrollTop === was ? still + 1 : 0, was = scroller.scrollTop, still > 3)`)
				row := browser.Eval[string](p.Tab, firstSeen)
				before := browser.Eval[int](p.Tab, top(row))
				l.rows = append(l.rows, longRow{"unseen by " + driver.name, 40})
				l.send()
				l.filled()
				if after := browser.Eval[int](p.Tab, top(row)); after < before-1 || after > before+1 {
					t.Errorf("away by %s: row %s has moved from %d to %d", driver.name, row, before, after)
				}
				l.until(atEnd+" && "+last(), driver.back)
				follows("after " + driver.name)
			}
		})
	}
}

// until does something, again and again, until a condition in JavaScript holds, and answers the
// page meanwhile.
func (l *long) until(condition string, do func()) {
	l.page.server.t.Helper()
	for start := time.Now(); !browser.Eval[bool](l.page.Tab, condition); l.filled() {
		if time.Since(start) > patience {
			l.page.server.t.Fatalf("wait for %s", condition)
		}
		do()
	}
}

// A script that scrolls away from the end has left it, although content comes before the event
// of the scrolling.
func TestScriptLeavesTheEnd(t *testing.T) {
	t.Parallel()
	var rows []string
	for i := range 30 {
		rows = append(rows, fmt.Sprintf(`[2,%d,["row %d"]]`, 10+i, i))
	}
	p := show(t, `[1,1,[[`+strings.Join(rows, ",")+`]]]`,
		def(1, "Log", `<div><ul data-ui='0' style='margin: 0; padding: 0; height: 300px; overflow: auto' id='box'><li></li></ul></div>`, `[[0,"list","",{"scrollOnOutput":true}]]`),
		def(2, "Row", `<li data-ui='0' style='height: 40px'></li>`, `[[0,"value",""]]`))
	const end, framed = `box.scrollHeight - box.clientHeight - box.scrollTop`, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(%s))))`
	p.Wait(end + ` < 2`)
	for _, more := range []string{`box.lastElementChild.append("more")`, `box.append(box.lastElementChild.cloneNode(true))`} {
		p.Run(`box.scrollTop -= 400; ` + more)
		if got := browser.Eval[float64](p.Tab, fmt.Sprintf(framed, end)); got < 300 {
			t.Errorf("after %s, the view is %v px from the end", more, got)
		}
		p.Run(`box.scrollTop = box.scrollHeight`)
		browser.Eval[bool](p.Tab, fmt.Sprintf(framed, `true`)) // now the page knows
		p.Run(`box.append(box.lastElementChild.cloneNode(true))`)
		p.Wait(end + ` < 2`)
	}
	// So has one that scrolls back to the end reached it.
	p.Run(`box.scrollTop -= 400`)
	browser.Eval[bool](p.Tab, fmt.Sprintf(framed, `true`))
	p.Run(`box.scrollTop = box.scrollHeight; for (let i = 0; i < 5; i++) box.append(box.lastElementChild.cloneNode(true))`)
	if got := browser.Eval[float64](p.Tab, fmt.Sprintf(framed, end)); got > 2 {
		t.Errorf("content that came when the script had returned is not followed: %v px from the end", got)
	}
	// A list that is displayed again is at its end still.
	p.Run(`box.style.display = "none"`)
	browser.Eval[bool](p.Tab, fmt.Sprintf(framed, `true`))
	p.Run(`box.append(box.lastElementChild.cloneNode(true)); box.style.display = ""; box.scrollTop = 0`)
	p.Wait(end + ` < 2`)
}

// The end is followed while rows grow: by their data, by what is unfolded in them, by images and
// fonts that load.
func TestScrollOnOutputThroughGrowth(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/DejaVuSans.ttf.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	font, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	const opts = `[[0,"list","",{"scrollOnOutput":true}]]`
	rows := func(from, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`[2,%d,["row %d","40px"]]`, from+i, i))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	const plain = `<ul data-ui='0' style='margin: 0; padding: 0%s'><li></li></ul>`
	for name, html := range map[string]string{
		"itself":           `<div>` + fmt.Sprintf(plain, `; height: 300px; overflow: auto' id='box`) + `</div>`,
		"in a box":         `<div id='box' style='height: 300px; overflow: auto'>` + fmt.Sprintf(plain, ``) + `</div>`,
		"in the page":      `<div>` + fmt.Sprintf(plain, ``) + `<p>after it</p></div>`,
		"above a long one": `<div id='box' style='height: 300px; overflow: auto'>` + fmt.Sprintf(plain, ``) + `<p style='height: 1000px'>after it</p></div>`,
	} {
		t.Run(name, func(t *testing.T) {
			p := show(t, `[1,1,[`+rows(10, 30)+`]]`, def(1, "Log", html, opts),
				def(2, "Row", `<li class='row' data-ui='1'><b data-ui='0'></b></li>`, `[[0,"value",""],[1,"style","min-height"]]`))
			p.Run(`window.box ??= document.scrollingElement; window.last = () => document.querySelector(".row:last-child")`)
			sees := `box.scrollHeight - box.scrollTop - box.clientHeight < 2`
			if name == "above a long one" {
				sees = `Math.abs(last().parentNode.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom) < 2`
			}
			grows := func(what, statements string) {
				t.Helper()
				p.Run(`window.was = last().parentNode.scrollHeight; ` + statements)
				p.Wait(`last().parentNode.scrollHeight > was + 50`)
				p.Wait(sees)
				if t.Failed() {
					t.Fatal(what)
				}
			}
			p.Wait(sees)
			p.apply(2, `["list",1,0,30,0,`+rows(40, 1)+`]`) // a row that comes later grows, too
			p.Wait(sees)
			p.apply(3, `["set",40,1,"200px"]`, `["set",20,1,"200px"]`)
			p.Wait(`last().offsetHeight >= 200 && ` + sees)
			grows("unfolded", `last().insertAdjacentHTML("beforeend", "<details><summary>more</summary><p style='height: 400px'>x</p></details>");
				last().querySelector("details").open = true`)
			grows("an image", `last().insertAdjacentHTML("beforeend", "<p><img></p>"); last().querySelector("img").src =
				"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='100' height='120'/>"`)
			p.Run(fmt.Sprintf(`window.face = new FontFace("Tall", "url(data:font/ttf;base64,%s)", { ascentOverride: "900%%" });
				document.fonts.add(face)`, base64.StdEncoding.EncodeToString(font)))
			grows("a font", `last().parentNode.style.fontFamily = "Tall, serif"`)
			// What the person has scrolled away from grows without moving them.
			browser.Eval[any](p.Tab, `new Promise((done) => {
				const to = box === document.scrollingElement ? document : box;
				to.addEventListener("scroll", () => requestAnimationFrame(() => done()), { once: true });
				box.scrollTop -= 100;
			})`)
			p.Run(`window.top0 = box.scrollTop`)
			p.apply(4, `["set",40,1,"1500px"]`, `["list",1,0,31,0,`+rows(60, 3)+`]`)
			is(p, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(Math.abs(box.scrollTop - top0) < 2))))`, true)
		})
	}
}
