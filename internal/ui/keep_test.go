package ui_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/kept"
)

// expensesLua is an app that keeps its object.
const expensesLua = `
Expense = session:prototype("Expense", { note = "", amount = 0 })
Expenses = session:prototype("Expenses", { draft = "", items = EMPTY, selected = EMPTY })
function Expenses:new() return session:create(Expenses, { items = {} }) end
function Expenses:add(note, amount) table.insert(self.items, Expense:new({ note = note, amount = amount })) end
if not session.reloading then expenses = Expenses:new() end
mcp:keep("expenses", expenses)
`

func expensesFiles() map[string]string {
	return map[string]string{
		"apps/expenses/app.lua":                         expensesLua,
		"apps/expenses/viewdefs/Expenses.DEFAULT.html":  `<template><div><input ui-value="draft"><ul ui-viewlist="items"></ul></div></template>`,
		"apps/expenses/viewdefs/Expense.list-item.html": `<template><li ui-value="note"></li></template>`,
	}
}

// kept returns a file of kept data, or "".
func (w *world) kept(name string) string {
	b, err := os.ReadFile(filepath.Join(w.dir, "data", name))
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	return string(b)
}

// holds checks that a file of kept data has a text.
func (w *world) holds(name, text string) {
	w.t.Helper()
	if got := w.kept(name); !strings.Contains(got, text) {
		w.t.Errorf("%s is without %q:\n%s", name, text, got)
	}
}

// lacks checks that a file of kept data does not have a text.
func (w *world) lacks(name, text string) {
	w.t.Helper()
	if got := w.kept(name); strings.Contains(got, text) {
		w.t.Errorf("%s has %q:\n%s", name, text, got)
	}
}

// saves waits until the file of a name has a text.
func (w *world) saves(name, text string) {
	w.t.Helper()
	w.until(name+" has "+text, func() bool { return strings.Contains(w.kept(name+".json"), text) })
}

// again ends the engine and starts another one.
func (w *world) again() {
	w.t.Helper()
	w.engine.Close()
	w.start()
}

// must runs Lua and wants no problem.
func (w *world) must(code string) string {
	w.t.Helper()
	result, problems := w.run(code)
	if len(problems) > 0 {
		w.t.Fatalf("%s: problems %q", code, problems)
	}
	return result
}

// mustGive runs Lua, wants no problem and compares the result.
func (w *world) mustGive(when, code, want string) {
	w.t.Helper()
	if got := w.must(code); got != want {
		w.t.Errorf("%s: %s gives %s, want %s", when, code, got, want)
	}
}

// runReporting runs code whose answer reports one problem from before, and returns the result.
func (w *world) runReporting(code, problem string) string {
	w.t.Helper()
	result, problems := w.run(code)
	if len(problems) != 1 || !strings.Contains(problems[0], problem) {
		w.t.Fatalf("%s: problems %q, without %q", code, problems, problem)
	}
	return result
}

// reports waits until the session has a problem.
func (w *world) reports(text string) {
	w.t.Helper()
	w.until("the problem "+text, func() bool { return strings.Contains(strings.Join(w.problems(), "\n"), text) })
}

// forgets waits until the session has no such problem any more.
func (w *world) forgets(text string) {
	w.t.Helper()
	w.until("no problem "+text, func() bool { return !strings.Contains(strings.Join(w.problems(), "\n"), text) })
}

const (
	sum    = `local list = {} for _, e in ipairs(expenses.items) do table.insert(list, e.note .. "=" .. e.amount .. "/" .. e.type) end return table.concat(list, " ")`
	format = "{\n  \"format\": 1,\n  \"types\": {\n    \"Expense\": {\"amount\": 0, \"note\": \"\"},\n    \"Expenses\": {\"draft\": \"\", \"items\": null, \"selected\": null}\n  },\n  \"data\": "
)

