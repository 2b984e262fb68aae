package app_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/app"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/ui/check"
)

// errands is a sound app, in which the tests plant faults.
var errands = map[string]string{
	"apps/errands/app.lua": `
Errand = session:prototype("Errand", { text = "", done = false })
function Errand:remove() errands:remove(self) end

Errands = session:prototype("Errands", { draft = "", problem = "" })

function Errands:new()
    return session:create(Errands, { items = {} })
end

function Errands:add()
    if not self.draft:find("%S") then self.problem = "What is to be done?" return end
    table.insert(self.items, Errand:new({ text = self.draft }))
    self.draft, self.problem = "", ""
end

function Errands:remove(errand)
    for i, other in ipairs(self.items) do
        if other == errand then return table.remove(self.items, i) end
    end
end

function Errands:isWrong() return self.problem ~= "" end
function Errands:isFilled() return #self.items > 0 end

function Errands:send()
    mcp.pushState({ app = "errands", event = "sent", count = #self.items })
end

if not session.reloading then errands = Errands:new() end
mcp:keep("errands", errands)
`,
	"apps/errands/viewdefs/Errands.DEFAULT.html": `<template>
  <section class="card stack">
    <div class="spread"><h1>Errands</h1><button ui-action="send()">Send</button></div>
    <form class="row">
      <input class="grow" ui-value="draft" placeholder="New errand" aria-label="New errand"
        aria-describedby="errands-problem" ui-attr-aria-invalid="isWrong()">
      <button type="submit" variant="primary" ui-action="add()">Add</button>
    </form>
    <p class="error" id="errands-problem" ui-value="problem"></p>
    <ul class="list" ui-viewlist="items"><li></li></ul>
    <p class="ui-empty" ui-attr-hidden="isFilled()">Nothing to do.</p>
  </section>
</template>
`,
	"apps/errands/viewdefs/Errand.list-item.html": `<template>
  <li class="row">
    <label class="row grow"><input type="checkbox" ui-value="done"> <span ui-value="text"></span></label>
    <button variant="quiet" ui-action="remove()" aria-label="Delete">✕</button>
  </li>
</template>
`,
}

const (
	errandsLua  = "apps/errands/app.lua"
	errandsPage = "apps/errands/viewdefs/Errands.DEFAULT.html"
	errandsRow  = "apps/errands/viewdefs/Errand.list-item.html"
)

