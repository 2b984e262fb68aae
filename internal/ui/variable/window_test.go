package variable_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ui-mcp/internal/ui/variable"
)

var windowDefs = map[string]string{
	"App.DEFAULT":              `<ul ui-viewlist="all?window"></ul><div ui-view="all?wrapper=lua.ViewList&window"></div>`,
	"lua.ViewList.DEFAULT":     `<div><div ui-viewlist="items"></div></div>`,
	"lua.ViewListItem.DEFAULT": `<div><b ui-value="index"></b><div ui-view="item"></div></div>`,
	"Contact.list-item":        `<li ui-value="name"></li>`,
}

func contacts(n int) []variable.Value {
	items := make([]variable.Value, n)
	for i := range items {
		items[i] = contact(fmt.Sprint(i))
	}
	return items
}

func TestWindow(t *testing.T) {
	all := list(contacts(1000)...)
	app := &obj{typ: "App", fields: fields{"all": all}}
	w := newWorld(t, app, windowDefs)
	small := w.tree.Len()
	if small > 50*5+10 {
		t.Fatalf("%d variables for a window of 50 rows", small)
	}
	w.want("nothing changed")
	all.items[900].(*obj).fields["name"] = "x"
	w.want("a row that is not shown")
	all.items[10].(*obj).fields["name"] = "y"
	w.want("a row that is shown, in both lists", "set 0=y", "set 0=y")

	outer, inner := w.instance("App.DEFAULT"), w.instance("lua.ViewList.DEFAULT")
	w.tree.Ask("a", outer, 0, 30, 40, 0)
	w.want("the page scrolls a little", "window 0 of 1000 kept 20")
	w.tree.Ask("b", outer, 0, 900, 10, 0)
	w.want("another page is elsewhere", "window 0 of 1000 kept 40")
	w.tree.Ask("a", outer, 0, 905, 10, 0)
	w.want("both see one range", "window 0 of 1000 kept 10")
	w.tree.Forget("a")
	w.want("one page leaves", "window 0 of 1000 kept 10")
	all.items = append([]variable.Value{contact("new")}, all.items...)
	w.want("insert: the rows move", append([]string{"window 0 of 1001 kept 10", "window 0 of 1001 kept 49"}, repeat("set 1=%d", 1, 49)...)...)
	w.tree.Ask("b", inner, 0, 995, 100, 0)
	w.tree.Ask("b", outer, 0, 5000, 10, 0)
	w.tree.Ask("b", 12345, 0, 0, 10, 0)
	w.tree.Ask("b", outer, 7, 0, 10, 0)
	w.want("past the end", "window 0 of 1001 kept 0", "window 0 of 1001 kept 0")
	all.items = nil
	w.want("empty", "window 0 of 0 kept 0", "window 0 of 0 kept 0")
	put(t, w.store, "Contact.list-item", `<li class="new" ui-value="name"></li>`)
	all.items = contacts(3)
	w.tree.Forget("b")
	w.want("another template", "window 0 of 3 kept 0", "window 0 of 3 kept 0")
	put(t, w.store, "Contact.list-item", `<li ui-value="name"></li>`)
	w.want("and another", "window 0 of 3 kept 0", "mount 0", "mount 0", "mount 0")
}

// Visible rows stay while rows come and go elsewhere, and so does the row that a page keeps.
func TestWindowFollows(t *testing.T) {
	all := list(contacts(1000)...)
	w := newWorld(t, &obj{typ: "App", fields: fields{"all": all}}, map[string]string{
		"App.DEFAULT":       `<ul ui-viewlist="all?window"></ul>`,
		"Contact.list-item": `<li ui-value="name"></li>`,
	})
	list, kept := w.instance("App.DEFAULT"), w.row("0")
	shows := func(why, rows string) {
		t.Helper()
		w.scan()
		if got := w.windowed(); got != rows {
			t.Errorf("%s: rows are %s, want %s", why, got, rows)
		}
		w.want("and then")
	}
	w.tree.Ask("a", list, 0, 500, 4, kept)
	shows("a row is kept", "0 500 501 502 503")
	all.items = append(contacts(200), all.items...)
	shows("200 rows above", "0 500 501 502 503")
	all.items = all.items[:900]
	shows("rows below go", "0 500 501 502 503")
	all.items = all.items[150:]
	shows("rows above go", "0 500 501 502 503")
	all.items[52], all.items[60] = all.items[60], all.items[52]
	shows("rows elsewhere change places", "0 500 501 502 503")
	all.items[50], all.items[60] = all.items[60], all.items[50]
	shows("the row that is kept moves", "0 500 501 502 503")
	all.items = append(all.items[:60:60], all.items[61:]...)
	shows("and goes", "500 501 502 503")
	w.tree.Ask("a", list, 0, 500, 2, w.row("503"))
	shows("another one is kept", "451 452 503")
	w.tree.Ask("a", list, 0, 500, 2, 0)
	shows("none is kept", "451 452")
	w.tree.Ask("a", list, 0, 0, 2, 0)
	shows("at the start", "150 151")
	all.items = append(contacts(1), all.items...)
	shows("new rows are seen at the start", "0 150")
	all.items = contacts(5)
	shows("other rows", "0 1")
}

