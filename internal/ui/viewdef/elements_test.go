package viewdef_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/ui/viewdef"
)

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
	want := []viewdef.Element{
		{"div", 2, -1}, {"p", 2, -1}, {"ul", 4, 0}, {"li", 4, -1}, {"b", 4, -1}, {"li", 5, -1}, {"template", 6, -1}, {"script", 7, -1}, {"br", 7, -1}, {"input", 8, 1},
	}
	if d := cmp.Diff(want, tm.Elements); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