// checked checks an app that consists of the given files.
func checked(t *testing.T, files map[string]string, name string) finding.Checked {
	t.Helper()
	dir := t.TempDir()
	for file, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	found, err := app.Check(t.Context(), dir, "1.0", name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// lineOf returns the line of a text that contains a mark.
func lineOf(t *testing.T, text, mark string) int {
	t.Helper()
	before, _, ok := strings.Cut(text, mark)
	if !ok {
		t.Fatalf("there is no %q", mark)
	}
	return 1 + strings.Count(before, "\n")
}

func TestCheckFindsPlantedFaults(t *testing.T) {
	codes := map[string]bool{}
	for _, tt := range []struct {
		name      string
		file      string
		old, by   string // what the fault replaces in the file
		code      string
		at        string // is in the line of the finding
		in        string // the file of the finding, if it is another one
		says      string
		alsoFound int // findings that follow from this fault
	}{
		{name: "a syntax error", file: errandsLua, old: "self.problem ~= \"\" end", by: "self.problem ~= end", code: "load", at: "self.problem ~= end", says: "end"},
		{name: "an error when it is loaded", file: errandsLua, old: "if not session.reloading", by: "local x = nil + 1\nif not session.reloading", code: "load", at: "nil + 1", says: "nil"},
		{name: "another global", file: errandsLua, old: "then errands = Errands:new() end\nmcp:keep(\"errands\", errands)", by: "then tasks = Errands:new() end", code: "load", at: "", says: "set no global errands"},
		{name: "a view definition that is not closed", file: errandsRow, old: "</template>", by: "", code: "viewdef", at: "<template>", says: "not closed", alsoFound: 1},
		{name: "a template of another type", file: errandsLua, old: `prototype("Errand",`, by: `prototype("Errnd",`, code: "binding", at: "ui-viewlist", in: errandsPage, says: "Errnd"},
		{name: "an attribute that does not exist", file: errandsPage, old: "ui-attr-hidden=", by: "ui-att-hidden=", code: "viewdef", at: "ui-empty", says: "ui-att-hidden"},
		{name: "a name that is not declared", file: errandsPage, old: `ui-value="problem"`, by: `ui-value="problm"`, code: "binding", at: "problm", says: "problem"},
		{name: "a name that is not declared, in a row", file: errandsRow, old: `ui-value="text"`, by: `ui-value="txet"`, code: "binding", at: "txet", says: "declares no txet"},
		{name: "a method that is not there, in a row", file: errandsRow, old: `"remove()"`, by: `"delete()"`, code: "binding", at: "delete()", says: "no method delete", alsoFound: 1},
		{name: "an error in a path", file: errandsLua, old: "return #self.items > 0", by: "return #self.itens > 0", code: "binding", at: "isFilled()", in: errandsPage, says: "app.lua:"},
		{name: "an error in a path with rows only", file: errandsRow, old: `<span ui-value="text">`, by: `<span ui-value="long()">`, code: "binding", at: "long()", says: "long"},
		{name: "an error in an action", file: errandsLua, old: "mcp.pushState({ app", by: "mcp.pushstate({ app", code: "action", at: "mcp.pushstate", says: "send()"},
		{name: "an error in an action with several rows only", file: errandsLua, old: "    for i, other in ipairs(self.items) do", by: "    if #self.items > 2 then error(\"too many\") end\n    for i, other in ipairs(self.items) do", code: "action", at: "too many", says: "too many"},
		{name: "an error in a timer", file: errandsLua, old: "if not session.reloading", by: "session:setTimeout(function()\n  nothing.here = 1\nend, 60000)\nif not session.reloading", code: "timer", at: "nothing.here", says: "nothing"},
		{name: "an event that cannot be sent", file: errandsLua, old: "mcp.pushState({ app = \"errands\", event = \"sent\", count = #self.items })", by: "mcp.pushState()", code: "action", at: "mcp.pushState()", says: "needs an event"},
		{name: "no reload guard", file: errandsLua, old: "if not session.reloading then errands = Errands:new() end\nmcp:keep(\"errands\", errands)", by: "errands = Errands:new()", code: "reload-guard", at: "errands = Errands:new()", says: "new object"},
		{name: "another kept object each time", file: errandsLua, old: "if not session.reloading then errands = Errands:new() end", by: "errands = Errands:new()", code: "reload", at: "mcp:keep(", says: "make the object once"},
		{name: "an error when it is loaded again", file: errandsLua, old: "mcp:keep(", by: "if session.reloading then error(\"again\") end\nmcp:keep(", code: "reload", at: `error("again")`, says: "again"},
		{name: "a div that acts", file: errandsRow, old: `<button variant="quiet" ui-action="remove()" aria-label="Delete">✕</button>`, by: `<div ui-action="remove()">✕</div>`, code: "not-a-control", at: "✕", says: "<div"},
		{name: "a span that takes clicks", file: errandsRow, old: `<button variant="quiet" ui-action="remove()" aria-label="Delete">✕</button>`, by: `<span ui-event-click="remove()">✕</span>`, code: "not-a-control", at: "✕", says: "<span"},
		{name: "a link without an address", file: errandsPage, old: `<button ui-action="send()">Send</button>`, by: `<a ui-action="send()">Send</a>`, code: "not-a-control", at: "send()", says: "<a"},
		{name: "a field without a label", file: errandsPage, old: `placeholder="New errand" aria-label="New errand"`, by: ``, code: "unlabelled", at: "draft", says: "no label"},
		{name: "a checkbox without a label", file: errandsRow, old: `<label class="row grow"><input type="checkbox" ui-value="done"> <span ui-value="text"></span></label>`, by: `<input type="checkbox" ui-value="done"> <span ui-value="text"></span>`, code: "unlabelled", at: "checkbox", says: "no label"},
		{name: "a button without a text", file: errandsPage, old: `<button ui-action="send()">Send</button>`, by: `<button ui-action="send()"></button>`, code: "unlabelled", at: "send()", says: "no text"},
		{name: "an icon without a label", file: errandsPage, old: `<button ui-action="send()">Send</button>`, by: `<sl-icon-button name="send" ui-action="send()"></sl-icon-button>`, code: "unlabelled", at: "send()", says: "no text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(errands)
			if !strings.Contains(files[tt.file], tt.old) {
				t.Fatalf("%s has no %q", tt.file, tt.old)
			}
			files[tt.file] = strings.Replace(files[tt.file], tt.old, tt.by, 1)
			in := tt.in
			if in == "" {
				in = tt.file
			}
			line := 1
			if tt.at != "" {
				line = lineOf(t, files[in], tt.at)
			}
			found := checked(t, files, "errands").Findings
			if !slices.ContainsFunc(found, func(f finding.Finding) bool {
				return f.Code == tt.code && f.File == in && f.Line == line && strings.Contains(f.What, tt.says)
			}) {
				t.Errorf("there is no finding %s at %s:%d with %q in %v", tt.code, in, line, tt.says, found)
			}
			if len(found) != 1+tt.alsoFound {
				t.Errorf("%d findings, want %d: %v", len(found), 1+tt.alsoFound, found)
			}
		})
		codes[tt.code] = true
	}
	codes["same-type"] = true // see TestCheckFindsTypesOfOtherApps
	for code := range check.Codes {
		if !codes[code] {
			t.Errorf("no fault has the code %s", code)
		}
	}
}

func TestCheckSoundApp(t *testing.T) {
	if found := checked(t, errands, "errands"); len(found.Findings)+len(found.NotTried) > 0 {
		t.Errorf("the sound app has findings, or was not tried: %v", found)
	}
}

// A check says what it has not tried, and why, so that nobody takes that for sound.
func TestCheckSaysWhatItHasNotTried(t *testing.T) {
	for _, tt := range []struct {
		name, file, old, by string
		what, why           string // of a part that was not tried
	}{
		{"dragging", errandsRow, `<li class="row">`, `<li class="row" draggable="true" ui-event-dragstart="remove()">`, `ui-event-dragstart="remove()"`, "only clicks"},
		{"hovering", errandsRow, `<li class="row">`, `<li class="row" ui-event-mouseenter="remove()">`, `ui-event-mouseenter="remove()"`, "only clicks"},
		{"a file", errandsPage, `<h1>Errands</h1>`, `<h1>Errands</h1><label>File <input type="file" ui-value="problem"></label>`, `ui-value="problem"`, "only the person chooses files"},
		{"a file with its content", errandsPage, `<h1>Errands</h1>`, `<h1>Errands</h1><label>File <input type="file" ui-value="problem?content"></label>`, `ui-value="problem?content"`, "only the person chooses files"},
		{"a hidden button", errandsPage, `<h1>Errands</h1>`, `<h1>Errands</h1><button hidden ui-action="add()">Also</button>`, `ui-action="add()"`, "hidden"},
		{"a disabled button", errandsPage, `<h1>Errands</h1>`, `<h1>Errands</h1><button disabled ui-action="add()">Also</button>`, `ui-action="add()"`, "disabled"},
		{"an event of a component", errandsPage, `<h1>Errands</h1>`, `<h1>Errands</h1><sl-dialog label="D" ui-event-sl-hide="add()"></sl-dialog>`, `ui-event-sl-hide="add()"`, "nothing that was tried"},
		{"a view", errandsLua, `Errand = session`, `Other = session:prototype("Other", { text = "" })` + "\nErrand = session", "the view Other.DEFAULT", "no control led to it"},
		{"an answer", errandsLua, `    mcp.pushState(`, `    session:http("https://example.org", function() end)` + "\n    mcp.pushState(", "what the app does with a result", "requests"},
		{"what follows a program", errandsLua, `    mcp.pushState(`, `    os.execute("true")` + "\n    mcp.pushState(", `ui-action="add()"`, "result of a program"},
		{"all", errandsLua, "if not session.reloading", "os.execute('true') error('x')\nif not session.reloading", "all of the app", "result of a program"},
		{"what follows the last act", errandsLua, `    if not self.draft:find("%S") then`, `    session:setImmediate(function() self:remove(nil) end)` + "\n    if not self.draft:find(\"%S\") then", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			files := maps.Clone(errands)
			files["apps/errands/viewdefs/Other.DEFAULT.html"] = `<template><p ui-value="text"></p></template>`
			if tt.name != "a view" {
				delete(files, "apps/errands/viewdefs/Other.DEFAULT.html")
			}
			if !strings.Contains(files[tt.file], tt.old) {
				t.Fatalf("%s has no %q", tt.file, tt.old)
			}
			files[tt.file] = strings.Replace(files[tt.file], tt.old, tt.by, 1)
			got := checked(t, files, "errands")
			if len(got.Findings) > 0 {
				t.Errorf("findings: %v", got.Findings)
			}
			is := func(u finding.Untried) bool {
				return u.What == tt.what && strings.Contains(u.Why, tt.why) && u.Line > 0 && files[u.File] != ""
			}
			if tt.what == "" && len(got.NotTried) > 0 || tt.what != "" && !slices.ContainsFunc(got.NotTried, is) {
				t.Errorf("not tried: %v, want %q with %q", got.NotTried, tt.what, tt.why)
			}
		})
	}
}