func TestKeep(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", `"items": []`)
	w.must(`expenses:add("Lunch", 12.5) expenses:add("Café", 3) expenses.selected = expenses.items[2]`)
	w.saves("expenses", "Café")
	const want = format + `{
    "$type": "Expenses",
    "items": [
      {"$type": "Expense", "amount": 12.5, "note": "Lunch"},
      {"$id": 1, "$type": "Expense", "amount": 3, "note": "Café"}
    ],
    "selected": {"$ref": 1}
  }
}
`
	if diff := cmp.Diff(want, w.kept("expenses.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	before := w.kept("expenses.json")
	w.again()
	w.display("expenses")
	w.mustGive("restored", sum, `"Lunch=12.5/Expense Café=3/Expense"`)
	w.mustGive("the reference is the same object", `return expenses.selected == expenses.items[2]`, "true")
	// What was only read is not written.
	info, _ := os.Stat(filepath.Join(w.dir, "data", "expenses.json"))
	w.must(`expenses.draft = "x" expenses.draft = ""`)
	w.again()
	if again, _ := os.Stat(filepath.Join(w.dir, "data", "expenses.json")); !os.SameFile(info, again) && w.kept("expenses.json") == before {
		t.Error("the file was written without a change")
	}
	entries, _ := os.ReadDir(filepath.Join(w.dir, "data"))
	for _, e := range entries {
		if e.Name() != "expenses.json" { // the lock has gone with the engine
			t.Errorf("there is %s", e.Name())
		}
	}
}

// A field that is only bound is saved when the person types into it; no code of the app runs.
func TestKeepBoundField(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	p := w.connect()
	p.send(`{"type":"events","ref":1,"events":[[%s,"Lunch at"]]}`, w.binding("value", "draft"))
	w.saves("expenses", `"draft": "Lunch at"`)
}

// Changes that never stop are saved all the same, each time as they were between two transactions.
func TestKeepDoesNotStarve(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"apps/busy/app.lua": `
busy = { a = 0, b = 0, list = {} }
for i = 1, 2000 do busy.list[i] = { n = 0 } end
mcp:keep("busy", busy)
session:setInterval(function()
	busy.a = busy.a + 1
	busy.list[1 + busy.a % 2000].n = busy.a
	busy.b = busy.b + 1
end, 1)`})
	if _, problems := w.run(`mcp:app("busy")`); problems != nil {
		t.Fatal(problems)
	}
	pattern := regexp.MustCompile(`"a": (\d+),\s*"b": (\d+)`)
	seen := map[string]bool{}
	w.until("three files", func() bool {
		if m := pattern.FindStringSubmatch(w.kept("busy.json")); m != nil {
			if m[1] != m[2] {
				t.Fatalf("a is %s and b is %s", m[1], m[2])
			}
			if m[1] != "0" && !strings.Contains(w.kept("busy.json"), `{"n": `+m[1]+"}") {
				// The file may have been replaced between the two reads.
				seen["read twice"] = true
			}
			seen[m[1]] = true
		}
		return len(seen) > 3
	})
}

