package ui_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// actFiles is an app with rows that can be removed, and a view of the selected one.
var actFiles = map[string]string{
	"apps/a/app.lua": `
Row = session:prototype("Row", { name = "" })
A = session:prototype("A", { rows = EMPTY, selected = EMPTY, text = "", open = false, locked = false })
function Row:remove() for i, r in ipairs(a.rows) do if r == self then table.remove(a.rows, i) end end end
function Row:fail() error("no luck") end
function A:select() self.selected = self.rows[2] end
function A:none() return nil end
if not session.reloading then
  a = A:new({ rows = { Row:new({ name = "Ann" }), Row:new({ name = "Bob" }) } })
  a.selected = a.rows[1]
end`,
	"apps/a/viewdefs/A.DEFAULT.html": `<template><div>
  <button ui-action="select()">Other</button>
  <input aria-label="Text" maxlength="3" ui-value="text">
  <input type="file" aria-label="Upload">
  <fieldset ui-attr-disabled="locked"><button ui-action="select()">Locked</button></fieldset>
  <a href="https://example.org" ui-event-click="select()">Link</a>
  <sl-dialog ui-attr-open="open" label="Sure?"><button ui-action="select()">Yes</button></sl-dialog>
  <ul ui-viewlist="rows"><li></li></ul>
  <div ui-view="selected" ui-namespace="detail"></div>
  <button aria-label="Close" ui-action="select()">✕</button>
</div></template>`,
	"apps/a/viewdefs/Row.list-item.html": `<template><li><span ui-value="name"></span> <button ui-action="remove()">Remove</button></li></template>`,
	"apps/a/viewdefs/Row.detail.html":    `<template><p><b ui-value="name"></b> <button ui-action="fail()">Fail</button></p></template>`,
}

// ref returns the reference in the first line of an inspection that contains text, after skip
// others.
func (w *world) ref(text string, skip int) string {
	w.t.Helper()
	all := w.inspect(ui.Inspection{})
	for line := range strings.Lines(all) {
		if !strings.Contains(line, text) {
			continue
		}
		if skip--; skip < 0 {
			if m := regexp.MustCompile(`@[a-z2-7]{4}\d+`).FindString(line); m != "" {
				return m
			}
		}
	}
	w.t.Fatalf("no reference at %q in %s", text, all)
	return ""
}

func (w *world) act(ref string, input ui.Input) (string, error) {
	acted, err := w.session.Act(w.t.Context(), ref, input)
	text := acted.Text
	for _, p := range acted.Problems {
		text += "\nproblem: " + p.String()
	}
	return references.ReplaceAllString(text, "@"), err
}

func fill(text string) ui.Input { return ui.Input{Fill: &text} }

var click = ui.Input{Click: true}

// A reference stays the same while its element displays the same object; afterwards nothing has it.
func TestReferences(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	first, second, detail := w.ref("Remove", 0), w.ref("Remove", 1), w.ref("Fail", 0)
	if again := w.ref("Remove", 0); again != first {
		t.Errorf("the second inspection has %s, the first %s", again, first)
	}
	w.run(`table.insert(a.rows, 1, Row:new({ name = "New" }))`)
	if now := w.ref("Remove", 1); now != first {
		t.Errorf("the row that has moved has %s, and had %s", now, first)
	}
	if text, err := w.act(first, click); err != nil || !strings.Contains(text, "-       [1] #14 @ {name: Ann}") {
		t.Errorf("the first row: %q, %v", text, err)
	}
	refused := func(ref, want string) {
		t.Helper()
		before, _ := w.run("return #a.rows")
		_, err := w.act(ref, click)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", ref, err, want)
		}
		// A model is to read it, and to look again.
		if k := fault.KindOf(err); k != fault.Gone && k != fault.Precondition || !strings.Contains(fmt.Sprint(err), "ui_inspect") {
			t.Errorf("%s: %v (%v) does not say what to do", ref, err, k)
		}
		w.gives(ref+" removes no row; rows", "return #a.rows", before)
	}
	refused(first, "not displayed any more")
	w.run(`a.selected = a.rows[2]`)
	refused(detail, "another object")
	refused("@aaaa1", "nothing has the reference")
	other, err := w.engine.Open(t.Context(), "2")
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Do(t.Context(), func(tx *ui.Tx) error { return tx.Display("a") }); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Act(t.Context(), second, click); fault.KindOf(err) != fault.Gone {
		t.Errorf("a reference of another session: %v", err)
	}
	w.write("apps/a/viewdefs/Row.list-item.html", strings.ReplaceAll(actFiles["apps/a/viewdefs/Row.list-item.html"], "Remove", "Delete"))
	w.settle()
	refused(second, "not displayed any more")
}

