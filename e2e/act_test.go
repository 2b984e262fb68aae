package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
)

// refs are the references in an inspection.
var refs = regexp.MustCompile(`@([a-z2-7]{4}\d+)`)

// An agent does not send what the person has not finished typing, by no click or key in the form.
func TestActLeavesUnsentText(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), ".claude", "ui"))
	url := s.ok("ui_start", nil)
	s.write("apps/note/app.lua", `Note = session:prototype("Note", { text = "", other = "", sent = 0 })
function Note:send() self.sent = self.sent + 1 end
if not session.reloading then note = Note:new() end`)
	s.write("apps/note/viewdefs/Note.DEFAULT.html", `<template><section><form>
  <input aria-label="Text" ui-value="text"> <button ui-action="send()">Send</button>
</form><input aria-label="Other" ui-value="other"> <button ui-action="send()">Elsewhere</button></section></template>`)
	s.ok("ui_display", map[string]any{"name": "note"})
	tab := browser.New(t).Tab()
	tab.Open(url + "/1/")
	tab.Wait(`document.querySelector("[aria-label=Text]") !== null`)
	inspection := s.ok("ui_inspect", nil)
	act := func(control string, args map[string]any) string {
		before, _, found := strings.Cut(inspection, control)
		m := refs.FindStringSubmatch(inspection[len(before):])
		if !found || m == nil {
			t.Fatalf("no %q in %s", control, inspection)
		}
		args["ref"] = m[1]
		text, _ := s.call("ui_act", args)
		return text
	}
	tab.Type("[aria-label=Text]", "half a w")
	const refused = "the person is typing in it, or in its form"
	for _, text := range []string{
		act("{text: ", map[string]any{"fill": "whole"}), act("{text: ", map[string]any{"key": "enter"}),
		act("button Send", map[string]any{"click": true}), act("button Send", map[string]any{"key": "enter"}),
	} {
		if !strings.Contains(text, refused) {
			t.Errorf("while the person types: %s", text)
		}
	}
	if text := act("{other: ", map[string]any{"fill": "meanwhile"}); !strings.Contains(text, "meanwhile") {
		t.Errorf("another field: %s", text)
	}
	if got := s.ok("ui_run", map[string]any{"code": "return { note.sent, note.text }"}); got != `[0,""]` {
		t.Errorf("while the person types: %s", got)
	}
	tab.Run(`document.activeElement.blur()`)
	if text := act("button Send", map[string]any{"click": true}); strings.Contains(text, refused) {
		t.Errorf("after the edit: %s", text)
	}
	if got := s.ok("ui_run", map[string]any{"code": "return { note.sent, note.text }"}); got != `[1,"half a w"]` {
		t.Errorf("after the edit: %s", got)
	}
}
