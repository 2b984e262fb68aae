package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/popup/question"
	"ui-mcp/internal/testkit/browser"
)

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

// The person answers with files: the agent sees the picture and gets both paths, and a command
// prints them.
func TestFilesInAnswers(t *testing.T) {
	t.Parallel()
	s := startAlone(t)
	url := s.ok("ui_start", nil)
	tab := browser.New(t).Tab()
	tab.Open(url + "/popup")
	tab.Wait(`document.querySelector("ui-popup").dataset.ready === "true"`)
	// add gives files to the dialog as a drop or a paste does.
	add := func(event string, names ...string) {
		t.Helper()
		tab.Run(fmt.Sprintf(`
			const given = new DataTransfer();
			for (const name of %s) given.items.add(new File([Uint8Array.from(atob("%s"), (c) => c.charCodeAt(0))], name, { type: name.endsWith(".png") ? "image/png" : "text/plain" }));
			const event = new %s("%[4]s", { bubbles: true, cancelable: true, ["%[4]s" === "drop" ? "dataTransfer" : "clipboardData"]: given });
			%[5]s.dispatchEvent(event);`,
			jsonOf(names), pixel, map[string]string{"drop": "DragEvent", "paste": "ClipboardEvent"}[event], event, dialog(".text")))
	}
	said := make(chan string)
	go func() {
		text, _ := s.call("popup", map[string]any{"title": "Screen", "message": "What do you see?", "files": 2})
		said <- text
	}()
	tab.Wait(dialog("h2") + `.textContent === "Screen" && ` + settled)
	add("paste", "screen.png")
	add("drop", "notes.txt", "extra.txt")
	tab.Wait(dialog(".error") + `.textContent === "At most 2 can be added."`)
	tab.Wait(dialog(".added img") + ` !== null && [...document.querySelector("ui-popup").shadowRoot.querySelectorAll(".added li")].map((e) => e.textContent).join() === "screen.png✕,notes.txt✕"`)
	if dir := os.Getenv("ANSWER_PICTURES"); dir != "" {
		answerPictures(tab, dir)
	}
	tab.ClickOn(dialog(".send"))
	text := <-said
	var answer struct {
		Status, Source string
		Files          []question.File
	}
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&answer); err != nil || answer.Status != "answered" || answer.Source != "file" || len(answer.Files) != 2 {
		t.Fatalf("popup says %s, %v", text, err)
	}
	want, err := base64.StdEncoding.DecodeString(pixel)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"screen.png", "notes.txt"} {
		f := answer.Files[i]
		if content, err := os.ReadFile(f.Path); f.Name != name || f.Size != len(want) || string(content) != string(want) || err != nil {
			t.Errorf("%+v has %q, %v", f, content, err)
		}
	}

	go func() {
		out, err := alone(t, exec.Command("ui-mcp", "ask", "--dir", s.dir, "--title", "By command", "Which?", "--files", "1")).Output()
		if err != nil {
			t.Error(err)
		}
		said <- string(out)
	}()
	tab.Wait(dialog("h2") + `.textContent === "By command" && ` + settled)
	add("drop", "a.png")
	tab.Wait(dialog(".added img") + ` !== null`)
	tab.ClickOn(dialog(".added button"))
	tab.Wait(dialog(".added li") + ` === null`)
	add("drop", "b.png")
	tab.Wait(dialog(".added img") + ` !== null`)
	tab.ClickOn(dialog(".send"))
	if path := strings.TrimSuffix(<-said, "\n"); !strings.HasSuffix(path, "-b.png") {
		t.Errorf("ask prints %q", path)
	} else if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func jsonOf(names []string) string {
	text, err := json.Marshal(names)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// answerPictures takes pictures of the dialog.
func answerPictures(tab *browser.Tab, dir string) {
	for _, width := range []int{390, 1280} {
		for _, dark := range []bool{false, true} {
			tab.Size(width, 800)
			tab.Dark(dark)
			tab.Screenshot(fmt.Sprintf("%s/answer-%d-%t.png", dir, width, dark))
		}
	}
}

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