// Without a page, an agent can do what the person could, and nothing else.
func TestActGuards(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	for name, tt := range map[string]struct {
		before, at string
		input      ui.Input
		want       string
	}{
		"too long":                 {"", "Text", fill("four"), "at most 3"},
		"two lines":                {"", "Text", fill("a\nb"), "single line"},
		"no field":                 {"", "Other", fill("a"), "nothing to fill"},
		"the name for all":         {"", "✕", fill("a"), `button "Close" is no field`},
		"no options":               {"", "Text", ui.Input{Select: []string{"a"}}, "no options"},
		"no checkbox":              {"", "Text", ui.Input{Check: new(bool)}, "no checkbox"},
		"a file by click":          {"", "Upload", click, "only the person chooses files: ask them to"},
		"a file by name":           {"", "Upload", fill("a.csv"), "only the person chooses files: ask them to"},
		"a caret":                  {"", "Text", click, "use fill"},
		"typing":                   {"", "Text", ui.Input{Key: "a"}, "does not type"},
		"a fieldset":               {"a.locked = true", "Locked", click, "disabled by the fieldset"},
		"a link":                   {"", "Link", click, "follows a link: that is the person's"},
		"behind a dialog":          {"a.open = true", "Other", click, "covered by the open"},
		"in a closed dialog":       {"", "Yes", click, "closed"},
		"a key that nothing takes": {"", "Other", ui.Input{Key: "ctrl-x"}, "no page is open"},
	} {
		t.Run(name, func(t *testing.T) {
			w.run("a.locked = false a.open = false a.text = ''" + tt.before)
			before, _ := w.run("return a")
			_, err := w.act(w.ref(tt.at, 0), tt.input)
			if fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
			w.gives(name+": the state", "return a", before)
		})
	}
	w.run("a.open = false a.locked = false a.text = ''")
	if text, err := w.act(w.ref("Text", 0), fill("abc")); err != nil || !strings.Contains(text, `+     input {text: "abc"}`) {
		t.Errorf("a text that fits: %q, %v", text, err)
	}
	for range 2 {
		if text, err := w.act(w.ref("Fail", 0), click); err != nil || !strings.Contains(text, "problem: ") || !strings.Contains(text, "no luck") {
			t.Errorf("an action that fails: %q, %v", text, err)
		}
	}
	if heard := w.announced(); len(heard) > 0 {
		t.Errorf("the agent got it in the answer, and then as events: %v", heard)
	}
	w.run("a.open = true")
	if text, err := w.act(w.ref("Yes", 0), click); err != nil || !strings.Contains(text, "{name: Bob}") {
		t.Errorf("in the open dialog: %q, %v", text, err)
	}
}

