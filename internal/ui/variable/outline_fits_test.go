package variable_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui/variable"
)

// shelves is a tree with views, lists, wrapped lists and windows inside of each other.
func shelves(t *testing.T) (*variable.Tree, *obj) {
	t.Helper()
	book := func(n int) *obj {
		return &obj{typ: "Book", fields: fields{"title": fmt.Sprint("Book ", n), "author": contact(fmt.Sprint("Author ", n)), "tags": list("x")}}
	}
	var books, many []variable.Value
	for i := range 12 {
		books = append(books, book(i))
	}
	for i := range 120 {
		many = append(many, contact(fmt.Sprint(i)))
	}
	app := &obj{typ: "App", fields: fields{
		"title": "Shelves", "long": strings.Repeat("long ", 60), "books": list(books...), "many": list(many...), "few": list(many[:2]...), "empty": list(), "hollow": list(), "none": nil,
		"first": books[0], "a": contact("a"), "list": list(contact("zero"), contact("one")),
	}}
	app.fields["a"].(*obj).fields["b"] = contact("b")
	tree := variable.New(&host{}, latest{templates(t, map[string]string{
		"App.DEFAULT": `<h1 ui-value="title"></h1><div ui-view="first"></div><ul ui-viewlist="books"><li></li></ul><div ui-view="few?wrapper=lua.ViewList"></div>` +
			`<div ui-view="many?wrapper=lua.ViewList&window"></div><ul ui-viewlist="many?window"></ul><ul ui-viewlist="empty"></ul><ul ui-viewlist="hollow?window"></ul><div ui-view="none"></div><p ui-value="long"></p>` +
			`<b ui-value="a.name"></b><div ui-view="a.b"></div><i ui-value="a"></i><u ui-value="list.1.name"></u><s ui-value="title"></s><div ui-view="title" ui-namespace="x"></div><div><button ui-action="go()">Go</button></div>`,
		"Book.DEFAULT":           `<h2 ui-value="title"></h2><div ui-view="author"></div>`,
		"Book.list-item":         `<li><b ui-value="title"></b><div ui-view="author"></div></li>`,
		"Contact.DEFAULT":        `<p ui-value="name"></p>`,
		"Contact.list-item":      `<li><b ui-value="name"></b></li>`,
		"lua.ViewList.list-item": `<ul ui-viewlist="items"></ul>`, "lua.ViewListItem.list-item": `<li ui-view="item"></li>`,
	})})
	tree.SetRoot(app)
	tree.Scan()
	return tree, app
}

// gist is what a text is recognised by in a record: its length, and its first and last lines.
func gist(text string) string {
	lines := strings.SplitAfter(text, "\n")
	if n := len(lines); n > 8 {
		lines = append(append(lines[:4:4], fmt.Sprintf("[%d lines]\n", n-8)), lines[n-4:]...)
	}
	return fmt.Sprintf("%d bytes\n\t%s\n", len(text), strings.TrimSpace(strings.ReplaceAll(strings.Join(lines, ""), "\n", "\n\t")))
}

