package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/app"
)

// BenchmarkCheck measures checking an app with a number of views, each a form with a list, from the
// reading of its files on: what "ui-mcp check" does beside starting, and ui_display beside
// displaying.
func BenchmarkCheck(b *testing.B) {
	for _, views := range []int{1, 30, 100} {
		b.Run(fmt.Sprintf("views=%d", views), func(b *testing.B) {
			dir := checkedApp(b, views)
			var times stopwatch
			for b.Loop() {
				begin := time.Now()
				found, err := app.Check(b.Context(), dir, "1.0", "many", nil)
				times = append(times, time.Since(begin))
				if err != nil {
					b.Fatal(err)
				}
				// The faults are in rows, and in adding the third one.
				if text := fmt.Sprint(found.Findings); len(found.Findings) != views+1 || strings.Count(text, "binding") != views || !strings.Contains(text, "action") {
					b.Fatalf("%d findings: %v", len(found.Findings), found)
				}
			}
			times.report(b)
		})
	}
}

// checkedApp writes an app with views of different types, and returns the base directory.
func checkedApp(b *testing.B, views int) string {
	dir := b.TempDir()
	write := func(name, content string) {
		file := filepath.Join(dir, "apps", "many", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var lua, html strings.Builder
	for i := range views {
		fmt.Fprintf(&lua, `
Row%[1]d = session:prototype("Row%[1]d", { name = "", done = false })
function Row%[1]d:toggle() self.done = not self.done end
View%[1]d = session:prototype("View%[1]d", { draft = "", amount = 0, problem = "" })
function View%[1]d:add()
  if self.draft == "" then self.problem = "What?" return end
  if #self.rows == 2 and %[1]d == 0 then error("too many") end
  table.insert(self.rows, Row%[1]d:new({ name = self.draft }))
  self.draft, self.problem = "", ""
end
function View%[1]d:isFilled() return #self.rows > 0 end
function View%[1]d:clear() self.rows = {} end
`, i)
		fmt.Fprintf(&html, `<div ui-view="view%d"></div>`, i)
		write(fmt.Sprintf("viewdefs/View%d.DEFAULT.html", i), `<template><section class="card"><form class="row">
<input ui-value="draft" aria-label="New"><input type="number" ui-value="amount" aria-label="Amount"><button type="submit" ui-action="add()">Add</button></form>
<p class="error" ui-value="problem"></p><ul ui-viewlist="rows"><li></li></ul><p ui-attr-hidden="isFilled()">Nothing yet.</p>
<button ui-action="clear()">Clear</button></section></template>`)
		write(fmt.Sprintf("viewdefs/Row%d.list-item.html", i), `<template><li><span ui-value="name"></span><b ui-value="nmae"></b>
<button ui-action="toggle()">Done</button></li></template>`)
	}
	lua.WriteString(`local Many = session:prototype("Many", {})
if not session.reloading then
  many = Many:new()
`)
	for i := range views {
		fmt.Fprintf(&lua, "  many.view%[1]d = session:create(View%[1]d, { rows = {} })\n", i)
	}
	lua.WriteString("end\n")
	write("app.lua", lua.String())
	write("viewdefs/Many.DEFAULT.html", "<template><main>"+html.String()+"</main></template>")
	return dir
}
