package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

const expensesLua = `
Expense = session:prototype("Expense", { note = "", amount = 0 })
Expenses = session:prototype("Expenses", { note = "", amount = "" })
function Expenses:new() return session:create(Expenses, { items = {} }) end
function Expenses:add()
    table.insert(self.items, Expense:new({ note = self.note, amount = tonumber(self.amount) }))
    self.note, self.amount = "", ""
end
function Expenses:list()
    local list = {}
    for _, e in ipairs(self.items) do table.insert(list, e.note .. " " .. e.amount) end
    return table.concat(list, ", ")
end
if not session.reloading then expenses = Expenses:new() end
mcp:keep("expenses", expenses)
`

const expensesHTML = `<template>
  <form>
    <input id="note" ui-value="note">
    <input id="amount" ui-value="amount">
    <button id="add" type="submit" ui-action="add()">Add</button>
    <p id="list" ui-value="list()"></p>
  </form>
</template>
`

// expenses starts a server with an app that keeps its data, and displays it. end sends the process
// a signal and waits until it has ended.
func expenses(t *testing.T, dir string) (s *server, url string, end func(os.Signal)) {
	t.Helper()
	cmd := exec.Command("ui-mcp", "mcp", "--own", "--dir", dir)
	cmd.Env = append(cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ended := false
	t.Cleanup(func() {
		if err := session.Close(); err != nil && !ended {
			t.Errorf("the server failed: %v", err)
		}
	})
	s = &server{t: t, dir: dir, mcp: session}
	s.write("apps/expenses/app.lua", expensesLua)
	s.write("apps/expenses/viewdefs/Expenses.DEFAULT.html", expensesHTML)
	url = s.ok("ui_start", nil)
	s.ok("ui_display", map[string]any{"name": "expenses"})
	return s, url, func(signal os.Signal) {
		ended = true
		if err := cmd.Process.Signal(signal); err != nil {
			t.Error(err)
		}
		_ = s.mcp.Wait() // its output ends with it; closing its input would be another reason to end
		_ = s.mcp.Close()
	}
}

// keptData returns the file of the kept expenses, or "".
func keptData(dir string) string {
	b, _ := os.ReadFile(filepath.Join(dir, "data", "expenses.json"))
	return string(b)
}

// What a person enters is there again after a restart, also what was typed and not sent; and after
// a kill, as it was a moment before.
func TestKeptForm(t *testing.T) {
	load.Long(t, "TestServerRestarts restores what was typed, and the tests of ui what was kept")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	s, url, _ := expenses(t, dir)
	tab := browser.New(t).Tab()
	const list = `document.querySelector("#list").textContent`
	enter := func(note, amount string) {
		tab.Type("#note", note)
		tab.Type("#amount", amount)
		tab.Click("#note") // the field is left, which sends it
	}
	tab.Open(url)
	enter("Lunch", "12.5")
	tab.Click("#add")
	tab.Wait(list + ` === "Lunch 12.5"`)
	enter("Half a", "3")
	wait.Until(t, "the typed text is saved", func() bool {
		return strings.Contains(keptData(dir), `"note": "Half a"`) && strings.Contains(keptData(dir), `"amount": "3"`)
	})
	tab.Click("#add")
	tab.Wait(list + ` === "Lunch 12.5, Half a 3"`)
	if err := s.mcp.Close(); err != nil { // the server ends at once, and saves
		t.Error(err)
	}
	if got := keptData(dir); !strings.Contains(got, `{"$type": "Expense", "amount": 3, "note": "Half a"}`) {
		t.Errorf("the file after the end:\n%s", got)
	}
	_, url, end := expenses(t, dir)
	tab.Open(url)
	tab.Wait(list + ` === "Lunch 12.5, Half a 3"`)
	enter("Tea", "2")
	tab.Click("#add")
	wait.Until(t, "it is saved", func() bool { return strings.Contains(keptData(dir), "Tea") })
	enter("draft", "7")
	wait.Until(t, "the draft is saved", func() bool { return strings.Contains(keptData(dir), `"amount": "7"`) })
	end(os.Kill)
	_, url, _ = expenses(t, dir)
	tab.Open(url)
	tab.Wait(list + ` === "Lunch 12.5, Half a 3, Tea 2" && document.querySelector("#note").value === "draft"`)
}

// Of two servers on one directory, one saves. The other shows the same, and takes over when the
// first is killed.
func TestKeptByOneOfTwoServers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	first, _, end := expenses(t, dir)
	first.run(`expenses.note, expenses.amount = "a", "1" expenses:add()`)
	wait.Until(t, "the first one saves", func() bool { return strings.Contains(keptData(dir), `"note": "a"`) })
	second, url, _ := expenses(t, dir)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Wait(`document.querySelector("#list").textContent === "a 1"`)
	first.run(`expenses.note, expenses.amount = "b", "2" expenses:add()`)
	tab.Wait(`document.querySelector("#list").textContent === "a 1, b 2"`)
	if got := second.ok("ui_inspect", nil); !strings.Contains(got, "is kept by the server with the process ID") {
		t.Errorf("the second one does not say that it saves nothing: %s", got)
	}
	end(os.Kill)
	wait.Until(t, "the second one takes over", func() bool {
		return !strings.Contains(second.ok("ui_inspect", nil), "is kept by the server")
	})
	second.run(`expenses.note, expenses.amount = "c", "3" expenses:add()`)
	wait.Until(t, "the second one saves", func() bool { return strings.Contains(keptData(dir), `"note": "c"`) })
	if got := second.run("return expenses:list()"); got != `"a 1, b 2, c 3"` {
		t.Errorf("the second one has %s", got)
	}
}