// What outlines leave out, for each budget at which that changes, is as recorded.
func TestNarrowOutlines(t *testing.T) {
	var b strings.Builder
	tree, app := shelves(t)
	look := func(opts variable.OutlineOptions) string {
		text, err := tree.Outline(opts)
		if err != nil {
			t.Fatal(err)
		}
		if limit := max(opts.Budget, 80); len(text) > limit {
			t.Errorf("%+v: %d bytes", opts, len(text))
		}
		return text
	}
	for _, depth := range []int{-1, 0, 1, 2, 3} {
		fmt.Fprintf(&b, "depth %d\n%s", depth, gist(look(variable.OutlineOptions{Budget: 1 << 20, Depth: depth})))
	}
	for _, narrow := range []struct {
		path       string
		budget, by int
	}{{"", 2600, 100}, {"few", 130, 1}, {"many", 260, 1}, {"books", 500, 20}, {"long", 1000, 50}} {
		last := ""
		for budget := 0; budget < narrow.budget; budget += narrow.by {
			if text := look(variable.OutlineOptions{Path: narrow.path, Budget: budget}); gist(text) != last {
				last = gist(text)
				fmt.Fprintf(&b, "%q in %d: %s", narrow.path, budget, last)
			}
		}
	}
	small := variable.OutlineOptions{Path: "first", Budget: 1 << 20}
	for _, path := range []string{"few", "first", "empty"} {
		small.Path, small.Budget = path, 1<<20
		whole := look(small)
		for small.Budget = len(whole) - 1; small.Budget <= len(whole)+1; small.Budget++ {
			if got := look(small); (got == whole) != (small.Budget >= len(whole)) {
				t.Errorf("%s of %d bytes in %d bytes:\n%s", path, len(whole), small.Budget, got)
			}
		}
	}

	place := func(name string) variable.Target {
		for _, v := range tree.Variables() {
			if string(v.Value) == `"`+name+`"` {
				return variable.Target{Instance: v.ParentID}
			}
		}
		t.Fatalf("nothing displays %s", name)
		return variable.Target{}
	}
	everything := variable.OutlineOptions{Budget: 1 << 20}
	if text, whole := tree.Look(variable.Target{Instance: 1}, everything); whole || strings.Contains(text, "Book 11") {
		t.Errorf("12 rows: %s", text)
	}
	inner := place("Book 11").Instance
	if text, _ := tree.Look(variable.Target{Instance: inner}, everything); !strings.Contains(text, "Book 11") || !strings.Contains(text, "… 1 more; path books.10 is the next") {
		t.Errorf("around the last row: %s", text)
	}
	app.fields["books"], app.fields["many"], app.fields["long"] = list(), list(), "short"
	tree.Scan()
	text, whole := tree.Look(variable.Target{}, everything)
	if !whole {
		t.Errorf("something is left out: %s", text)
	}
	left := len(text)
	for ; left > 0; left-- {
		if _, whole := tree.Look(variable.Target{}, variable.OutlineOptions{Budget: left}); !whole {
			break
		}
	}
	fmt.Fprintf(&b, "the rest takes %d bytes, and is whole in %d\n", len(text), left+1)
	app.fields["long"] = strings.Repeat("long ", 60)
	tree.Scan()
	if text, whole := tree.Look(variable.Target{}, everything); whole {
		t.Errorf("a long text is whole: %s", text)
	}
	recorded(t, "narrow.txt", b.String())
}

// What paths and ids lead to, and what there is where they lead nowhere, is as recorded.
func TestPathsAsRecorded(t *testing.T) {
	tree, app := shelves(t)
	var b strings.Builder
	look := func(path string) {
		text, err := tree.Outline(variable.OutlineOptions{Path: path, Budget: 1 << 20, Depth: 1})
		first, _, _ := strings.Cut(text, "\n")
		if err != nil {
			first = fmt.Sprintf("%d: %v", fault.KindOf(err), err)
		}
		area, err := tree.AreaOf(path)
		fmt.Fprintf(&b, "%s\n\t%.200s\n", path, first)
		if err == nil {
			n := len(area.Instances)
			fmt.Fprintf(&b, "\telement %d of %d instances: %d\n", area.Element, n, area.Instances[:min(n, 5)])
		}
	}
	for _, path := range []string{
		"", " ", "#", "title", " #title ", "first", "first.title", "first.author", "first.author.name", "first.author.other", "first.title.other", "first.tags",
		"books", "books.0", "books.11", "books.12", "books.-1", "books.x", "books.3.title", "books.3.author.name", "books.3.other", "books.0.", "books.",
		"few", "few.1", "few.1.name", "few.2", "few.x", "many", "many.0.name", "many.49", "many.50", "many.119", "many.120",
		"empty", "empty.0", "hollow", "hollow.0", "none", "none.name", "long", "long.x", "a", "a.name", "a.b", "a.b.name", "a.x", "list", "list.1.name", "list.1", "list.1.x", "tit", "titles", "x",
		"0", "1", "-5", "99999", "#2", "@r1",
	} {
		look(path)
	}
	names := 0
	if _, err := tree.Outline(variable.OutlineOptions{Budget: 1 << 20, Name: func() string { names++; return fmt.Sprint("r", names) }}); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{"@r1", "@r3", fmt.Sprint("@r", names), "@none"} {
		area, err := tree.AreaOf(ref)
		fmt.Fprintf(&b, "%s\n\telement %d of %d, %v\n", ref, area.Element, area.Instances, err)
	}
	for id := range 24 {
		look(fmt.Sprint("#", id+2))
	}
	app.fields["first"], app.fields["few"] = nil, list()
	tree.Scan()
	for _, path := range []string{"first", "first.title", "few", "few.0"} {
		look(path)
	}
	wide := &obj{typ: "Wide", fields: fields{}}
	var bindings strings.Builder
	for i := range 40 {
		fmt.Fprintf(&bindings, `<i ui-value="f%d"></i>`, i)
	}
	tree = variable.New(&host{}, latest{templates(t, map[string]string{"Wide.DEFAULT": bindings.String()})})
	tree.SetRoot(wide)
	tree.Scan()
	look("other")
	wide = &obj{typ: "Rows", fields: fields{"rows": list(contacts(1100)...)}}
	tree = variable.New(&host{}, latest{templates(t, map[string]string{"Rows.DEFAULT": `<ul ui-viewlist="rows"></ul>`, "Contact.list-item": `<li ui-value="name"></li>`})})
	tree.SetRoot(wide)
	tree.Scan()
	if area, err := tree.AreaOf(""); err != nil || len(area.Instances) != 1000 {
		t.Errorf("an area of %d instances, %v", len(area.Instances), err)
	}
	recorded(t, "paths.txt", b.String())
}

