package bundle_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

const catalog = "base/apps/catalog/"

// A piece of the catalogue: its name, what its first comment says, and the types of its rows.
type piece struct {
	name, about string
	rows        []string
}

// pieces returns the pieces in the order of the catalogue.
func pieces(t *testing.T) []piece {
	t.Helper()
	_, list, _ := strings.Cut(text(t, catalog+"app.lua"), "local names = {\n")
	list, _, _ = strings.Cut(list, "\n}\n")
	var found []piece
	for _, m := range regexp.MustCompile(`\{ "(\w+)"((?:, "\w+")*) \}`).FindAllStringSubmatch(list, -1) {
		p := piece{name: m[1], rows: regexp.MustCompile(`\w+`).FindAllString(m[2], -1)}
		comment, _, _ := strings.Cut(text(t, catalog+"pieces/"+p.name+".lua"), "\nlocal ")
		p.about = strings.TrimPrefix(strings.ReplaceAll(strings.TrimSpace(comment), "\n-- ", " "), "-- ")
		found = append(found, p)
	}
	return found
}

// Every file of the catalogue belongs to a piece that it lists.
func TestCatalogIsComplete(t *testing.T) {
	t.Parallel()
	want := []string{"app.lua", "viewdefs/Catalog.DEFAULT.html", "viewdefs/Catalog.Piece.list-item.html"}
	for _, p := range pieces(t) {
		typ := "Catalog." + strings.ToUpper(p.name[:1]) + p.name[1:]
		want = append(want, "pieces/"+p.name+".lua", "viewdefs/"+typ+".DEFAULT.html")
		for _, row := range p.rows {
			want = append(want, "viewdefs/"+typ+"."+row+".list-item.html")
		}
	}
	var has []string
	for name := range files(t, "") {
		if rel, ok := strings.CutPrefix(name, catalog); ok {
			has = append(has, rel)
		}
	}
	slices.Sort(want)
	slices.Sort(has)
	if diff := cmp.Diff(want, has); diff != "" {
		t.Errorf("(-listed +files)\n%s", diff)
	}
}

// The document for agents is made from the pieces.
func TestCatalogDocument(t *testing.T) {
	t.Parallel()
	const name = "base/resources/catalog.md"
	want := strings.TrimPrefix(`
# Catalogue

Pieces to build apps from; the app `+"`catalog`"+` displays them live. A piece is the file
`+"`pieces/NAME.lua`"+`, a type with its methods, and `+"`viewdefs/Catalog.Name.DEFAULT.html`"+`, with
`+"`Catalog.Name.ROW.list-item.html`"+` for each type of row, in `+"`apps/catalog`"+`. Read the files of a
piece, copy them into your app, and give the types other names.

| piece | rows | |
|---|---|---|
`, "\n")
	for _, p := range pieces(t) {
		want += "| `" + p.name + "` | " + strings.Join(p.rows, ", ") + " | " + p.about + " |\n"
	}
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, text(t, name)); diff != "" {
		t.Errorf("%s: -update makes it (-from the pieces +in the document)\n%s", path.Base(name), diff)
	}
}