// A server that is told to end saves first.
func TestKeptWhenTerminated(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes get no signals there")
	}
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), ".claude", "ui")
			s, _, end := expenses(t, dir)
			s.run(`expenses.note, expenses.amount = "last", "1" expenses:add()`)
			end(signal)
			if got := keptData(dir); !strings.Contains(got, `"note": "last"`) {
				t.Errorf("the file:\n%s", got)
			}
			if _, err := os.Lstat(filepath.Join(dir, "data", ".expenses.lock")); err == nil {
				t.Error("the lock is left")
			}
		})
	}
}

// Whenever the process is killed, the file is whole, and as it was at one moment.
func TestKeptWhenKilled(t *testing.T) {
	load.Long(t, "TestServerRestarts kills a server once")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	s, _, end := expenses(t, dir)
	last := 0
	for round := range 4 {
		s.run(`for i = 1, 5000 do expenses.items[i] = expenses.items[i] or Expense:new() end
			local n = ` + fmt.Sprint(last) + `
			session:setInterval(function()
				n = n + 1
				for _, e in ipairs(expenses.items) do e.amount = n end
				expenses.amount = n
			end, 20)`)
		size := len(keptData(dir))
		wait.Until(t, "it is saved", func() bool { return len(keptData(dir)) > 1<<17 })
		wait.Pause(time.Duration(300+197*round) * time.Millisecond)
		end(os.Kill)
		text := keptData(dir)
		var file struct {
			Data struct {
				Amount float64
				Items  []struct{ Amount float64 }
			}
		}
		if err := json.Unmarshal([]byte(text), &file); err != nil {
			t.Fatalf("round %d: %v; %d bytes, %d before", round, err, len(text), size)
		}
		for i, e := range file.Data.Items {
			if e.Amount != file.Data.Amount {
				t.Fatalf("round %d: row %d has %v, the object %v", round, i, e.Amount, file.Data.Amount)
			}
		}
		s, _, end = expenses(t, dir)
		got := s.run("return expenses.amount")
		if want := fmt.Sprint(file.Data.Amount); got != want {
			t.Fatalf("round %d: restored %s, want %s", round, got, want)
		}
		last = int(file.Data.Amount)
	}
	entries, err := os.ReadDir(filepath.Join(dir, "data"))
	if err != nil || len(entries) > 3 { // the file, the lock, and what the last kill has left
		t.Errorf("%v, %v", entries, err)
	}
}

// An expensesState is what the app of TestKeptRandomEdits has at a moment.
type expensesState struct {
	Note   string   `json:"note"`
	Amount string   `json:"amount"`
	Items  []string `json:"items"`
}

