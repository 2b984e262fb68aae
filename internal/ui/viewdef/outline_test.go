package viewdef_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ui-mcp/internal/ui/viewdef"
)

func TestOutline(t *testing.T) {
	tm, err := viewdef.Parse("A.DEFAULT", "A.DEFAULT.html", `<template>
  <tr ui-class-on="on"><td>Total:
     <b ui-value="sum()" ui-attr-title="unit">0</b></td></tr>
  <script>alert("<p>")</script><!-- no --><style>p{}</style>
  <input type="checkbox" checked ui-value="on" ui-event-change="f()">
  <ul ui-viewlist="rows"><li><button>no row has it</button></li></ul>
  <button>Plain</button>
</template>`)
	if err != nil {
		t.Fatal(err)
	}
	slot := func(source string) int {
		for i, b := range tm.Bindings {
			if b.Source == source {
				return i
			}
		}
		t.Fatalf("no binding %s", source)
		return 0
	}
	space := &viewdef.Node{Text: " ", Element: -1}
	want := []*viewdef.Node{
		space,
		{Tag: "tr", Element: 0, Slots: []int{slot(`ui-class-on="on"`)}, Nodes: []*viewdef.Node{
			{Tag: "td", Element: -1, Nodes: []*viewdef.Node{
				{Text: "Total: ", Element: -1},
				{Tag: "b", Element: 1, Slots: []int{slot(`ui-value="sum()"`), slot(`ui-attr-title="unit"`)}, Nodes: []*viewdef.Node{{Text: "0", Element: -1}}},
			}},
		}},
		space, space,
		{
			Tag: "input", Element: 2, Attrs: []viewdef.Attribute{{Name: "type", Value: "checkbox"}, {Name: "checked"}},
			Slots: []int{slot(`ui-value="on"`), slot(`ui-event-change="f()"`)},
		},
		space,
		{Tag: "ul", Element: 3, Slots: []int{slot(`ui-viewlist="rows"`)}, Nodes: []*viewdef.Node{
			{Tag: "li", Element: -1, Nodes: []*viewdef.Node{{Tag: "button", Element: -1, Nodes: []*viewdef.Node{{Text: "no row has it", Element: -1}}}}},
		}},
		space,
		{Tag: "button", Element: 4, Nodes: []*viewdef.Node{{Text: "Plain", Element: -1}}},
		space,
	}
	if d := cmp.Diff(want, tm.Nodes, cmpopts.IgnoreFields(viewdef.Node{}, "Line", "Parent")); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func FuzzOutline(f *testing.F) {
	f.Add(`<p ui-value="a">x</p>`)
	f.Add(`<table><tr><td ui-view="b"></table>`)
	f.Add(`<select ui-value="c"><option>1</select><svg><style>x</style></svg>`)
	f.Fuzz(func(t *testing.T, content string) {
		tm, err := viewdef.Parse("A.DEFAULT", "a.html", "<template>"+content+"</template>")
		if err != nil {
			return
		}
		seen := map[int]bool{}
		var walk func([]*viewdef.Node)
		walk = func(nodes []*viewdef.Node) {
			for _, n := range nodes {
				if n.Tag == "" && (n.Text == "" || n.Attrs != nil || n.Nodes != nil) {
					t.Fatalf("a text like this: %+v", n)
				}
				for _, s := range n.Slots {
					if seen[s] || s >= len(tm.Bindings) {
						t.Fatalf("slot %d of %d, seen %v", s, len(tm.Bindings), seen[s])
					}
					seen[s] = true
				}
				walk(n.Nodes)
			}
		}
		walk(tm.Nodes)
	})
}
