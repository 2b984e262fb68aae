package bundle_test

import (
	"io/fs"
	"path"
	"strings"
	"testing"

	"ui-mcp/bundle"
)

const examples = "project/.claude/skills/ui-builder/examples"

// exampleWorld returns a world with the skill's example as its app contacts.
func exampleWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	for name, text := range files(t, "") {
		if rel, ok := strings.CutPrefix(name, examples+"/"); ok && path.Ext(name) != ".md" {
			w.write("apps/contacts/"+rel, text)
		}
	}
	return w
}

func TestExample(t *testing.T) {
	t.Parallel()
	w := exampleWorld(t)
	w.display("1", "contacts")
	for _, c := range []struct{ name, run, want string }{
		{"empty", `return contacts:summary()`, "0 contacts"},
		{"add", `contacts.name, contacts.email = "bob", "bob@example.org"; contacts:add(); return contacts:summary() .. contacts.name .. contacts.email`, "1 contact"},
		{"no email is needed", `contacts.name = "Ada"; contacts:add(); return contacts.problem`, ""},
		{"sorted", `local l = contacts:sorted(); return l[1].name .. l[2].name .. contacts.items[1].name`, "Adabobbob"},
		{"no name", `contacts.name = " "; contacts:add(); return contacts:summary() .. ". " .. contacts.problem`, "2 contacts. A contact needs a name."},
		{"bad email", `contacts.name, contacts.email = "Cy", "cy"; contacts:add(); return contacts:summary() .. ". " .. contacts.problem`, "2 contacts. cy is not an email address."},
		{"corrected", `contacts.email = "cy@example.org"; contacts:add(); return contacts:summary() .. contacts.problem`, "3 contacts"},
		{"remove", `contacts.items[2]:remove(); return contacts.items[1].name .. contacts.items[2].name`, "bobCy"},
		{"nothing to send", `contacts.draft = "  "; contacts:send(); return #contacts.messages .. contacts.draft`, "0  "},
		{"nobody listens", `return contacts:agentText()`, "The agent is busy and will read this later"},
	} {
		if got := w.text("1", c.run); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	w.useAll("1")
	if got := w.run("1", `return mcp.value.items`); got == "[]" {
		t.Error("using every control has left nothing to see")
	}
}

// The person and the agent use the chat.
func TestExampleChat(t *testing.T) {
	t.Parallel()
	w := exampleWorld(t)
	w.display("1", "contacts")
	w.run("1", `contacts.draft = "Who is new?"`)
	inspection := w.ok("ui_inspect", nil)
	before, _, _ := strings.Cut(inspection, "→ send()")
	refs := reference.FindAllString(inspection[strings.LastIndexByte(before, '\n')+1:], 1)
	w.ok("ui_act", map[string]any{"ref": refs[0], "click": true})
	if got, want := w.events("1"), `[{"app":"contacts","event":"chat","text":"Who is new?"}]`; got != want {
		t.Errorf("events %s, want %s", got, want)
	}
	w.run("1", `contacts:reply("Ada, since today.")`)
	const list = `local lines = {}
		for i, m in ipairs(contacts.messages) do lines[i] = m:sender() .. ": " .. m.text end
		return table.concat(lines, "\n") .. contacts.draft`
	if got, want := w.text("1", list), "You: Who is new?\nAgent: Ada, since today."; got != want {
		t.Errorf("the chat is %q, want %q", got, want)
	}
}

// Everything that design.md lists exists.
func TestExampleDesign(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		data, err := fs.ReadFile(bundle.Files, examples+"/"+name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	code, design := read("app.lua"), read("design.md")
	_, objects, _ := strings.Cut(design, "## Objects")
	objects, rest, _ := strings.Cut(objects, "## Views")
	views, _, _ := strings.Cut(rest, "## Events")
	named := 0
	for i, word := range strings.Split(objects, "`") {
		if i%2 == 0 { // not between backquotes
			continue
		}
		named++
		if !declares(code, word) {
			t.Errorf("design.md names %s, which app.lua has not", word)
		}
	}
	if named < 10 {
		t.Errorf("design.md names %d things: is its table still there?", named)
	}
	for name := range files(t, ".html") {
		if file, ok := strings.CutPrefix(name, examples+"/viewdefs/"); ok && !strings.Contains(views, "`"+file+"`") {
			t.Errorf("design.md does not name %s", file)
		}
	}
}