// What an agent would have to wait for is not tried, and that is told each time: what is left out
// passes for tried.
func TestCheckSaysThatItStoppedEarly(t *testing.T) {
	files := maps.Clone(errands)
	files[errandsLua] = strings.Replace(files[errandsLua], "function Errands:send()\n", `function Errands:send()
    local at = os.clock() while os.clock() - at < 1.2 do end
`, 1)
	h := started(t, nil)
	for file, content := range files {
		h.write(file, content)
	}
	got, err := h.CheckNews(t.Context(), "1", "errands")
	if err != nil || len(got.Findings) > 0 || !slices.ContainsFunc(got.NotTried, func(u finding.Untried) bool { return strings.Contains(u.Why, "too long") }) {
		t.Errorf("%v, %v", got, err)
	}
	again, err := h.CheckNews(t.Context(), "1", "errands")
	if err != nil || !slices.ContainsFunc(again.NotTried, func(u finding.Untried) bool { return strings.Contains(u.Why, "too long") }) {
		t.Errorf("not told again: %v, %v", again, err)
	}
}

// A filter hides the rows, and one control may undo what another one has opened: what they lead to
// is tried nevertheless.
func TestCheckLooksBehindFilters(t *testing.T) {
	files := map[string]string{
		"apps/list/app.lua": `
Item = session:prototype("Item", { name = "" })
function Item:open() list.selected = self end
function Item:close() list.selected = nil end
function Item:fail() error("only in the open one") end
List = session:prototype("List", { query = "", selected = EMPTY })
function List:found()
    local out = {}
    for _, item in ipairs(self.items) do if item.name:find(self.query, 1, true) then table.insert(out, item) end end
    return out
end
if not session.reloading then list = session:create(List, { items = { Item:new({ name = "one" }), Item:new({ name = "two" }) } }) end
`,
		"apps/list/viewdefs/List.DEFAULT.html": `<template><div>
  <input aria-label="Search" ui-value="query?keypress">
  <div ui-viewlist="found()"></div>
  <div ui-view="selected"></div>
</div></template>`,
		"apps/list/viewdefs/Item.list-item.html": `<template><div><button ui-action="open()">Open</button><button ui-action="close()">Close</button></div></template>`,
		"apps/list/viewdefs/Item.DEFAULT.html":   `<template><p><button ui-action="fail()">Fail</button></p></template>`,
	}
	got := checked(t, files, "list")
	if len(got.Findings) != 1 || got.Findings[0].Code != "action" || got.Findings[0].File != "apps/list/app.lua" {
		t.Errorf("findings: %v", got.Findings)
	}
	if len(got.NotTried) > 0 {
		t.Errorf("not tried: %v", got.NotTried)
	}
}