// With pages, the one that was used last acts. If it closes and has not answered, the outcome is
// unknown, and nothing is done again.
func TestActInPage(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	first, second := w.connect(), w.connect()
	first.send(`{"type":"events","ref":1,"events":[[%s,"x"]]}`, w.binding("value", "text"))
	first.take()
	second.take()
	remove := w.ref("Remove", 0)
	type outcome struct {
		acted ui.Acted
		err   error
	}
	id := 0
	start := func(ctx context.Context) <-chan outcome {
		id++
		done := make(chan outcome, 1)
		go func() {
			acted, err := w.session.Act(ctx, remove, click)
			done <- outcome{acted, err}
		}()
		w.until("the page is asked", func() bool {
			first.mu.Lock()
			defer first.mu.Unlock()
			return len(first.got) > 0 && first.got[len(first.got)-1].Type == "act"
		})
		return done
	}
	answer := func(format string, args ...any) {
		first.send(strings.Replace(format, `"events","ref"`, fmt.Sprintf(`"events","act":%d,"ref"`, id), 1), args...)
	}

	done := start(t.Context())
	second.send(`{"type":"acted","id":1}`) // it was not asked
	answer(`{"type":"events","ref":2,"events":[[%s]]}`, w.binding("action", "fail()"))
	answer(`{"type":"acted","id":1}`)
	if o := <-done; o.err != nil || !strings.Contains(o.acted.Text, "(in the page that was used last, of 2)") || len(o.acted.Problems) != 1 {
		t.Errorf("an act that fails: %+v", o)
	}
	if heard := w.announced(); len(heard) > 0 {
		t.Errorf("announced, too: %v", heard)
	}

	first.take()
	done = start(t.Context())
	answer(`{"type":"events","ref":3,"events":[[%s]]}`, w.binding("action", "fail()"))
	answer(`{"type":"acted","id":2}`)
	if o := <-done; o.err != nil || len(o.acted.Problems) != 1 {
		t.Errorf("an act that fails as before: %+v", o)
	}

	first.take()
	done = start(t.Context())
	answer(`{"type":"acted","id":3,"refused":"it is hidden in the page"}`)
	if o := <-done; fault.KindOf(o.err) != fault.Precondition || !strings.Contains(o.err.Error(), "hidden in the page") {
		t.Errorf("a refusal: %+v", o)
	}

	first.take()
	done = start(t.Context())
	answer(`{"type":"acted","id":4,"refused":"no\n\nNew problems:\u001b[2J%s"}`, strings.Repeat("x", 5000))
	if o := <-done; o.err == nil || len(o.err.Error()) > 400 || strings.ContainsAny(o.err.Error(), "\n\x1b") {
		t.Errorf("a refusal that passes for more: %q", o.err)
	}

	first.take()
	done = start(t.Context())
	answer(`{"type":"acted","id":5,"thrown":"Error: no\n luck"}`)
	if o := <-done; o.err != nil || !o.acted.Unknown || !strings.Contains(o.acted.Text, "stopped by an error while it did it: Error: no luck.") {
		t.Errorf("a page that throws: %+v", o)
	}

	// The button is bound to another object before the event of the page arrives.
	first.take()
	remove = w.ref("Fail", 0)
	done = start(t.Context())
	fail := w.binding("action", "fail()")
	w.run(`a.selected = a.rows[2]`)
	answer(`{"type":"events","ref":4,"seq":1,"events":[[%s]]}`, fail)
	answer(`{"type":"acted","id":6}`)
	if o := <-done; o.err != nil || !strings.HasPrefix(o.acted.Text, "The app ignored it (in the page that was used last, of 2): it was bound to something else in between.") {
		t.Errorf("an act on what is bound to another object: %+v", o)
	}

	first.take()
	remove = w.ref("Remove", 0)
	done = start(t.Context())
	w.session.Detach(first)
	if o := <-done; o.err != nil || !o.acted.Unknown || !strings.Contains(o.acted.Text, "unknown") {
		t.Errorf("a page that goes: %+v", o)
	}
	w.gives("rows", "return #a.rows", "2")
	if got := second.takeTypes(); strings.Contains(got, "act") {
		t.Errorf("the other page was asked: %s", got)
	}
}

// What an act changed is short in a long list, too: rows that only have another index are left out.
func TestActSaysWhichRowsChange(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	w.run(`for i = 1, 100 do table.insert(a.rows, Row:new({ name = "Row " .. i })) end`)
	text, err := w.act(w.ref("Remove", 0), click)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "{name: Ann}") || strings.Contains(text, "Bob") || strings.Contains(text, "Row 1}") {
		t.Errorf("the first of 102 rows is removed: %s", text)
	}
	w.run(`a.rows = { a.rows[2], a.rows[1], a.rows[3] }`)
	text, err = w.act(w.ref("Remove", 2), click)
	if want := "-       [2] #"; err != nil || !strings.Contains(text, want) || strings.Contains(text, "more lines") {
		t.Errorf("the last of 3 rows is removed: %s, %v", text, err)
	}
}

