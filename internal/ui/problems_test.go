package ui_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui"
)

const (
	faultyLua = `
Faulty = session:prototype("Faulty", { broken = true, name = "x" })
function Faulty:label()
  if self.broken then error("no label") end
  return "fine"
end
function Faulty:act()
  if self.broken then error("cannot act") end
end
if not session.reloading then faulty = Faulty:new() end
`
	faultyHTML = `<template><div>
  <p ui-value="label()"></p>
  <button ui-action="act()">Act</button>
</div></template>`
	faultyLabel = `apps/faulty/viewdefs/Faulty.DEFAULT.html:2: ui-value="label()": apps/faulty/app.lua:4: no label`
	faultyAct   = `apps/faulty/viewdefs/Faulty.DEFAULT.html:3: ui-action="act()": apps/faulty/app.lua:8: cannot act`
)

func faultyApp() map[string]string {
	return map[string]string{"apps/faulty/app.lua": faultyLua, "apps/faulty/viewdefs/Faulty.DEFAULT.html": faultyHTML}
}

// want checks a list of texts.
func want(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: -want +got:\n%s", what, d)
	}
}

// lastProblems returns the problems in the newest message about them, each as kind, at and message.
func (p *page) lastProblems(t *testing.T) []string {
	t.Helper()
	var out []string
	found := false
	for _, m := range p.take() {
		if m.Type != "problems" && m.Type != "snapshot" {
			continue
		}
		found, out = true, nil
		for _, q := range m.Problems {
			out = append(out, fmt.Sprintf("%s %s:%d %s %s", q.Kind, q.File, q.Line, q.Source, q.Message))
		}
	}
	if !found {
		return []string{"no message"}
	}
	return out
}

func TestBindingProblems(t *testing.T) {
	w := newWorld(t, faultyApp())
	p := w.connect()
	p.take()
	want(t, "reported with the result of its cause", w.display("faulty"), faultyLabel)
	want(t, "there is no need to announce it", w.announced())
	const onWire = `binding apps/faulty/viewdefs/Faulty.DEFAULT.html:2 ui-value="label()" apps/faulty/app.lua:4: no label`
	want(t, "reported to the page", p.lastProblems(t), onWire)
	want(t, "a page that comes later, too", w.connect().lastProblems(t), onWire)
	if n := w.engine.Errors(); n != 1 {
		t.Errorf("%d errors are counted", n)
	}
	if log := testkit.Read(t, w.dir, "log/lua-err.log"); strings.Count(log, "no label") != 1 || !strings.HasPrefix(log, faultyLabel+"\n") {
		t.Errorf("lua-err.log has %q", log)
	}

	// While nothing changes, nothing is sent again.
	_, reported := w.run("faulty.name = 'y'")
	want(t, "reported again", reported)
	if got := p.takeTypes(); got != "" {
		t.Errorf("the page got %s", got)
	}

	_, reported = w.run("faulty.broken = false")
	want(t, "fixed", reported)
	want(t, "fixed in the page", p.lastProblems(t))
	want(t, "fixed on the list", w.problems())
	if n := w.engine.Errors(); n != 0 {
		t.Errorf("%d errors are counted", n)
	}

	_, reported = w.run("faulty.broken = true")
	want(t, "when it comes back it is new", reported, faultyLabel)
}