func TestKeepMistakes(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	for code, want := range map[string]string{
		`mcp:keep("a/b", {})`:              "needs a name",
		`mcp:keep()`:                       "needs a name",
		`mcp:keep("x", missing)`:           `no object to keep as "x": the second argument is nil`,
		`mcp:keep("x", "text")`:            `the object to keep as "x" must be a table, not a string: give an object`,
		`mcp:keep("x", true)`:              "must be a table, not a boolean",
		`mcp:keep("typo", false)`:          `"typo" is not kept, so false cannot end it`,
		`mcp:keep("Expenses", false)`:      `"Expenses" is not kept`,
		`mcp:keep("x", Expense)`:           "Expense is a type: keep an object, such as Expense:new()",
		`mcp:keep("x", mcp)`:               "belongs to the program",
		`mcp:keep("x", expenses)`:          `this object is kept as "expenses" already`,
		`mcp:keep("expenses", {})`:         `"expenses" is kept already, for another object`,
		`mcp:keep("Expenses", {})`:         `"expenses" is kept already, for another object`,
		`return mcp:keep("y", {}).missing`: "",
	} {
		result, _ := w.run(`local ok, err = pcall(function() ` + code + ` end) return ok and "" or tostring(err)`)
		if !strings.Contains(strings.ReplaceAll(result, `\"`, `"`), want) || want == "" && result != `""` {
			t.Errorf("%s: %s, want %q", code, result, want)
		}
	}
	w.mustGive("again", `return mcp:keep("expenses", expenses) == expenses`, "true")
	// It can be ended, and begun for another object, which gets the data.
	w.must(`expenses:add("Tea", 2) mcp:keep("expenses", false) expenses = Expenses:new() mcp:keep("expenses", expenses)`)
	w.mustGive("another object", sum, `"Tea=2/Expense"`)
	// The data of another type are not taken over.
	w.must(`mcp:keep("expenses", false) mcp:keep("y", false)`)
	if got := w.must(`local _, err = pcall(function() mcp:keep("y", false) end) return err`); !strings.Contains(got, "is not kept") {
		t.Errorf("ended again: %s", got)
	}
	result, _ := w.run(`local ok, err = pcall(function() mcp:keep("expenses", {}) end) return err`)
	if !strings.Contains(result, "data/expenses.json holds an object Expenses, and this one is without a type") {
		t.Errorf("another type: %s", result)
	}
}

// A file that fails leaves keeping as it was.
func TestKeepInAFileThatFails(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.write("apps/expenses/app.lua", expensesLua+`
mcp:keep("expenses", false)
other = { 1 }
mcp:keep("other", other)
error("late")`)
	w.settle()
	w.runReporting(`expenses:add("Coffee", 3)`, "late")
	w.saves("expenses", "Coffee")
	if w.kept("other.json") != "" {
		t.Error("the other object was saved")
	}
	w.write("apps/expenses/app.lua", expensesLua+`
other = other or { 1 }
mcp:keep("other", other)`)
	w.settle()
	w.saves("other", "[1]")
	w.mustGive("after the file was corrected", sum, `"Tea=2/Expense Coffee=3/Expense"`)
}

