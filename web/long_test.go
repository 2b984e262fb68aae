package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

// A long is the server's side of a windowed list: the rows that there are, and what the page has
// asked for.
type long struct {
	page  *page
	rows  []longRow
	ids   map[string]int // of the rows that the page has
	next  int            // the id before the next new one
	seq   int
	asked [2]int // from, to
	keep  int
}

type longRow struct {
	name   string
	height int
}

const (
	inPage = `<div style='margin: 0'><h1 style='height: 100px; margin: 0'>List</h1><ul data-ui='0' style='margin: 0; padding: 0'><li></li></ul><p>The end</p></div>`
	inBox  = `<div id='box' style='height: 400px; overflow: auto' tabindex='0'><ul data-ui='0' style='margin: 0; padding: 0'><li></li></ul></div>`
	aTable = `<div id='box' style='height: 400px; overflow: auto'><table style='border-spacing: 0'><thead><tr><th>Name</th></tr></thead><tbody data-ui='0'><tr></tr></tbody></table></div>`
	aGrid  = `<div id='box' style='height: 400px; overflow: auto'><ul data-ui='0' style='margin: 0; padding: 0; display: grid; grid-template-columns: 1fr 1fr 1fr; align-items: start; gap: 5px'><li></li></ul></div>`
	shadow = `<x-box><ul data-ui='0' style='margin: 0; padding: 0'><li></li></ul></x-box>`
	inList = `<li class='row' data-ui='1'><b class='name' data-ui='0'></b><input></li>`
	inRow  = `<tr class='row' data-ui='1'><td><b class='name' data-ui='0'></b></td></tr>`
)

// xBox is a component that scrolls what is in it.
const xBox = `<script>customElements.define("x-box", class extends HTMLElement {
	constructor() {
		super();
		this.attachShadow({ mode: "open" }).innerHTML = "<div style='height: 300px; overflow: auto'><slot></slot></div>";
		window.inner = this.shadowRoot.firstChild;
	}
})</script>`

// showLong shows a list of n rows of varying heights.
func showLong(t *testing.T, n int, list, row string) *long {
	t.Helper()
	return showLongWith(t, n, list, row, `{}`)
}

// showLongWith is showLong with options of the list.
func showLongWith(t *testing.T, n int, list, row, opts string) *long {
	t.Helper()
	l := &long{ids: map[string]int{}, next: 10, seq: 1, asked: [2]int{0, 50}}
	for i := range n {
		l.rows = append(l.rows, longRow{fmt.Sprint(i), 20 + i*37%60})
	}
	s := serve(t)
	s.head = xBox
	l.page = showOn(s, fmt.Sprintf(`[1,1,[{"total":%d,"segments":%s}]]`, n, l.segments()),
		def(1, "Long", list, `[[0,"list","",`+opts+`]]`),
		def(2, "Row", row, `[[0,"value",""],[1,"style","height"]]`))
	l.tell()
	return l
}

// segments are the rows that the page has asked for, as JSON; it gets those that it does not have.
func (l *long) segments() string {
	want := map[int]bool{}
	for i := l.asked[0]; i < min(l.asked[1], len(l.rows)); i++ {
		want[i] = true
	}
	ids := map[string]int{}
	var segments, rows []string
	begin := 0
	flush := func() {
		if len(rows) > 0 {
			segments = append(segments, fmt.Sprintf(`[%d,[%s]]`, begin, strings.Join(rows, ",")))
		}
		rows = nil
	}
	for i, r := range l.rows {
		id, has := l.ids[r.name]
		if !want[i] && (l.keep == 0 || id != l.keep) {
			flush()
			continue
		}
		if len(rows) == 0 {
			begin = i
		}
		if has {
			rows = append(rows, fmt.Sprint(id))
		} else {
			l.next++
			id = l.next
			rows = append(rows, fmt.Sprintf(`[2,%d,[%q,"%dpx"]]`, id, r.name, r.height))
		}
		ids[r.name] = id
	}
	flush()
	l.ids = ids
	return "[" + strings.Join(segments, ",") + "]"
}

