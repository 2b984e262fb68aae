package bundle_test

import (
	"regexp"
	"strings"
	"testing"

	"ui-mcp/bundle"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/transport/httpio"
)

// styled has everything that the base style is for.
const styled = `<template>
  <div class="stack">
    <section class="card stack">
      <h1>Base style</h1>
      <form class="stack">
        <label>Text <input id="text" value="Ada"></label>
        <label>Wrong <input id="wrong" value="nowhere" aria-invalid="true" aria-describedby="why"></label>
        <p class="error" id="why">This is not an email address.</p>
        <label>Right <input value="ada@example.org" aria-describedby="none"></label>
        <p class="error" id="none"></p>
        <label>Number <input type="number" value="3"></label>
        <label>Date <input type="date" value="2026-11-24"></label>
        <label>Range <input id="range" type="range"></label>
        <label>File <input id="file" type="file"></label>
        <label>Colour <input id="color" type="color" value="#4650c9"></label>
        <label>Choice <select id="select"><option>Slow</option><option>Fast</option></select></label>
        <label>Words <textarea>Some words</textarea></label>
        <label class="row"><input type="checkbox" checked> Agreed</label>
        <label class="row"><input id="switch" type="checkbox" role="switch" checked> Switched on</label>
        <label class="row"><input id="off" type="checkbox" role="switch"> Switched off</label>
        <label><input id="tick" type="checkbox"> <span id="ticked">Without a class</span></label>
        <fieldset class="row"><legend>Pace</legend>
          <label class="row"><input type="radio" name="pace" checked> Slow</label>
          <label class="row"><input type="radio" name="pace"> Fast</label>
        </fieldset>
      </form>
    </section>
    <form class="row card" id="fields">
      <input aria-label="Name"><input aria-label="Mail"><select aria-label="Role"><option>Reader</option><option>Author</option></select>
    </form>
    <section class="card stack">
      <h2>Looks</h2>
      <div class="row">
        <button>Plain</button>
        <button variant="primary">Primary</button>
        <button variant="quiet">Quiet</button>
        <button variant="success">Success</button>
        <button variant="warning">Warning</button>
        <button variant="danger">Danger</button>
        <button class="primary">Class</button>
        <button class="quiet danger">Classes</button>
        <button disabled>Disabled</button>
      </div>
      <div class="row">
        <span class="badge">Plain</span>
        <span class="badge" variant="success">Success</span>
        <span class="badge" variant="warning">Warning</span>
        <span class="badge" variant="danger">Danger</span>
      </div>
      <p class="notice">Plain</p>
      <p class="notice" variant="success">Success</p>
      <p class="notice" variant="warning">Warning</p>
      <p class="notice" variant="danger">Danger</p>
      <p class="muted">Muted</p>
      <progress value="0.4" aria-label="Progress"></progress>
    </section>
    <section class="card stack">
      <div class="spread" id="spread"><h2 id="left">Lists</h2><button id="right">Right</button></div>
      <div class="row" id="tight"><span class="grow" id="word">Responsibilities</span><input aria-label="First"><input aria-label="Last"></div>
      <div class="row"><input class="grow" id="main" aria-label="Main"><input aria-label="Other"><button>Go</button></div>
      <ul class="list" id="list">
        <li>First</li>
        <li class="row"><span class="grow">Second</span><button variant="quiet" aria-label="Delete">✕</button></li>
        <li class="row"><span class="grow">Third</span><button variant="quiet" aria-label="Delete">✕</button></li>
      </ul>
      <p class="ui-empty">Nothing is here.</p>
    </section>
    <section class="card stack" id="holder">
      <h2>Tables</h2>
      <table id="table" tabindex="0" aria-label="Trips">
        <thead><tr><th><button>Destination ▲</button></th><th>Departure</th><th>Arrival</th><th>Passengers</th><th>Remarks</th></tr></thead>
        <tbody>
          <tr><td>Copenhagen</td><td>2026-11-24&nbsp;08:15</td><td>2026-11-24&nbsp;12:40</td><td>12</td><td>On&nbsp;time</td></tr>
          <tr><td>Amsterdam</td><td>2026-11-25&nbsp;09:00</td><td>2026-11-25&nbsp;15:20</td><td>9</td><td>Delayed&nbsp;by&nbsp;a&nbsp;strike</td></tr>
        </tbody>
      </table>
      <table id="bare"><thead><tr><th>Destination</th><th>Departure</th><th>Arrival</th><th>Passengers</th><th>Remarks</th><th>Surcharge</th></tr></thead><tbody></tbody></table>
    </section>
  </div>
</template>`