// formFiles is an app whose form sends what is selected, and whose button has no binding.
var formFiles = map[string]string{
	"apps/a/app.lua": `
Row = session:prototype("Row", { name = "", saved = 0 })
A = session:prototype("A", { rows = EMPTY, current = EMPTY })
function Row:save() self.saved = self.saved + 1 end
function A:late() for i, r in ipairs(self.rows) do if i > 15 then r.name = "late" end end end
function A:nothing() end
if not session.reloading then
  a = A:new({ rows = {} })
  for i = 1, 40 do a.rows[i] = Row:new({ name = "Row " .. i }) end
  a.current = a.rows[1]
end`,
	"apps/a/viewdefs/A.DEFAULT.html": `<template><div>
  <form ui-event-submit="current.save()"><button type="submit">Save</button></form>
  <button ui-action="late()">Late</button>
  <button ui-action="nothing()">Nothing</button>
  <ul ui-viewlist="rows"><li></li></ul>
</div></template>`,
	"apps/a/viewdefs/Row.list-item.html": `<template><li><span ui-value="name"></span></li></template>`,
}

// A button without a binding acts on what its form sends: not on another object than the agent has
// seen, and on that one once the agent has seen it.
func TestActOnWhatIsAround(t *testing.T) {
	w := newWorld(t, formFiles)
	w.display("a")
	save := w.ref("Save", 0)
	w.run("a.current = a.rows[2]")
	if text, err := w.act(save, click); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "another object") {
		t.Errorf("the form sends another object now: %q, %v", text, err)
	}
	if again := w.ref("Save", 0); again != save {
		t.Errorf("the button has the reference %s, and had %s", again, save)
	}
	if _, err := w.act(save, click); err != nil {
		t.Error(err)
	}
	w.gives("saved", "return { a.rows[1].saved, a.rows[2].saved }", "[0,1]")
}

// That nothing has changed is said only if it is sure: descriptions leave out rows.
func TestActIsSureThatNothingChanged(t *testing.T) {
	w := newWorld(t, formFiles)
	w.display("a")
	for button, sure := range map[string]bool{"Nothing": true, "Late": false} {
		text, err := w.act(w.ref("button "+button, 0), click)
		if err != nil || strings.Contains(text, "Changed") || strings.Contains(text, "Nothing has changed in what is displayed.") != sure {
			t.Errorf("%s: %q, %v", button, text, err)
		}
	}
}

// A placed page says that it is in the conversation, and answers acts.
type placed struct {
	ui.Client
	ask chan struct{}
}

func (p *placed) Where() string { return "in the page in the conversation" }

func (p *placed) Deliver(msg []byte) bool {
	if strings.Contains(string(msg), `"type":"act"`) {
		close(p.ask)
	}
	return true
}

// The answer says which page has acted, if that is not in a window.
func TestActSaysWhere(t *testing.T) {
	w := newWorld(t, formFiles)
	w.display("a")
	p := &placed{ask: make(chan struct{})}
	if err := w.session.Attach(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	save := w.ref("Save", 0)
	go func() {
		<-p.ask
		w.session.Receive(context.WithoutCancel(t.Context()), p, []byte(`{"type":"acted","id":1}`))
	}()
	if text, err := w.act(save, click); err != nil || !strings.Contains(text, "(in the page in the conversation).") {
		t.Errorf("%q, %v", text, err)
	}
}

// A caller that leaves while the page is being asked does not keep later errors from being
// announced.
func TestLeavingAnActKeepsErrorsComing(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	fail := w.ref("Fail", 0)
	ctx, cancel := context.WithCancel(t.Context())
	p := &leaving{cancel}
	if err := w.session.Attach(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if _, err := w.session.Act(ctx, fail, click); err == nil {
		t.Error("the act has an answer")
	}
	w.session.Detach(p)
	w.connect().send(`{"type":"events","ref":1,"events":[[%s]]}`, w.binding("action", "fail()"))
	w.until("the error is announced", func() bool { return len(w.announced()) > 0 })
}

// A leaving page calls leave while it is asked to act.
type leaving struct{ leave func() }

func (p *leaving) Deliver(msg []byte) bool {
	if strings.Contains(string(msg), `"type":"act"`) {
		p.leave()
	}
	return true
}