// A row that no page has asked for is mounted for an outline, and stays until another one is.
func TestReveal(t *testing.T) {
	tree, _ := shelves(t)
	for _, path := range []string{"", "title", "1", "77", "books", "books.3", "books.99", "many", "many.3", "many.120", "many.-1", "many.x", "hollow.0", "none.x", "first.title"} {
		if tree.Reveal(path, true) {
			t.Errorf("%q leads to a row that can be mounted", path)
		}
	}
	tree = variable.New(&host{}, latest{templates(t, map[string]string{
		"App.DEFAULT": `<ul ui-viewlist="a?window"></ul><ul ui-viewlist="b?window"></ul>`, "Contact.list-item": `<li ui-value="name"></li>`,
	})})
	tree.SetRoot(&obj{typ: "App", fields: fields{"a": list(contacts(120)...), "b": list(contacts(120)...)}})
	tree.Scan()
	reveals := func(path string, restart bool, shown ...string) {
		t.Helper()
		if !tree.Reveal(path, restart) {
			t.Errorf("%q does not lead to a row", path)
		}
		tree.Scan()
		if tree.Reveal(path, restart) {
			t.Errorf("%q is not mounted", path)
		}
		for _, path := range []string{"a.0", "a.70", "a.119", "b.70", "b.90"} {
			text, err := tree.Outline(variable.OutlineOptions{Path: path, Budget: 1000})
			if (err == nil) != slices.Contains(shown, path) || err == nil && !strings.Contains(text, path[2:]+"}") {
				t.Errorf("%s: %s, %v", path, text, err)
			}
		}
	}
	reveals(" #a.70.name ", true, "a.0", "a.70")
	reveals("a.119", true, "a.0", "a.119")
	reveals("b.90.name", false, "a.0", "a.119", "b.90")
	reveals("b.70.name", true, "a.0", "b.70")
	tree.Ask("page", 1, 0, 60, 5, 0)
	tree.Scan()
	reveals("a.0", true, "a.0")
}

// No outline is deeper than it may be, and what cannot be read does not make one longer.
func TestNarrowOutlinesOfOddThings(t *testing.T) {
	fails := false
	app := &obj{typ: "App", fields: fields{}, methods: map[string]method{"text": func(*obj, ...variable.Value) (variable.Value, error) {
		if fails {
			return nil, errors.New(strings.Repeat("error ", 20))
		}
		return strings.Repeat("text ", 200), nil
	}}}
	app.fields["one"] = &obj{typ: "One", fields: fields{"rows": list(contacts(3)...), "two": &obj{typ: "Two", fields: fields{}}}}
	tree := variable.New(&host{}, latest{templates(t, map[string]string{
		"App.DEFAULT": `<p ui-value="text()"></p><div ui-view="one"></div>`, "One.DEFAULT": `<ul ui-viewlist="rows"><li></li></ul><div ui-view="two"></div>`,
		"Two.DEFAULT": strings.Repeat("<p>line</p>", 60), "Contact.list-item": `<li ui-value="name"></li>`,
	})})
	tree.SetRoot(app)
	tree.Scan()
	fails = true
	tree.Scan()
	for budget := 300; budget < 500; budget += 50 {
		text, err := tree.Outline(variable.OutlineOptions{Path: "text()", Budget: budget})
		if err != nil || len(text) > budget || len(text) < budget-40 || !strings.Contains(text, "⚠ error") {
			t.Errorf("in %d bytes: %s, %v", budget, text, err)
		}
	}
	fails = false
	lines := 0
	app.methods["text"] = func(*obj, ...variable.Value) (variable.Value, error) {
		lines++
		return strings.Repeat("of ten it\n", 500+lines), nil
	}
	tree.Scan()
	for budget := 300; budget < 500; budget += 50 {
		text, err := tree.Outline(variable.OutlineOptions{Path: "text()", Budget: budget})
		if err != nil || len(text) > budget || !strings.HasSuffix(text, "more characters)\n") {
			t.Errorf("many lines in %d bytes: %s, %v", budget, text, err)
		}
	}
	text, err := tree.Outline(variable.OutlineOptions{Path: "one", Budget: 400, Depth: 2})
	if err != nil || !strings.Contains(text, "… 2 more") {
		t.Errorf("the start of what is too deep: %s, %v", text, err)
	}
}
