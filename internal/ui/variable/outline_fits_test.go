package variable_test

import (
	"fmt"
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
		"title": "Shelves", "long": strings.Repeat("long ", 60), "books": list(books...), "many": list(many...), "few": list(many[:2]...), "empty": list(), "none": nil,
		"first": books[0], "a": contact("a"), "list": list(contact("zero"), contact("one")),
	}}
	app.fields["a"].(*obj).fields["b"] = contact("b")
	tree := variable.New(&host{}, latest{templates(t, map[string]string{
		"App.DEFAULT": `<h1 ui-value="title"></h1><div ui-view="first"></div><ul ui-viewlist="books"><li></li></ul><div ui-view="few?wrapper=lua.ViewList"></div>` +
			`<div ui-view="many?wrapper=lua.ViewList&window"></div><ul ui-viewlist="many?window"></ul><ul ui-viewlist="empty"></ul><ul ui-viewlist="empty?window"></ul><div ui-view="none"></div><p ui-value="long"></p>` +
			`<b ui-value="a.name"></b><div ui-view="a.b"></div><i ui-value="a"></i><u ui-value="list.1.name"></u><s ui-value="title"></s><div ui-view="title" ui-namespace="x"></div>`,
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
	for _, path := range []string{"few", "first"} {
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
		"empty", "empty.0", "none", "none.name", "long", "long.x", "a", "a.name", "a.b", "a.b.name", "a.x", "list", "list.1.name", "list.1", "list.1.x", "tit", "titles", "x",
		"0", "1", "-5", "99999", "#2", "@r1",
	} {
		look(path)
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
	recorded(t, "paths.txt", b.String())
}

// A row that no page has asked for is mounted for an outline, and stays until another one is.
func TestReveal(t *testing.T) {
	tree, _ := shelves(t)
	name := func(path string) string {
		text, err := tree.Outline(variable.OutlineOptions{Path: path, Budget: 1000})
		if err != nil {
			return ""
		}
		return strings.TrimSpace(text)
	}
	for _, path := range []string{"", "title", "1", "77", "books", "books.3", "books.99", "many", "many.3", "many.120", "many.-1", "many.x", "empty.0", "none.x", "first.title"} {
		if tree.Reveal(path, true) {
			t.Errorf("%q leads to a row that can be mounted", path)
		}
	}
	reveals := func(path string, restart bool, shown ...string) {
		t.Helper()
		if !tree.Reveal(path, restart) {
			t.Errorf("%q does not lead to a row", path)
		}
		tree.Scan()
		if tree.Reveal(path, restart) {
			t.Errorf("%q is not mounted", path)
		}
		for _, path := range []string{"many.70.name", "many.90.name", "many.119.name"} {
			want := ""
			for _, s := range shown {
				if s == path {
					want = path + ": " + strings.Split(path, ".")[1]
				}
			}
			if got := name(path); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		}
	}
	reveals(" #many.70.name ", true, "many.70.name")
	reveals("many.119", true, "many.119.name")
	reveals("many.90.name", false, "many.90.name")
}