// The same failure in many rows is one problem, reported at the first of them.
func TestManyRowsFail(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/rows/app.lua": `
Rows = session:prototype("Rows", {})
Row = session:prototype("Row", { n = 0 })
function Row:label() error("no label") end
if not session.reloading then
  rows = Rows:new({ all = {} })
  for i = 1, 500 do rows.all[i] = Row:new({ n = i }) end
end`,
		"apps/rows/viewdefs/Rows.DEFAULT.html":  `<template><ul ui-viewlist="all"><li></li></ul></template>`,
		"apps/rows/viewdefs/Row.list-item.html": `<template><li ui-value="label()"></li></template>`,
	})
	const text = `apps/rows/viewdefs/Row.list-item.html:1: ui-value="label()": apps/rows/app.lua:4: no label`
	want(t, "one problem", w.display("rows"), text)
	p := w.connect()
	snapshot := p.take()[0]
	if at := snapshot.Problems[0].At; len(at) != 2 || fmt.Sprintf("%d,%d", at[0], at[1]) != w.binding("value", "label()") {
		t.Errorf("it is at %v, and the first row's at %s", at, w.binding("value", "label()"))
	}
	_, reported := w.run("for i = 1, 499 do table.remove(rows.all) end")
	want(t, "nothing new", reported)
	want(t, "one is left", w.problems(), text)
}

func TestActionProblems(t *testing.T) {
	w := newWorld(t, faultyApp())
	w.display("faulty")
	p := w.connect()
	p.take()
	act := w.binding("action", "act()")
	click := func() []message {
		p.send(`{"type":"events","ref":1,"events":[[%s]]}`, act)
		return p.take()
	}
	got := click()
	if last := got[len(got)-1]; last.Type != "ack" || last.Error != faultyAct {
		t.Errorf("the answer is %+v", last)
	}
	click()
	want(t, "twice the same", w.problems(), faultyAct, faultyLabel)
	want(t, "the agent learns of it by one event", w.announced(), "1 faulty: "+faultyAct)
	_, reported := w.run("faulty.broken = false")
	want(t, "and in one result", reported, faultyAct)
	_, reported = w.run("return 1")
	want(t, "and not again", reported)
	want(t, "it is there until it works", w.problems(), faultyAct)
	click()
	want(t, "it works", w.problems())

	w.run("faulty.broken = true")
	click()
	w.run("faulty.broken = false")
	want(t, "it fails again", w.problems(), faultyAct)
	want(t, "it has come back, which is news", w.announced(), "1 faulty: "+faultyAct)
	w.write("apps/faulty/app.lua", faultyLua+"-- fixed\n")
	w.settle()
	want(t, "new code deserves a fresh start", w.problems())
}

func TestReloadProblems(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	p := w.connect()
	p.take()
	good := counter["apps/counter/app.lua"]
	w.write("apps/counter/app.lua", strings.Replace(good, `"n is "`, `"n = " ..`, 1))
	w.settle()
	if list := w.problems(); len(list) != 1 || !strings.HasPrefix(list[0], "apps/counter/app.lua:8: ") {
		t.Fatalf("problems = %q", list)
	}
	if heard := w.announced(); len(heard) != 1 || !strings.HasPrefix(heard[0], "1 counter: apps/counter/app.lua:8: ") {
		t.Errorf("announced %q", heard)
	}
	if got := p.lastProblems(t); len(got) != 1 || !strings.HasPrefix(got[0], "reload apps/counter/app.lua:8 ") {
		t.Errorf("the page has %q", got)
	}
	w.gives("the old code stays", "return counter:label()", `"n is 0"`)
	// Another mistake replaces the first.
	w.write("apps/counter/app.lua", good+"\nerror('at the end')\n")
	w.settle()
	want(t, "another mistake", w.problems(), "apps/counter/app.lua:13: at the end")
	w.announced()
	w.write("apps/counter/app.lua", strings.Replace(good, `"n is "`, `"n = "`, 1))
	w.settle()
	want(t, "fixed", w.problems())
	want(t, "a fix is no news", w.announced())
	w.gives("the new code is in force", "return counter:label()", `"n = 0"`)
	w.write("apps/counter/app.lua", "x x")
	w.settle()
	w.remove("apps/counter/app.lua")
	w.settle()
	want(t, "what is gone cannot fail", w.problems())
}

// A session starts whatever its files contain, and displays what is wrong with them.
func TestStartProblems(t *testing.T) {
	w := newWorld(t, map[string]string{"lua/main.lua": "error('main')", "lua/mcp.lua": "x x", "viewdefs/Bad.html": "<template></template>"})
	list := w.problems()
	if len(list) != 3 || !strings.HasPrefix(list[0], "viewdefs/Bad.html:1: ") || !strings.HasPrefix(list[1], "lua/mcp.lua:1: ") ||
		list[2] != "lua/main.lua:1: main" {
		t.Errorf("problems = %q", list)
	}
	if heard := w.announced(); len(heard) != 3 {
		t.Errorf("announced %q", heard)
	}
}

func TestViewdefProblems(t *testing.T) {
	w := newWorld(t, counter)
	const file = "apps/counter/viewdefs/Counter.DEFAULT.html"
	good := counter[file]
	w.display("counter")
	p := w.connect()
	p.take()

	w.write(file, strings.Replace(good, `ui-value="label()"`, `ui-value="label("`, 1))
	w.settle()
	list := w.problems()
	if len(list) != 1 || !strings.HasPrefix(list[0], file+":2: ui-value: ") {
		t.Fatalf("problems = %q", list)
	}
	if heard := w.announced(); len(heard) != 1 {
		t.Errorf("announced %q", heard)
	}
	if got := p.takeTypes(); got != "problems" {
		t.Errorf("the page got %s; the last good template must stay", got)
	}
	w.run("counter.n = 7")
	if got := p.take(); len(got) != 1 || !strings.Contains(fmt.Sprint(ops(got[0])), `set "n is 7"`) {
		t.Errorf("the last good template is alive: %+v", got)
	}

	// It works again, but looks like a mistake: that is a warning.
	const odd = "<sl-badge/> does not close the element in HTML: write <sl-badge></sl-badge>"
	w.write(file, strings.Replace(good, `<p ui-value`, `<sl-badge/><p ui-value`, 1))
	w.settle()
	want(t, "fixed but odd", w.problems(), file+":2: "+odd)
	if got := p.takeTypes(); got != "batch problems" {
		t.Errorf("the page got %s", got)
	}
	want(t, "a warning does not disturb the agent", w.announced())
	_, reported := w.run("return 1")
	want(t, "but is reported", reported, file+":2: "+odd)
	if n := w.engine.Errors(); n != 0 {
		t.Errorf("%d errors are counted", n)
	}
	w.write(file, good)
	w.settle()
	want(t, "all is well", w.problems())
	want(t, "in the page, too", p.lastProblems(t))

	// A view definition that is not in use causes no warning.
	w.write("apps/counter/viewdefs/Other.DEFAULT.html", `<template><p ui-valeu="x"></p></template>`)
	w.settle()
	want(t, "nobody uses it", w.problems())

	w.write("apps/counter/viewdefs/Other.DEFAULT.html", `no template`)
	w.settle()
	if list := w.problems(); len(list) != 1 {
		t.Errorf("problems = %q", list)
	}
	w.remove("apps/counter/viewdefs/Other.DEFAULT.html")
	w.settle()
	want(t, "what is gone cannot be wrong", w.problems())
}

func TestScriptProblems(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	a, b := w.connect(), w.connect()
	a.take()
	b.take()
	report := func(p *page) {
		p.send(`{"type":"error","message":"x is not defined","line":3,"source":"script of Counter.DEFAULT"}`)
	}
	const text = "script of Counter.DEFAULT: x is not defined"
	report(a)
	want(t, "one page", w.problems(), text)
	want(t, "the agent learns of it", w.announced(), "1 counter: "+text)
	report(b)
	want(t, "two pages", w.problems(), text)
	want(t, "it is the same", w.announced())
	w.session.Detach(a)
	want(t, "one page is left", w.problems(), text)
	b.take()
	w.session.Detach(b)
	want(t, "none is", w.problems())

	c, d := w.connect(), w.connect()
	report(c)
	d.take()
	w.session.Detach(c)
	want(t, "with its page the problem goes", w.problems())
	want(t, "and others see that", d.lastProblems(t))

	report(d)
	w.write("apps/counter/viewdefs/Item.list-item.html", `<template><li ui-value="name">new</li></template>`)
	w.settle()
	want(t, "another template is reloaded", w.problems(), text)
	w.write("apps/counter/viewdefs/Counter.DEFAULT.html", counter["apps/counter/viewdefs/Counter.DEFAULT.html"]+"\n")
	w.settle()
	want(t, "its template is reloaded", w.problems())

	// A page that has disconnected leaves no problems behind.
	w.session.Detach(d)
	report(d)
	want(t, "from nobody", w.problems())
}

// An error that occurs while the agent's own request fails must not be lost.
func TestProblemsOfFailedRequest(t *testing.T) {
	files := faultyApp()
	files["apps/faulty/app.lua"] = strings.Replace(faultyLua, "broken = true", "broken = false", 1)
	w := newWorld(t, files)
	want(t, "it works", w.display("faulty"))
	_, err := w.session.Ask(t.Context(), func(tx *ui.Tx) error { _, err := tx.Run(`faulty.broken = true; error("x")`); return err })
	if err == nil {
		t.Fatal("it did not fail")
	}
	want(t, "announced", w.announced(), "1 faulty: "+faultyLabel)
	_, reported := w.run("return 1")
	want(t, "and in the next result that succeeds", reported, faultyLabel)
	_, reported = w.run("return 1")
	want(t, "once", reported)
}

// A caller that leaves at the last moment, when its result has been decided, has not got what is in
// it.
func TestProblemsOfACallerThatLeft(t *testing.T) {
	files := faultyApp()
	files["apps/faulty/app.lua"] = strings.Replace(faultyLua, "broken = true", "broken = false", 1)
	w := newWorld(t, files)
	want(t, "it works", w.display("faulty"))
	list, err := w.session.AskAndLeave(t.Context(), func(tx *ui.Tx) error { _, err := tx.Run(`faulty.broken = true`); return err })
	if err == nil { // the result was quicker
		want(t, "returned", texts(list), faultyLabel)
		return
	}
	w.run("return 1") // after what the call has left to do
	want(t, "announced", w.announced(), "1 faulty: "+faultyLabel)
}

// unnoticed is a context whose end is not noticed by those who wait for it, as when what they wait
// for happens at the same moment.
type unnoticed struct{ context.Context }

func (unnoticed) Done() <-chan struct{} { return nil }

// A call whose caller leaves while it runs returns, even if the result is there before the caller
// has gone.
func TestCallerLeavesMeanwhile(t *testing.T) {
	w := newWorld(t, faultyApp())
	ctx, leave := context.WithCancel(t.Context())
	returned := make(chan error, 1)
	go func() {
		_, err := w.session.Ask(unnoticed{ctx}, func(*ui.Tx) error { leave(); return nil })
		returned <- err
	}()
	select {
	case err := <-returned:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error: %v", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the call does not return")
	}
}

// A panic while pages are updated, which is a mistake in this program, holds up nothing: deferred
// functions go on, and what the agent was to get is announced.
func TestPanicWhilePagesAreUpdated(t *testing.T) {
	files := faultyApp()
	files["apps/faulty/app.lua"] = strings.NewReplacer("broken = true", "broken = false", `"fine"`, "self.name").Replace(faultyLua)
	w := newWorld(t, files)
	want(t, "it works", w.display("faulty"))
	if err := w.session.Attach(t.Context(), &panicking{}); err != nil {
		t.Fatal(err)
	}
	w.session.SetBurst(0) // deferred functions wait for each other
	w.run(`ran = 0
		local function next() ran = ran + 1 faulty.name = tostring(ran) end
		session:setImmediate(function() for k = 1, 1e6 do end end)
		session:setTimeout(function() for i = 1, 3 do session:setImmediate(next) end end, 1)`)
	w.until("all deferred functions have run", func() bool { ran, _ := w.run("return ran"); return ran == "3" })

	w.run("return 1") // after what they have left to do
	w.announced()
	_, err := w.session.Ask(t.Context(), func(tx *ui.Tx) error { _, err := tx.Run(`faulty.broken = true`); return err })
	if fault.KindOf(err) != fault.Internal {
		t.Errorf("a call whose pages could not be updated: %v", err)
	}
	w.run("return 1") // after what the call has left to do
	want(t, "announced", w.announced(), "1 faulty: "+faultyLabel)
}

// A panicking client panics at every message but the first.
type panicking struct{ snapshot bool }

// Deliver implements [ui.Client].
func (p *panicking) Deliver([]byte) bool {
	if p.snapshot {
		panic("a mistake in this program")
	}
	p.snapshot = true
	return true
}

// A flood of distinct errors must crowd out neither the app's events nor other messages to pages.
func TestFloodOfErrors(t *testing.T) {
	w := newWorld(t, faultyApp())
	w.write("apps/faulty/app.lua", strings.Replace(faultyLua, `error("cannot act")`, `n = (n or 0) + 1; error("no. " .. n)`, 1))
	w.display("faulty")
	p := w.connect()
	act := w.binding("action", "act()")
	for range 300 {
		p.send(`{"type":"events","ref":1,"events":[[%s]]}`, act)
	}
	if n := len(w.announced()); n == 0 || n > 20 {
		t.Errorf("%d announcements", n)
	}
	list := w.problems()
	if len(list) == 0 || len(list) > 50 || !strings.Contains(list[0], "no. 300") {
		t.Errorf("%d problems, the newest %q", len(list), list[0])
	}
	if _, reported := w.run("return 1"); len(reported) != len(list)-1 {
		t.Errorf("%d of %d problems were reported, where one was known", len(reported), len(list))
	}
}

// A file whose name cannot be looked up is reported, as an upload of that name is refused.
func TestViewDefinitionNames(t *testing.T) {
	w := newWorld(t, map[string]string{"viewdefs/a note.DEFAULT.html": `<template></template>`})
	const want = `"a note.DEFAULT" cannot be the name of a view definition`
	list := strings.Join(w.problems(), "\n")
	if !strings.Contains(list, want) {
		t.Errorf("problems are %q, want %q", list, want)
	}
	_, _, err := w.engine.Upload(t.Context(), w.session, "a note", "DEFAULT", `<template></template>`)
	if fault.KindOf(err) != fault.Invalid || !strings.Contains(fmt.Sprint(err), want) {
		t.Errorf("uploading = %v, want %q", err, want)
	}
}

// Mistakes in an app's view definitions go when another app is displayed, and are back with the
// app.
func TestMistakesOfTheDisplayedApp(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/one/app.lua": `One = session:prototype("One", { rows = EMPTY }) OneRow = session:prototype("OneRow", {})
			if not session.reloading then one = One:new() one.rows = { OneRow:new() } end`,
		"apps/one/viewdefs/One.DEFAULT.html":      `<template><ul ui-repeat="rows" ui-viewlist="rows"></ul></template>`,
		"apps/one/viewdefs/OneRow.list-item.html": "<template><li ui-repeats></li></template>",
		"apps/two/app.lua":                        `Two = session:prototype("Two", {}) if not session.reloading then two = Two:new() end`,
		"apps/two/viewdefs/Two.DEFAULT.html":      `<template><p>two</p></template>`,
	})
	const list = "apps/one/viewdefs/One.DEFAULT.html:1: ui-repeat is not an attribute of view definitions"
	const row = "apps/one/viewdefs/OneRow.list-item.html:1: ui-repeats is not an attribute of view definitions"
	w.display("one")
	want(t, "displayed", w.problems(), row, list)
	w.run("one.rows = {}") // the next row has the mistake again
	want(t, "without rows", w.problems(), row, list)
	w.display("two")
	want(t, "another app", w.problems())
	w.display("one")
	want(t, "displayed again", w.problems(), row, list)
}