// However mutate fails, files are saved again, servers end and are killed: each object is moved on
// once. Until then it is as it was.
func TestKeepMigrates(t *testing.T) {
	t.Parallel()
	const v1 = `
Expense = session:prototype("Expense", { id = 0, amount = 0 })
function Expense:make(id) return Expense:new({ id = id, amount = id }) end
`
	const v2 = `
Expense = session:prototype("Expense", { id = 0, amount = 0, currency = "" })
function Expense:make(id) return Expense:new({ id = id, amount = 100 * id }) end
`
	const mutate = `
function Expense:mutate()
	self.amount = self.amount * 100
	if FAILS == 0 or self.id % 3 == FAILS then error("not yet") end
end
`
	const rest = `
if not session.reloading then expenses = { items = {} } end
mcp:keep("expenses", expenses)
`
	for seed := range uint64(load.Count(6, 40)) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, map[string]string{
			"apps/expenses/app.lua":                 v1 + rest,
			"apps/expenses/viewdefs/X.DEFAULT.html": `<template><p></p></template>`,
		})
		version := func(fails int) string {
			code := v2 + strings.ReplaceAll(mutate, "FAILS", fmt.Sprint(fails)) + rest
			if r.IntN(2) == 0 { // below the call that restores
				code = v2 + rest + strings.ReplaceAll(mutate, "FAILS", fmt.Sprint(fails))
			}
			return code + strings.Repeat(" ", r.IntN(1000))
		}
		open := func() { w.run(`mcp:app("expenses")`) }
		open()
		log, rows, failed := "", 0, false
		for step := range 14 {
			action := r.IntN(6)
			if step == 13 {
				action = 5
			}
			log += fmt.Sprint(action, " ")
			switch action {
			case 0, 1:
				rows++
				w.run(fmt.Sprintf(`table.insert(expenses.items, Expense:make(%d))`, rows))
			case 2:
				w.again()
				open()
			case 3: // killed after the last save, and while it was writing the next one
				if rows == 0 {
					continue
				}
				w.until("a file", func() bool { return w.kept("expenses.json") != "" })
				saved := w.kept("expenses.json")
				w.engine.Close()
				w.write("data/expenses.json", saved)
				w.write("data/expenses.json.ABCDEFGH.ui-mcp.part", saved[:len(saved)/2])
				w.start()
				open()
			case 4:
				w.write("apps/expenses/app.lua", version(r.IntN(3)))
				w.settle()
				failed = true
			case 5:
				w.write("apps/expenses/app.lua", version(7))
				w.settle()
				failed = false
			}
			// How far each row is, as long as some may have failed.
			got, _ := w.run(`local bad = {} for _, e in ipairs(expenses.items) do
				if e.amount ~= e.id * 100 and (` + fmt.Sprint(step == 13) + ` or e.amount ~= e.id) then table.insert(bad, e.id .. " is " .. e.amount) end
			end return table.concat(bad, ", ")`)
			if got != `""` {
				t.Fatalf("seed %d, after %s: %s", seed, log, got)
			}
		}
		if got := strings.Join(w.problems(), "\n"); failed || strings.Contains(got, "mutate failed") {
			t.Errorf("seed %d: %s", seed, got)
		}
		w.engine.Close()
		if got := w.kept("expenses.json"); strings.Contains(got, "$was") {
			t.Errorf("seed %d, after %s: the file\n%s", seed, log, got)
		}
	}
}

// A mutate that fails is told until it has succeeded.
func TestKeepTellsFailedMutate(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.engine.Close()
	moved := strings.Replace(expensesLua, `{ note = "", amount = 0 }`, `{ title = "", amount = 0 }`, 1)
	const method = `function Expense:mutate() self.title = self.note if BAD ~= false then error("not yet") end end `
	w.write("apps/expenses/app.lua", moved+method)
	w.start()
	w.display("expenses")
	w.reports("mutate failed; its objects stay as they were")
	w.run(`expenses.draft = "x"`)
	w.saves("expenses", `{"$type": "Expense", "$was": {"amount": 0, "note": ""}, "amount": 2, "note": "Tea"}`)
	w.run(`BAD = false`)
	w.write("apps/expenses/app.lua", moved+method+" ")
	w.settle()
	w.forgets("mutate failed")
	w.saves("expenses", `{"$type": "Expense", "amount": 2, "title": "Tea"}`)
	w.reports("expenses.previous.json has another version of these data (its objects had fields that are no longer declared: Expense.note)")
}

// Objects of a type that nobody declares any more stay as they are until someone does.
func TestKeepUnknownTypes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.engine.Close()
	w.write("apps/expenses/app.lua", strings.ReplaceAll(expensesLua, "Expense =", "Cost =")[:0]+strings.NewReplacer(`"Expense"`, `"Cost"`).Replace(expensesLua))
	w.start()
	w.display("expenses")
	w.reports("the type Expense is not declared: its 1 objects are plain tables")
	w.run(`expenses.draft = "x"`)
	w.saves("expenses", `"draft": "x"`)
	w.holds("expenses.json", `{"$type": "Expense", "amount": 2, "note": "Tea"}`)
	w.write("apps/expenses/app.lua", expensesLua)
	w.settle()
	w.forgets("is not declared")
	w.mustGive("declared again", sum, `"Tea=2/Expense"`)
}

