package e2e

import (
	"fmt"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/apphost"
	"ui-mcp/internal/testkit/load"
)

// What the person chooses in a view of the conversation reaches the app with its content, whatever
// it is and however large it may be.
func TestFileInTheChat(t *testing.T) {
	load.Long(t, "TestUpload chooses files in a page, and TestLongMessagesComeInPieces sends long messages through a relay")
	t.Parallel()
	c := openChat(t, apphost.Options{})
	testkit.Write(t, c.dir, "apps/counter/app.lua", `Counter = session:prototype("Counter", { file = EMPTY, count = 0 })
counter = counter or session:create(Counter, { count = 0 })
function Counter:more() self.count = self.count + 1 end
`)
	testkit.Write(t, c.dir, "apps/counter/viewdefs/Counter.DEFAULT.html", `<template><div>
  <output id="count" ui-value="count"></output>
  <input id="file" type="file" aria-label="File" ui-value="file?content" ui-event-change="more()">
</div></template>
`)
	_, _, content := c.display()
	content.Wait(`document.querySelector("#file")`)
	for i, test := range []struct {
		name, content string // an expression of the page
		field         string
		length        int
	}{
		{"small.txt", `"Köln\n"`, "text", 6},
		{"letters.txt", `"ä€😀\n".repeat(104857)`, "text", 1048570},
		{"marks.txt", `"\x01\"\\".repeat(349525)`, "text", 1048575},
		{"binary.bin", `"\0\x7f".repeat(524288)`, "base64", 1398104},
	} {
		content.Run(fmt.Sprintf(`const chosen = new DataTransfer(), field = document.querySelector("#file");
			chosen.items.add(new File([%s], %q));
			field.files = chosen.files;
			field.dispatchEvent(new Event("change", { bubbles: true }))`, test.content, test.name))
		content.WaitText("#count", fmt.Sprint(i+1))
		if got, want := c.run(`local f = counter.file return f.name .. " " .. #f.`+test.field), fmt.Sprintf(`"%s %d"`, test.name, test.length); !strings.Contains(got, want) {
			t.Errorf("the app has %s, want %s", got, want)
		}
	}
}