// The base style keeps its promises, and nobody is kept out by it.
func TestStyle(t *testing.T) {
	t.Parallel()
	w, l := newWorld(t), newLook(t)
	w.write("apps/styled/app.lua", `Styled = session:prototype("Styled", {}) if not session.reloading then styled = Styled:new() end`)
	w.write("apps/styled/viewdefs/Styled.DEFAULT.html", styled)
	w.display("1", "styled")
	l.at("base-style", w.url+"/1/", `document.querySelector("#table")`)
	box := `((e) => document.querySelector(e).getBoundingClientRect())`
	for _, c := range []struct {
		width      int
		what, test string
	}{
		{390, "a wide table scrolls by itself", `document.querySelector("#table").scrollWidth > document.querySelector("#table").clientWidth && document.querySelector("#holder").scrollWidth <= document.querySelector("#holder").clientWidth`},
		{390, "a table without rows does not scroll", `document.querySelector("#bare").scrollWidth <= document.querySelector("#bare").clientWidth`},
		{1280, "a table fills its card", box + `("#table").width > ` + box + `("#holder").width - 60`},
		{1280, ".spread lays out a row", box + `("#left").top < ` + box + `("#right").bottom && ` + box + `("#right").right > ` + box + `("#spread").right - 2`},
		{1280, "fields share a row", `new Set([...document.querySelector("#fields").children].map((e) => e.getBoundingClientRect().top)).size === 1`},
		{390, "two fields share a row on a phone", `new Set([...document.querySelectorAll("#fields input")].map((e) => e.getBoundingClientRect().top)).size === 1`},
		{390, "a switch has the accent colour when it is on", `getComputedStyle(document.querySelector("#switch")).backgroundColor === getComputedStyle(document.querySelector("button.primary")).backgroundColor && getComputedStyle(document.querySelector("#off")).backgroundColor !== getComputedStyle(document.querySelector("#switch")).backgroundColor`},
		{390, "an empty .error takes no room", box + `("#none").height === 0 && getComputedStyle(document.querySelector("#none")).display === "none"`},
		{390, "a range is as wide and high as a text field", `Math.abs(` + box + `("#range").width - ` + box + `("#text").width) < 1 && Math.abs(` + box + `("#range").height - ` + box + `("#text").height) < 3`},
		{1280, "a file field looks like a text field", `["width", "borderTopWidth", "borderTopColor", "backgroundColor", "borderTopLeftRadius"].every((p) => getComputedStyle(document.querySelector("#file"))[p] === getComputedStyle(document.querySelector("#text"))[p]) && Math.abs(` + box + `("#file").height - ` + box + `("#text").height) < 3`},
		{390, "a box to tick is level with its text", `Math.abs(` + box + `("#tick").top + ` + box + `("#tick").bottom - ` + box + `("#ticked").top - ` + box + `("#ticked").bottom) < 3`},
		{390, "the text of .grow is not under the next field", `((r) => {
			r.selectNodeContents(document.querySelector("#word"));
			const [text, next] = [r.getBoundingClientRect(), document.querySelector("#word + input").getBoundingClientRect()];
			return text.right <= next.left || text.bottom <= next.top;
		})(document.createRange())`},
		{390, "a .grow field keeps 6rem", box + `("#main").width >= 96`},
		{390, "rows of a list keep their distance", `parseFloat(getComputedStyle(document.querySelector("#list > li:last-child")).paddingTop) >= 6`},
		{390, "a wrong field is marked", `getComputedStyle(document.querySelector("#wrong")).borderTopColor !== getComputedStyle(document.querySelector("#text")).borderTopColor`},
		{390, "class and attribute look alike", `getComputedStyle(document.querySelector("button.primary")).backgroundColor === getComputedStyle(document.querySelector("button[variant=primary]")).backgroundColor`},
	} {
		l.Size(c.width, 844)
		if !browser.Eval[bool](l.Tab, c.test) {
			t.Errorf("at %d px, it does not hold that %s", c.width, c.what)
		}
	}
}

// Pages without a style of their own, such as errors, have the colours of ui.css.
func TestPlainPagesLookAlike(t *testing.T) {
	t.Parallel()
	sheet, err := bundle.Files.ReadFile("base/html/ui.css")
	if err != nil {
		t.Fatal(err)
	}
	tokens := regexp.MustCompile(`(?m)^ +(--ui-[\w-]+: .*;)$`).FindAllStringSubmatch(httpio.Style, -1)
	if len(tokens) < 10 {
		t.Fatalf("%d variables were found", len(tokens))
	}
	for _, token := range tokens {
		if !strings.Contains(string(sheet), token[1]) {
			t.Errorf("ui.css has no %s", token[1])
		}
	}
}