// Values that are not data are reported.
func TestKeepTellsWhatIsNoData(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses.f = function() end expenses._private = function() end expenses.kind = Expense expenses.list = { print }`)
	w.reports(`"f" of Expenses is a function, which is not kept`)
	w.reports(`(the first of 3 such values)`)
	w.run(`expenses.f = nil`)
	w.reports(`"kind" of Expenses is the type Expense`)
	w.run(`expenses.kind = nil`)
	w.reports(`an element of a list is a function`)
	if got := strings.Join(w.problems(), "\n"); strings.Contains(got, "_private") {
		t.Error(got)
	}
	w.run(`expenses.list = nil`)
	w.forgets("not kept")
}

// However objects change and servers end, what is restored was there at one moment, and is as new
// as the end was orderly.
func TestKeepRandomChanges(t *testing.T) {
	t.Parallel()
	const code = `
Node = session:prototype("Node", { n = 0, next = EMPTY, list = EMPTY })
state = Node:new({ list = {} })
mcp:keep("state", state)
local function random(n) return math.random(n) end
function change(step)
	local all = { state }
	for _, node in ipairs(state.list) do table.insert(all, node) end
	for i = 1, random(5) do
		local node = all[random(#all)]
		local r = random(6)
		if r == 1 then table.insert(state.list, Node:new({ n = step, next = node }))
		elseif r == 2 then table.remove(state.list, random(#state.list + 1))
		elseif r == 3 then node.next = all[random(#all)]
		elseif r == 4 then node.list = node == state and node.list or { step, node }
		elseif r == 5 then node[random(3) == 1 and "x" or "\255"] = step
		else node.next = nil end
	end
	for _, node in ipairs(all) do node.step = step end
	state.step = step
	for _, node in ipairs(state.list) do node.step = step end
end
function whole()
	for _, node in ipairs(state.list) do if node.step ~= state.step then return false end end
	return state.step or 0
end`
	w := newWorld(t, map[string]string{"apps/state/app.lua": code, "apps/state/viewdefs/Node.DEFAULT.html": `<template><p ui-value="n"></p></template>`})
	r := rand.New(rand.NewPCG(7, 7))
	step := 0
	for round := range 12 {
		w.display("state")
		w.must(fmt.Sprintf("math.randomseed(%d)", round))
		if got := w.must("return whole()"); got != fmt.Sprint(step) {
			t.Fatalf("round %d: restored step %s, want %d", round, got, step)
		}
		for range r.IntN(20) {
			step++
			w.must(fmt.Sprintf("change(%d)", step))
			if text := w.kept("state.json"); text != "" {
				if err := kept.Check([]byte(text)); err != nil {
					t.Fatalf("round %d: %v", round, err)
				}
			}
			if r.IntN(4) == 0 {
				wait.Pause(time.Duration(r.IntN(300)) * time.Millisecond)
			}
		}
		w.again()
	}
}

// Looking at a large object goes on in steps: what the person does meanwhile is not held up, and
// looking begins again after it.
func TestKeepManyRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`for i = 1, 10000 do expenses:add("row " .. i, i) end`)
	w.saves("expenses", `"row 10000"`)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for i := range 50 {
		if err := w.session.Do(ctx, func(tx *ui.Tx) error {
			_, err := tx.Run(fmt.Sprintf(`expenses.items[%d].note = "changed %[1]d" expenses.draft = "changed %[1]d"`, 1+i*200))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	w.saves("expenses", `"draft": "changed 9801"`)
	if got := w.kept("expenses.json"); strings.Count(got, "changed") != 51 {
		t.Errorf("%d changes are saved", strings.Count(got, "changed"))
	}
}

// Values of fields that are no longer declared are in the previous version, whenever they are
// dropped.
func TestKeepDroppedFields(t *testing.T) {
	without := strings.Replace(expensesLua, `{ note = "", amount = 0 }`, `{ note = "" }`, 1)
	without = strings.ReplaceAll(without, "{ note = note, amount = amount }", "{ note = note }")
	late := strings.Replace(expensesLua, `Expense = session:prototype("Expense", { note = "", amount = 0 })`, "", 1) +
		`Expense = session:prototype("Expense", { note = "" })`
	for name, tt := range map[string]struct {
		code    string
		running bool
	}{"while it runs": {without, true}, "at the start": {without, false}, "with a late type": {late, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, expensesFiles())
			w.display("expenses")
			w.must(`expenses:add("Tea", 2)`)
			w.saves("expenses", `"amount": 2`)
			if !tt.running {
				w.engine.Close()
			}
			w.write("apps/expenses/app.lua", tt.code)
			if tt.running {
				w.settle()
			} else {
				w.start()
			}
			w.display("expenses")
			w.reports("no longer declared: Expense.amount")
			w.holds("expenses.previous.json", `"amount": 2`)
			w.lacks("expenses.json", `"amount": 2`)
		})
	}
}

// What a session that does not own the file has changed is set aside when it ends.
func TestKeepUnsavedAtTheEnd(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", `"items": []`)
	other := &world{t: t, dir: w.dir, limit: w.limit}
	other.start()
	other.display("expenses")
	other.run(`expenses.draft = "x" expenses.draft = nil`)
	other.again()
	if got := w.kept("expenses.previous.json"); got != "" {
		t.Errorf("without a change there is %q", got)
	}
	other.display("expenses")
	other.run(`expenses.draft = "typed"`)
	other.engine.Close()
	w.holds("expenses.previous.json", `"draft": "typed"`)
	w.lacks("expenses.json", "typed")
}

// An object that cannot be saved stays kept: its data would be lost when it is kept again.
func TestKeepEndsOnlyWhenSaved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", `"items": []`)
	file := filepath.Join(w.dir, "data", "expenses.json")
	old := w.kept("expenses.json")
	if err := w.session.Do(t.Context(), func(tx *ui.Tx) error { // nothing is saved meanwhile
		if err := os.Remove(file); err != nil {
			return err
		}
		if err := os.Mkdir(file, 0o700); err != nil {
			return err
		}
		_, err := tx.Run(`expenses:add("Tea", 2) ok, problem = pcall(function() mcp:keep("expenses", false) end)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got, _ := w.run(`return tostring(ok) .. tostring(problem)`); !strings.Contains(got, "is still kept, since it cannot be saved") {
		t.Errorf("ending it: %s", got)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.write("data/expenses.json", old)
	w.saves("expenses", "Tea")
}

// An object that gets the data of a file for the first time keeps what the file does not mention,
// also when the file could not be read at once.
func TestKeepReadsLate(t *testing.T) {
	files := expensesFiles()
	files["data/expenses.json/x"] = ""
	w := newWorld(t, files)
	w.write("apps/expenses/app.lua", strings.Replace(expensesLua, "items = {} }", "items = {}, tags = {} }", 1))
	w.display("expenses")
	w.reports("not a regular file")
	if err := os.RemoveAll(filepath.Join(w.dir, "data", "expenses.json")); err != nil {
		t.Fatal(err)
	}
	w.write("data/expenses.json", format+`{"$type": "Expenses", "items": [{"$type": "Expense", "amount": 1, "note": "a"}]}}`)
	w.forgets("not a regular file")
	w.mustGive("the object", `return { #expenses.items, type(expenses.tags) }`, `[1,"table"]`)
}

// What was removed from a plain table does not come back with the table that code makes.
func TestKeepRemovedFromPlainTable(t *testing.T) {
	w := newWorld(t, map[string]string{"apps/stock/app.lua": `
if not session.reloading then stock = { apples = 1, pears = 2 } end
mcp:keep("stock", stock)`})
	w.must(`mcp:app("stock")`)
	w.must(`stock.pears, stock.plums = nil, 3`)
	w.saves("stock", "plums")
	w.must(`stock.plums = nil`)
	w.again()
	w.must(`mcp:app("stock")`)
	w.mustGive("the table", `return { stock.apples, stock.pears == nil, stock.plums == nil }`, "[1,true,true]")
	w.lacks("stock.json", "plums")
}