// savedState returns what the file has. It has nothing before the first save.
func savedState(t *testing.T, dir string) expensesState {
	t.Helper()
	text := keptData(dir)
	if text == "" {
		return expensesState{}
	}
	var file struct {
		Data struct {
			Note, Amount string
			Items        []struct {
				Note   string
				Amount float64
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	s := expensesState{Note: file.Data.Note, Amount: file.Data.Amount, Items: []string{}}
	for _, e := range file.Data.Items {
		s.Items = append(s.Items, fmt.Sprint(e.Note, " ", e.Amount))
	}
	return s
}

// In whichever order the person types into fields and rows, clicks, and the agent changes the same
// objects: after a kill, the app has what it had at one moment, and nothing that was saved before
// is lost.
func TestKeptRandomEdits(t *testing.T) {
	load.Long(t, "TestServerRestarts kills a server once")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	tab := browser.New(t).Tab()
	r := rand.New(rand.NewPCG(30, 1))
	restored := expensesState{Items: []string{}}
	const fieldValue = `document.querySelector(%q).value`
	for round := range 4 {
		s, url, end := expenses(t, dir)
		s.write("apps/expenses/viewdefs/Expenses.DEFAULT.html", `<template>
  <form>
    <h1 id="title">Expenses</h1>
    <input id="note" ui-value="note">
    <input id="amount" ui-value="amount">
    <button id="add" type="submit" ui-action="add()">Add</button>
    <ul id="rows" ui-viewlist="items"><li></li></ul>
  </form>
</template>
`)
		s.write("apps/expenses/viewdefs/Expense.list-item.html", `<template><li><input ui-value="note"> <b ui-value="amount"></b></li></template>
`)
		s.ok("ui_display", map[string]any{"name": "expenses"})
		now := func() (state expensesState) {
			t.Helper()
			if err := json.Unmarshal([]byte(s.run(`local items = {}
				for i, e in ipairs(expenses.items) do items[i] = e.note .. " " .. e.amount end
				return { note = expenses.note, amount = expenses.amount, items = items }`)), &state); err != nil {
				t.Fatal(err)
			}
			return state
		}
		if diff := cmp.Diff(restored, now()); diff != "" {
			t.Fatalf("round %d: the file (-) and what was restored (+):\n%s", round, diff)
		}
		tab.Open(url)
		tab.Wait(fmt.Sprintf(`document.querySelectorAll("#rows li b").length === %d && document.querySelector("#note").value === %q`,
			len(restored.Items), restored.Note))
		states := []expensesState{restored} // that the file may have
		was := func(s expensesState) { states = append(states, s) }
		// became waits until the app is as it must be after an edit.
		became := func(what string, ok func(expensesState) bool) {
			t.Helper()
			var last expensesState
			wait.Until(t, what, func() bool { last = now(); return ok(last) })
			was(last)
		}
		enter := func(field, text string) (value string) {
			tab.Type(field, text)
			return browser.Eval[string](tab, fmt.Sprintf(fieldValue, field))
		}
		leave := func() { tab.Click("#title") }
		edit := func(n int) {
			text, before := string(rune('a'+n%26)), states[len(states)-1]
			row := 0
			if len(before.Items) > 0 {
				row = r.IntN(len(before.Items))
			}
			switch kind := r.IntN(6); {
			case kind == 0:
				value := enter("#note", text)
				leave()
				became("the note", func(s expensesState) bool { return s.Note == value })
			case kind == 1:
				value := enter("#amount", fmt.Sprint(n%10))
				leave()
				became("the amount", func(s expensesState) bool { return s.Amount == value })
			case kind == 2 && len(before.Items) > 0: // a field of a row, of which no code of the app knows
				field := fmt.Sprintf("#rows li:nth-child(%d) input", row+1)
				value := enter(field, text)
				leave()
				became("the row", func(s expensesState) bool { return strings.HasPrefix(s.Items[row], value+" ") })
			case kind == 3 && len(before.Items) > 0:
				s.run(fmt.Sprintf(`expenses.items[%d].amount = %d`, row+1, n))
				was(now())
				tab.Wait(fmt.Sprintf(`document.querySelectorAll("#rows li b")[%d].textContent === "%d"`, row, n))
			case kind == 4 && len(before.Items) > 2:
				s.run(fmt.Sprintf(`table.remove(expenses.items, %d)`, row+1))
				was(now())
				tab.Wait(fmt.Sprintf(`document.querySelectorAll("#rows li b").length === %d`, len(before.Items)-1))
			default: // what was typed is sent before the click
				between := before
				between.Note = enter("#note", text)
				was(between)
				tab.Click("#add")
				became("the new row", func(s expensesState) bool { return len(s.Items) == len(before.Items)+1 })
				tab.Wait(fmt.Sprintf(`document.querySelectorAll("#rows li b").length === %d && document.querySelector("#note").value === ""`, len(before.Items)+1))
			}
		}
		for n := range r.IntN(6) {
			edit(10*round + n)
		}
		last := states[len(states)-1]
		wait.Until(t, "the file has all edits", func() bool { return cmp.Equal(savedState(t, dir), last) })
		states = states[len(states)-1:]
		edit(10*round + 9)
		wait.Pause(time.Duration(r.IntN(700)) * time.Millisecond)
		end(os.Kill)
		restored = savedState(t, dir)
		if !slices.ContainsFunc(states, func(s expensesState) bool { return cmp.Equal(s, restored) }) {
			t.Fatalf("round %d: the file has %+v, and the app had %+v", round, restored, states)
		}
		t.Logf("round %d: %+v, %d of %d", round, restored, slices.IndexFunc(states, func(s expensesState) bool { return cmp.Equal(s, restored) })+1, len(states))
	}
}