// Each piece does what it says.
func TestCatalog(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.display("1", "catalog")
	const find = `local function piece(name)
		for _, p in ipairs(catalog.pieces) do if p.name == name then return p.piece, p end end
	end
	`
	tested := map[string]bool{}
	for _, c := range []struct{ name, run, want string }{
		{"form", `p.name = "Ada" p:send() return p.sent`, "Ada: 2 guests, evening, inside"},
		{"field", `p.email = "x" p:check() local wrong = tostring(p:isWrong()) p.email = "a@b" p:check() return wrong .. p.problem`, "true"},
		{"date", `local a = p:nights() p.to = p.from local b = p:nights() p.to = "" return a .. ", " .. b .. ", " .. p:nights()`, "3 nights, The way back is later., Choose two days."},
		{"file", `local a = p:about() .. tostring(p:isEmpty())
			p.chosen = { name = "a.txt", mime = "text/plain", size = 9, text = "a\nb\n\nc\nd" } local b = p:about() .. p:start()
			p.chosen = { name = "b", mime = "", size = 1, base64 = "/w==" } return a .. b .. p:start() .. p:data()`, "Nothing is chosen.truea.txt, 9 bytesa\nb\ncIt is no text.data:text/csv;charset=utf-8,city%2Cdays%0AOslo%2C4%0A"},
		{"choice", `p.country = "Norway" p:moved() return #p:cities() .. p:summary()`, "2Bergen in Norway"},
		{"chips", `p.draft = "new" p:add() p.items[1]:remove() return #p.items .. p.items[2].text .. p.draft`, "2new"},
		{"settings", `p.sound = false local s = p:summary() p.sound = true return s .. ", " .. p:summary()`, "No sound, text medium, Sound at 40, text medium"},
		{"wizard", `p:back() p:next() p:next() p:next() return p:title() .. p.turned`, "Step 3 of 3: Check2"},
		{"table", `p:byPrice() p:byPrice() return p:sorted()[1].city .. p:priceOrder() .. tostring(p:cityOrder())`, "Romedescendingnil"},
		{"filter", `p.query = "o" local n = #p:found() p.query = "zz" return n .. tostring(p:foundSome())`, "2false"},
		{"board", `local c = p.columns[1].cards[1] c:right() c:right() c:right() c:drag() p.columns[1].cards[2]:drop(c)
			local a = c:position() c:up() c:up() local b = c:position() c:down()
			return a .. b .. c:position() .. #p.columns[1].cards .. #p.columns[3].cards .. tostring(c._dragged)`, "21230nil"},
		{"tree", `local b = p.branches[1] b:toggle() return tostring(b:isClosed()) .. b:expanded() .. tostring(p.branches[2]:isLeaf())`, "truefalsetrue"},
		{"empty", `local a = p:isEmpty() p:add() return tostring(a) .. tostring(p:isFilled())`, "truetrue"},
		{"tabs", `return p.type`, "Catalog.Tabs"},
		{"dialog", `p:show() local a = p.open p:close() return tostring(a) .. tostring(p.open)`, "truefalse"},
		{"toast", `p:delete() local a = p:list() .. p.text .. tostring(p:isHidden()) p:undo() return a .. p:list() .. tostring(p:isHidden())`, "Ada, BobCleo was deleted.falseAda, Bob, Cleotrue"},
		{"progress", `p:start() for i = 1, 30 do p:step() end return p:label() .. tostring(p._timer)`, "100 %nil"},
		{"badge", `p:next() return p.state .. p:look()`, "passedsuccess"},
		{"icons", `p:toggle() return tostring(p.starred)`, "true"},
		{"log", `for i = 1, 600 do p:info() end p:fail() p.level = "error" local found = p:found()
			return #p.lines .. p.lines[1].text .. #found .. found[1]:look()`, "500Step 102 is done1danger"},
		{"chat", `p.draft = " " p:send() p.draft = "Hi" p:send() p:answer("Hello") return #p.lines .. p.lines[2].sender .. p.draft`, "2Agent"},
		{"terminal", `return tostring(p:unavailable()) .. tostring(p:isAway())`, "truetrue"},
		{"chart", `local a = p:points() p:change() return a .. "; " .. p:summary()`, "35,70 95,45 155,60 215,20 275,35; Mon 67, Tue 92, Wed 77, Thu 17, Fri 2"},
		{"picture", `p:next() return p:text()`, "A circle on a ground of hue 290"},
		{"markdown", `p.text = "*a* <b>" return p:html()`, "<p><em>a</em> &lt;b&gt;</p>\n"},
		{"code", `return p.text`, "counter:add()\nreturn counter.count"},
	} {
		tested[c.name] = true
		if got := w.text("1", find+`local p = piece("`+c.name+`") `+c.run); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	if got, want := w.events("1"), `{"app":"catalog","event":"line","level":"error","text":"Step 500 has failed"}`; !strings.Contains(got, want) {
		t.Errorf("without a page, the events are %s, and %s is not among them", got, want)
	}
	for _, p := range pieces(t) {
		if !tested[p.name] {
			t.Errorf("%s is not tested", p.name)
		}
		source := w.text("1", find+`local _, p = piece("`+p.name+`") p:show() return p.source .. p.about`)
		for _, want := range append([]string{`session:prototype("Catalog.`, "<template>", p.about}, p.rows...) {
			if !strings.Contains(source, want) {
				t.Errorf("%s: the files are shown without %q", p.name, want)
			}
		}
	}
	// Fields that start with _ are not kept, so what refers to an owner has another name. The card
	// that was moved last may be lost.
	if got := w.text("1", `local seen, found = {}, ""
		local function walk(t, path)
			if seen[t] then return end
			seen[t] = true
			for k, v in pairs(t) do
				local path = path .. "." .. tostring(k)
				if type(v) == "table" then
					if tostring(k):find("^_") and k ~= "_moved" and v.type then found = found .. " " .. path end
					walk(v, path)
				end
			end
		end
		for _, p in ipairs(catalog.pieces) do walk(p.piece, p.name) end
		return found`); got != "" {
		t.Errorf("mcp:keep would lose%s", got)
	}
	w.run("1", `catalog.query = "board" return #catalog:found()`)
	w.display("2", "catalog")
	w.useAll("2")
}

// The catalogue is looked at in both themes, at the width of a phone and of a window.
func TestCatalogLooks(t *testing.T) {
	load.Long(t, "TestCatalog uses each piece, and TestStyle looks at the style that they have")
	t.Parallel()
	w, l := newWorld(t), newLook(t)
	w.display("1", "catalog")
	l.at("catalog", w.url+"/1/", displayed)
	if n := browser.Eval[int](l.Tab, `document.querySelectorAll(".catalog-pieces > section").length`); n != len(pieces(t)) {
		t.Errorf("%d pieces are displayed", n)
	}
}

// The catalogue begins at its top, without an error in the console of the page.
func TestCatalogOpens(t *testing.T) {
	t.Parallel()
	w, tab := newWorld(t), browser.New(t).Tab()
	w.display("1", "catalog")
	tab.Open(w.url + "/1/")
	tab.Wait(displayed)
	tab.Wait(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	if y := browser.Eval[int](tab, `scrollY`); y != 0 {
		t.Errorf("it is scrolled by %d pixels", y)
	}
	// What <ui-terminal> asks, where there are no terminals.
	if status := browser.Eval[int](tab, `fetch("/terminals/", { redirect: "manual" }).then((answer) => answer.status)`); status != 204 {
		t.Errorf("whether there are terminals is answered with %d", status)
	}
}

// Cards of the board are dragged, and moved with keys, which keep the focus; they slide, unless the
// person wants less motion.
func TestCatalogBoard(t *testing.T) {
	t.Parallel()
	w, b := newWorld(t), browser.New(t)
	tab := b.Tab()
	w.display("1", "catalog")
	w.run("1", `catalog.query = "board"`)
	tab.Open(w.url + "/1/")
	card := func(title string) string {
		return `[...document.querySelectorAll(".catalog-card")].find((c) => c.textContent === "` + title + `")`
	}
	columns := `[...document.querySelectorAll(".catalog-column")].map((c) => [...c.querySelectorAll(".catalog-card")].map((e) => e.textContent).join(" ")).join(", ")`
	tab.Wait(columns + ` === "Plan Write Check, , "`)

	// The keys.
	tab.Run(`window.slid = 0; const animate = Element.prototype.animate; Element.prototype.animate = function (...a) { window.slid++; return animate.apply(this, a) }`)
	tab.Run(card("Plan") + `.focus()`)
	tab.Press(browser.ArrowRight, browser.Ctrl)
	tab.Wait(columns + ` === "Write Check, Plan, "`)
	tab.Wait(`document.activeElement.textContent === "Plan" && window.slid > 0`)
	tab.Feature("prefers-reduced-motion", "reduce")
	tab.Run(`window.slid = 0`)
	tab.Press(browser.ArrowRight, browser.Ctrl)
	tab.Wait(columns + ` === "Write Check, , Plan"`)
	if browser.Eval[int](tab, `window.slid`) != 0 {
		t.Error("a card slides although the person wants less motion")
	}

	// The buttons, which keep the focus, too, also where there is nothing to move to.
	on := func(label string) string {
		return `document.activeElement.ariaLabel === "` + label + `" && document.activeElement.closest("li").querySelector(".catalog-card").textContent === "Plan"`
	}
	tab.ClickOn(card("Plan") + `.closest("li").querySelector("[aria-label='To the left']")`)
	tab.Wait(columns + ` === "Write Check, Plan, " && ` + on("To the left"))
	tab.Press(" ")
	tab.Wait(columns + ` === "Plan Write Check, , " && ` + on("To the left"))
	tab.Press(" ")
	tab.Press("\t")
	tab.Press(" ")
	tab.Wait(columns + ` === "Write Check, Plan, " && ` + on("To the right"))
	tab.Press(" ")
	tab.Wait(columns + ` === "Write Check, , Plan" && ` + on("To the right"))

	// A click edits a card in place. Enter and Escape give the focus back.
	field := card("Write") + `.closest("li").querySelector("input")`
	tab.ClickOn(card("Write"))
	tab.Wait(`document.activeElement === ` + field + ` && ` + field + `.value === "Write"`)
	tab.Run(field + `.select()`)
	tab.Press("Draft\r")
	tab.Wait(columns + ` === "Draft Check, , Plan" && document.activeElement === ` + card("Draft"))
	tab.Press("\r")
	tab.Wait(`document.activeElement.localName === "input"`)
	tab.Press("x\x1b")
	tab.Wait(`document.activeElement === ` + card("Draft"))
	tab.ClickOn(card("Draft"))
	tab.Wait(`document.activeElement.closest("li")?.textContent.includes("Draft") && document.activeElement.localName === "input"`)
	tab.Run(`document.activeElement.select()`)
	tab.Press("Write")
	tab.ClickOn(`document.querySelector("h1")`)
	tab.Wait(columns + ` === "Write Check, , Plan"`)

	// The mouse: on a card, then on a column.
	const drags = `window.take = (from) => {
		const data = new DataTransfer();
		window.fire = (e, type) => e.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
		fire(from, "dragstart");
	};
	window.drag = (from, to) => {
		take(from);
		drop(from, to);
	};
	window.drop = (from, to) => {
		window.refused = fire(to, "dragover");
		fire(to, "drop");
		fire(from, "dragend");
	}`
	tab.Run(drags)
	tab.Run(`drag(` + card("Plan") + `.parentElement, ` + card("Check") + `.parentElement)`)
	tab.Wait(columns + ` === "Write Plan Check, , " && !window.refused`)
	tab.Run(`drag(` + card("Write") + `.parentElement, document.querySelectorAll(".catalog-column")[1])`)
	tab.Wait(columns + ` === "Plan Check, Write, "`)
	dragged := func(want string) {
		t.Helper()
		wait.Until(t, "the dragged card is "+want, func() bool {
			return w.run("1", `for _, column in ipairs(catalog.pieces[11].piece.columns) do
				for _, card in ipairs(column.cards) do if card._dragged then return card.title end end
			end return "none"`) == `"`+want+`"`
		})
	}
	tab.Run(`take(` + card("Plan") + `.parentElement)`)
	dragged("Plan")
	tab.Run(`drop(` + card("Plan") + `.parentElement, ` + card("Plan") + `.parentElement)`)
	dragged("none")
	tab.Wait(columns + ` === "Plan Check, Write, "`)

	// Two people drag at once.
	other := b.Tab()
	other.Open(w.url + "/1/")
	other.Wait(columns + ` === "Plan Check, Write, "`)
	other.Run(drags)
	tab.Run(`take(` + card("Plan") + `.parentElement)`)
	dragged("Plan")
	other.Run(`drag(` + card("Write") + `.parentElement, ` + card("Check") + `.parentElement)`)
	tab.Wait(columns + ` === "Plan Write Check, , "`)
	tab.Run(`drop(` + card("Plan") + `.parentElement, document.querySelectorAll(".catalog-column")[2])`)
	tab.Wait(columns + ` === "Write Check, , Plan"`)
}
