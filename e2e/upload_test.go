package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// The person uploads two files to an app, which shows them, reads them and has their paths; the
// agent sees what the person sees.
func TestUploads(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	s.write("apps/receipts/app.lua", `
Receipts = session:prototype("Receipts", { files = EMPTY, percent = EMPTY })
function Receipts:add(file) table.insert(self.files, file) end
function Receipts:names()
    local names = {}
    for i, file in ipairs(self.files) do
        local f = io.open(file.path, "rb")
        names[i] = file.name .. " " .. file.size .. " " .. f:read(3)
        f:close()
    end
    table.sort(names)
    return table.concat(names, ", ")
end
if not session.reloading then receipts = Receipts:new({ files = {} }) end
`)
	s.write("apps/receipts/viewdefs/Receipts.DEFAULT.html", `<template><div class="stack">
  <label>Receipts <input id="files" type="file" multiple ui-value="add(_)?upload&progress=percent"></label>
  <sl-progress-bar ui-value="percent" ui-style-display="percent"></sl-progress-bar>
  <p id="names" ui-value="names()"></p>
</div></template>`)
	s.ok("ui_display", map[string]any{"name": "receipts"})
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Wait(`document.querySelector("#files") !== null`)
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"a.txt", "b.txt"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, bytes.Repeat([]byte(name[:1]), 3<<20), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	tab.Choose("#files", paths...)
	tab.WaitText("#names", "a.txt 3145728 aaa, b.txt 3145728 bbb")
	if got := s.ok("ui_run", map[string]any{"code": "return {#receipts.files, receipts.percent == nil}"}); got != "[2,true]" {
		t.Errorf("the app has %s", got)
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, "data", "uploads"))
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