// A field that narrows its suggestions is no filter, and stays filled in.
func TestCheckKeepsWhatIsSuggested(t *testing.T) {
	got := checked(t, map[string]string{
		"apps/city/app.lua": `
Option = session:prototype("Option", { name = "" })
City = session:prototype("City", { name = "" })
function City:all() return self.name == "" and self.known or {} end
function City:save() if self.name ~= "" then error("saved") end end
if not session.reloading then city = session:create(City, { known = { session:create(Option, { name = "a" }) } }) end
`,
		"apps/city/viewdefs/City.DEFAULT.html": `<template><div>
  <input aria-label="City" ui-value="name" list="cities"><datalist id="cities" ui-viewlist="all()"></datalist>
  <button ui-action="save()">Save</button>
</div></template>`,
		"apps/city/viewdefs/Option.list-item.html": `<template><option ui-attr-value="name"></option></template>`,
	}, "city")
	if len(got.Findings) != 1 || !strings.Contains(got.Findings[0].What, "saved") {
		t.Errorf("findings: %v", got.Findings)
	}
}

// What can be dragged is dragged, and dropped on what takes it: on what says so with what is
// dragged, too, and before the controls of the app have removed it.
func TestCheckDrags(t *testing.T) {
	for name, tt := range map[string]struct{ drop, want string }{
		"sound":         {"drop() if held then held = nil end", ""},
		"fails":         {"drop() if held then held.nothing.here = 1 end", "ui-event-drop=\"drop()\" fails"},
		"needs event":   {"drop() if not held then error(\"nothing is held\") end", ""},
		"takes it":      {"drop(card) card.text = self.text", ""},
		"takes, fails":  {"drop(card) card.nothing.here = 1", "ui-event-drop=\"drop(_)\" fails"},
		"takes, itself": {"drop(card) if card == self or card ~= held then error(\"another one is dragged\") end", ""},
	} {
		call := "drop()"
		if strings.HasPrefix(tt.drop, "drop(card)") {
			call = "drop(_)"
		}
		files := map[string]string{
			"apps/board/app.lua": `
local held
Card = session:prototype("Card", { text = "" })
function Card:drag() held = self end
function Card:` + tt.drop + ` end
function Card:release() held = nil end
function Card:remove() table.remove(board.cards) end
Board = session:prototype("Board", { cards = EMPTY })
function Board:add() table.insert(self.cards, Card:new({ text = "c" })) table.insert(self.cards, Card:new({ text = "d" })) end
function Board:any() return #self.cards > 0 end
if not session.reloading then board = session:create(Board, { cards = {} }) end`,
			"apps/board/viewdefs/Board.DEFAULT.html": `<template><div><button ui-action="add()">Add</button><ul ui-viewlist="cards"></ul><p ui-attr-hidden="any()">None</p></div></template>`,
			"apps/board/viewdefs/Card.list-item.html": `<template><li draggable="true" ui-event-dragstart="drag()" ui-event-dragend="release()" ui-event-drop="` + call + `">
				<b ui-value="text"></b><sl-rating label="Stars" ui-value="text"></sl-rating><button ui-action="remove()">Remove</button></li></template>`,
		}
		var text string
		got := checked(t, files, "board")
		for _, f := range got.Findings {
			text += f.String()
		}
		if len(got.NotTried) > 0 || (text == "") != (tt.want == "") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: found %q, not tried %v", name, text, got.NotTried)
		}
	}
}