// send shows the page the rows as they are now.
func (l *long) send() {
	l.page.server.t.Helper()
	l.seq++
	l.page.apply(l.seq, fmt.Sprintf(`["window",1,0,%d,%s]`, len(l.rows), l.segments()))
}

// listen takes the page's next message, which must be a wish for rows.
func (l *long) listen() {
	t := l.page.server.t
	t.Helper()
	select {
	case text := <-l.page.in:
		l.take(text)
	case <-l.page.gone:
		t.Fatal("connection ended")
	case <-time.After(patience):
		t.Fatal("the page asks for no rows")
	}
}

// take takes a message of the page, which must be a wish for rows.
func (l *long) take(text string) {
	t := l.page.server.t
	t.Helper()
	var m struct {
		Type               string
		At                 [2]int
		Start, Count, Keep int
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Type != "window" || m.At != [2]int{1, 0} || m.Count > 1000 {
		t.Fatalf("page sent %s", text)
	}
	l.asked, l.keep = [2]int{m.Start, m.Start + m.Count}, m.Keep
}

// tell takes the first message, in which the page says what it has.
func (l *long) tell() {
	l.page.server.t.Helper()
	l.listen()
	l.send()
}

// filled answers until rows fill what the person sees.
func (l *long) filled() {
	t := l.page.server.t
	t.Helper()
	for start := time.Now(); time.Since(start) < patience; {
		sees := browser.Eval[bool](l.page.Tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(`+seesRows+`))))`)
		select {
		case text := <-l.page.in:
			l.take(text)
			l.send()
		default: // the page may only be about to ask
			if sees {
				return
			}
		}
	}
	t.Fatal("what is seen is never filled with rows")
}

// scrolls presses a key until the box begins to scroll: on a busy machine, the browser drops keys
// that come while it still carries out a script's scrolling.
func (l *long) scrolls(key string) {
	l.page.server.t.Helper()
	p := l.page
	p.Run(`window.was = box.scrollTop`)
	for start := time.Now(); ; {
		p.Press(key)
		if browser.Eval[bool](p.Tab, `new Promise((done) => {
			let frames = 0;
			const look = () => (box.scrollTop !== was || ++frames > 30 ? done(box.scrollTop !== was) : requestAnimationFrame(look));
			look();
		})`) {
			return
		}
		if time.Since(start) > wait.Patience {
			l.page.server.t.Fatalf("%s does not scroll", key)
		}
	}
}

// filledOnceIs is filled, from now until a condition in JavaScript holds.
func (l *long) filledOnceIs(condition string) {
	l.page.server.t.Helper()
	for start := time.Now(); !browser.Eval[bool](l.page.Tab, condition); l.filled() {
		if time.Since(start) > wait.Patience {
			l.page.server.t.Fatalf("wait for %s, scrolled to %v", condition, browser.Eval[float64](l.page.Tab, `box.scrollTop`))
		}
	}
	l.filled()
}

// seesRows is whether rows are wherever the person sees the list.
const seesRows = `(() => {
	const view = (document.querySelector("#box") ?? window.inner ?? document.documentElement).getBoundingClientRect();
	const top = Math.max(view.top, 0), bottom = Math.min(view.bottom, innerHeight);
	return [...document.querySelectorAll(".ui-space:not([hidden])")].every((s) => {
		const box = s.getBoundingClientRect();
		return box.bottom <= top + 1 || box.top >= bottom - 1;
	});
})()`

// top is where the row with a name begins in the window, as JavaScript.
func top(name string) string {
	return fmt.Sprintf(`Math.round([...document.querySelectorAll(".row")].find((r) => r.querySelector(".name").textContent === %q).getBoundingClientRect().top)`, name)
}

// firstSeen is the name of the first row that begins in what the person sees.
const firstSeen = `[...document.querySelectorAll(".row")].find((r) => r.getBoundingClientRect().top >= (document.querySelector("#box")?.getBoundingClientRect().top ?? 0)).querySelector(".name").textContent`