// What a page sees stays, whatever else pages look at, and wherever rows come and go.
func TestWindowFollowsEachPage(t *testing.T) {
	for _, c := range []struct {
		what   string
		asks   map[string][2]int // start and count, which have been displayed
		late   [2]int            // asked for at the time of the change
		change func(rows []variable.Value) []variable.Value
		want   string
	}{
		{what: "one row", asks: map[string][2]int{"a": {500, 1}}, change: func(rows []variable.Value) []variable.Value { return append(contacts(200), rows...) }, want: "500"},
		{what: "two pages", asks: map[string][2]int{"a": {500, 2}, "b": {900, 2}},
			change: func(rows []variable.Value) []variable.Value { return append(contacts(200), rows...) }, want: "500 501 900 901"},
		{what: "one that has only asked", asks: map[string][2]int{"b": {504, 2}}, late: [2]int{500, 4},
			change: func(rows []variable.Value) []variable.Value { return append(contacts(10), rows...) }, want: "490 491 492 493 504 505"},
		{what: "more above than below go", asks: map[string][2]int{"a": {500, 2}},
			change: func(rows []variable.Value) []variable.Value { return append(contacts(10), rows[:996]...) }, want: "500 501"},
		{what: "rows above and below", asks: map[string][2]int{"a": {500, 2}},
			change: func(rows []variable.Value) []variable.Value {
				return append(append(contacts(4), rows...), contacts(6)...)
			}, want: "500 501"},
		{what: "all are others", asks: map[string][2]int{"a": {500, 2}}, change: func([]variable.Value) []variable.Value { return contacts(1100) }, want: "500 501"},
	} {
		all := list(contacts(1000)...)
		w := newWorld(t, &obj{typ: "App", fields: fields{"all": all}}, map[string]string{
			"App.DEFAULT": `<ul ui-viewlist="all?window"></ul>`, "Contact.list-item": `<li ui-value="name"></li>`,
		})
		root := w.instance("App.DEFAULT")
		for page, ask := range c.asks {
			w.tree.Ask(page, root, 0, ask[0], ask[1], 0)
		}
		for _, slot := range []int{-1, 1, 2} {
			w.tree.Ask("stray", root, slot, 0, 1, 0)
		}
		w.scan()
		if c.late[1] > 0 {
			w.tree.Ask("late", root, 0, c.late[0], c.late[1], 0)
		}
		all.items = c.change(all.items)
		w.scan()
		if got := w.windowed(); got != c.want {
			t.Errorf("%s: rows are %s, want %s", c.what, got, c.want)
		}
	}
}

// Templates of lists have what is theirs, and nothing else.
func TestWhatListsHave(t *testing.T) {
	for binding, want := range map[string]string{
		`ui-class-on="items"`:   "",
		`ui-class-on="items()"`: "lua.ViewList has items, and no items",
		`ui-class-on="other"`:   "lua.ViewList has items, and no other",
	} {
		w := newWorld(t, &obj{typ: "App", fields: fields{"all": list("x")}}, map[string]string{
			"App.DEFAULT": `<div ui-view="all?wrapper=lua.ViewList"></div>`, "lua.ViewList.list-item": "<p " + binding + "></p>",
		})
		if got := strings.Join(w.problems(), ""); got != want {
			t.Errorf("%s of a list: %q, want %q", binding, got, want)
		}
	}
	for binding, want := range map[string]string{
		`ui-value="item"`: "", `ui-value="baseItem"`: "", `ui-value="index"`: "", `ui-value="type"`: "", `ui-class-on="list"`: "",
		`ui-value="index()"`: "lua.ViewListItem has item, baseItem, index and list, and no index",
		`ui-value="other"`:   "lua.ViewListItem has item, baseItem, index and list, and no other",
		`ui-value="index.x"`: "an index is a number",
	} {
		w := newWorld(t, &obj{typ: "App", fields: fields{"all": list("x")}}, map[string]string{
			"App.DEFAULT": `<div ui-view="all?wrapper=lua.ViewList"></div>`, "lua.ViewList.list-item": `<ul ui-viewlist="items"></ul>`, "lua.ViewListItem.list-item": "<p " + binding + "></p>",
		})
		if got := strings.Join(w.problems(), ""); got != want {
			t.Errorf("%s of an item: %q, want %q", binding, got, want)
		}
	}
}

// row returns the instance that displays a contact.
func (w *world) row(name string) int64 {
	for id, m := range w.page.insts {
		if slots := m[2].([]any); len(slots) > 0 && slots[0] == name {
			return id
		}
	}
	w.t.Fatalf("no row shows %s", name)
	return 0
}

// windowed returns the names in the rows of the root's first list.
func (w *world) windowed() string {
	var names []string
	window := w.page.insts[w.instance("App.DEFAULT")][2].([]any)[0].(map[string]any)
	for _, s := range window["segments"].([]any) {
		for _, row := range s.([]any)[1].([]any) {
			names = append(names, fmt.Sprint(row.([]any)[2].([]any)[0]))
		}
	}
	return strings.Join(names, " ")
}

// repeat formats a number of operations.
func repeat(format string, from, to int) []string {
	var out []string
	for i := from; i <= to; i++ {
		out = append(out, fmt.Sprintf(format, i))
	}
	return out
}

func TestWindowAtRandom(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 2))
		pool := contacts(8)
		all := list()
		w := newWorld(t, &obj{typ: "App", fields: fields{"all": all}}, windowDefs)
		outer := w.instance("App.DEFAULT")
		for range 30 {
			all.items = nil
			for range r.IntN(30) {
				all.items = append(all.items, pool[r.IntN(len(pool))])
			}
			for range r.IntN(3) {
				w.tree.Ask(r.IntN(3), outer, 0, r.IntN(30), r.IntN(12), r.Int64N(60))
			}
			if r.IntN(4) == 0 {
				w.tree.Forget(r.IntN(3))
			}
			pool[r.IntN(len(pool))].(*obj).fields["name"] = fmt.Sprint(r.IntN(1000))
			w.scan()
			w.want("a second scan")
		}
	}
}