// What is wrong in a view definition whose name is wrong, too, is found with that.
func TestCheckLooksIntoMisnamedTemplates(t *testing.T) {
	files := maps.Clone(errands)
	delete(files, errandsRow)
	files["apps/errands/viewdefs/Erand.list-item.html"] = `<template><li><span ui-value="txet"></span><button ui-action="remve()">x</button></li></template>`
	var text string
	for _, f := range checked(t, files, "errands").Findings {
		text += f.String() + "\n"
	}
	for _, part := range []string{"no type is called Erand", "Errand.list-item.html", "declares no txet", "no method remve"} {
		if !strings.Contains(text, part) {
			t.Errorf("no finding says %q:\n%s", part, text)
		}
	}
}

// Two apps that declare the same type cannot both be opened, which is said about either, with both
// places.
func TestCheckFindsTypesOfOtherApps(t *testing.T) {
	files := maps.Clone(errands)
	files["apps/other/app.lua"] = "Other = session:prototype(\"Other\", {})\nif not session.reloading then other = Other:new() end\nrequire('other.parts.errand')"
	files["apps/other/parts/errand.lua"] = "\nErrand = session:prototype(\"Errand\", {})"
	files["apps/other/viewdefs/Other.DEFAULT.html"] = `<template><p>other</p></template>`
	for app, want := range map[string][]string{
		"errands": {"apps/errands/app.lua:2: same-type: the type Errand is declared by apps/other/parts/errand.lua:2, too"},
		"other":   {"apps/other/parts/errand.lua:2: same-type: the type Errand is declared by apps/errands/app.lua:2, too"},
	} {
		got := checked(t, files, app)
		if len(got.Findings) != 1 || !strings.HasPrefix(got.Findings[0].String(), want[0]) {
			t.Errorf("%s: %v, want %v", app, got.Findings, want)
		}
	}
}

