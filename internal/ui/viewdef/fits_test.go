package viewdef_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/viewdef"
)

// What an element cannot display in the rows of its list, or in the view that stands in it.
func TestMisfit(t *testing.T) {
	t.Parallel()
	const says = " as it should: begin that file's template with "
	parse := func(key, src string) *viewdef.Template {
		tm, err := viewdef.Parse(key, key+".html", "<template>"+src+"</template>")
		if err != nil {
			t.Fatal(err)
		}
		return tm
	}
	for _, c := range []struct{ holder, row, want string }{
		{`<select ui-viewlist="rows"></select>`, `<li><button>x</button></li>`, "<select> does not display the <li> of Row.list-item.html" + says + "<option>"},
		{`<select ui-value="one" ui-viewlist="rows"><option></option></select>`, `<style></style><option ui-value="name"></option>`, ""},
		{`<select><option>All</option><option ui-view="row"></option></select>`, `<p>x</p>`, "<select> does not display the <p> of Row.list-item.html" + says + "<option>"},
		{`<select><optgroup label="All" ui-viewlist="rows"></optgroup></select>`, `<span>x</span>`, "<optgroup> does not display the <span> of Row.list-item.html" + says + "<option>"},
		{`<datalist ui-viewlist="rows"></datalist>`, `<option ui-value="name"></option>`, ""},
		{`<table ui-viewlist="rows"></table>`, `<tr><td></td></tr>`, ""},
		{`<table><tbody ui-viewlist="rows"></tbody></table>`, `<div>x</div>`, "<tbody> does not display the <div> of Row.list-item.html" + says + "<tr>"},
		{`<table><tr ui-viewlist="rows"></tr></table>`, `<span>x</span>`, "<tr> does not display the <span> of Row.list-item.html" + says + "<td>"},
		{`<svg><g ui-viewlist="rows"></g></svg>`, `<rect/>`, "<svg> does not display the <rect> of Row.list-item.html" + says + "<svg>"},
		{`<svg><g ui-viewlist="rows"></g></svg>`, `<svg><rect/></svg>`, ""},
		{`<svg><foreignObject><div ui-viewlist="rows"></div></foreignObject></svg>`, `<p>x</p>`, ""},
		{`<sl-select ui-viewlist="rows"></sl-select>`, `<option>x</option>`, "<sl-select> does not display the <option> of Row.list-item.html" + says + "<sl-option>"},
		{`<sl-select ui-viewlist="rows"></sl-select>`, `<div><sl-option>x</sl-option></div>`, ""},
		{`<sl-select><div ui-view="rows?wrapper=lua.ViewList"></div></sl-select>`, `<div class="view-list"><div ui-viewlist="items"></div></div>`, ""},
		{`<tbody ui-viewlist="rows"></tbody>`, `<div ui-view="other"></div>`, ""}, // that view is another's
		{`<ul ui-viewlist="rows"></ul>`, `<p>x</p>`, ""},
	} {
		holder, row := parse("App.DEFAULT", c.holder), parse("Row.list-item", c.row)
		for i := range holder.Bindings {
			if b := &holder.Bindings[i]; b.Kind <= viewdef.View {
				if got := b.Misfit(row); got != c.want {
					t.Errorf("%s with %s:\n%s, want\n%s", c.holder, c.row, got, c.want)
				}
			}
		}
	}
}

// Every element that pages display has its line, whatever has bindings.
func TestElements(t *testing.T) {
	tm, err := viewdef.Parse("A.DEFAULT", "A.DEFAULT.html", `<template>
  <div><p
    class="x">one</p>
    <ul ui-viewlist="rows"><li><b></b></li>
      <li data-ui-mark="7"></li></ul></div>
  <template><i></i></template>
  <script>"<u>"</script><br/>
  <input ui-value="name">
</template>`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range tm.Elements {
		got = append(got, fmt.Sprint(e.Tag, " ", e.Line, " ", e.Element))
	}
	want := []string{"div 2 -1", "p 2 -1", "ul 4 0", "li 4 -1", "b 4 -1", "li 5 -1", "template 6 -1", "script 7 -1", "br 7 -1", "input 8 1"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