func TestCheckUnknownApp(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		if err := os.MkdirAll(filepath.Join(dir, "apps", name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "apps", name, "app.lua"), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err := app.Check(t.Context(), dir, "1.0", "three", nil)
	if fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "the apps are one, two") {
		t.Errorf("%v", err)
	}
	if _, err := app.Check(t.Context(), dir, "1.0", "../one", nil); fault.KindOf(err) != fault.Invalid {
		t.Errorf("%v", err)
	}
}

// An agent is told what it has not been told yet, of its session, also of uploaded view
// definitions.
func TestCheckNews(t *testing.T) {
	h := started(t, nil)
	for file, content := range errands {
		h.write(file, content)
	}
	displayed, err := h.Display(t.Context(), "1", "errands") // the files have been read then
	if err != nil {
		t.Fatal(err)
	}
	listed := 10 // findings
	ctx, leave := context.WithCancel(t.Context())
	news := func(session string, want ...string) {
		t.Helper()
		found, err := h.CheckNews(t.Context(), session, "errands")
		h.Reported(ctx, session, "errands", displayed, found.Findings[:min(len(found.Findings), listed)])
		var codes []string
		for _, f := range found.Findings {
			codes = append(codes, f.Code)
		}
		if err != nil || !slices.Equal(codes, want) {
			t.Errorf("news %v, error %v, want %v", found, err, want)
		}
	}
	upload := func(content string) {
		t.Helper()
		if _, err := h.Upload(t.Context(), "Errand", "list-item", content); err != nil {
			t.Fatal(err)
		}
	}
	news("1")
	upload(`<template><li><span ui-value="text"></span> <input type="checkbox" ui-value="done"></li></template>`)
	news("1", "unlabelled")
	news("1")
	news("2", "unlabelled")
	upload(errands[errandsRow])
	news("1")
	upload(`<template><li><button ui-action="remove()"></button></li></template>`)
	leave()
	news("1", "unlabelled")
	news("1", "unlabelled") // the caller has left before the answer
	ctx = t.Context()
	listed = 0
	news("1", "unlabelled")
	news("1", "unlabelled") // the answer had no room for it
	listed = 1
	news("1", "unlabelled")
	news("1")
	h.want("return #errands.items .. errands.draft", `"0"`)
}
