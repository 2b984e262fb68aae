package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// expenses starts a server with an app that keeps its data, and displays it. kill ends the process
// without a warning.
func expenses(t *testing.T, dir string) (s *server, url string, kill func()) {
	t.Helper()
	cmd := exec.Command("ui-mcp", "mcp", "--dir", dir)
	cmd.Env = append(cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, nil)
	if err != nil {
		t.Fatal(err)
	}
	killed := false
	t.Cleanup(func() {
		if err := session.Close(); err != nil && !killed {
			t.Errorf("the server failed: %v", err)
		}
	})
	s = &server{t: t, dir: dir, mcp: session}
	s.write("apps/expenses/app.lua", expensesLua)
	s.write("apps/expenses/viewdefs/Expenses.DEFAULT.html", expensesHTML)
	url = s.ok("ui_start", nil)
	s.ok("ui_display", map[string]any{"name": "expenses"})
	return s, url, func() {
		killed = true
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = s.mcp.Close() // it is gone
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
	s, url, kill := expenses(t, dir)
	tab.Open(url)
	tab.Wait(list + ` === "Lunch 12.5, Half a 3"`)
	enter("Tea", "2")
	tab.Click("#add")
	wait.Until(t, "it is saved", func() bool { return strings.Contains(keptData(dir), "Tea") })
	enter("draft", "7")
	wait.Until(t, "the draft is saved", func() bool { return strings.Contains(keptData(dir), `"amount": "7"`) })
	kill()
	_, url, _ = expenses(t, dir)
	tab.Open(url)
	tab.Wait(list + ` === "Lunch 12.5, Half a 3, Tea 2" && document.querySelector("#note").value === "draft"`)
}

// Of two servers on one directory, one saves. The other shows the same, and takes over when the
// first is killed.
func TestKeptByOneOfTwoServers(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	first, _, kill := expenses(t, dir)
	first.run(`expenses.note, expenses.amount = "a", "1" expenses:add()`)
	wait.Until(t, "the first one saves", func() bool { return strings.Contains(keptData(dir), `"note": "a"`) })
	second, url, _ := expenses(t, dir)
	tab := browser.New(t).Tab()
	tab.Open(url)
	tab.Wait(`document.querySelector("#list").textContent === "a 1"`)
	first.run(`expenses.note, expenses.amount = "b", "2" expenses:add()`)
	tab.Wait(`document.querySelector("#list").textContent === "a 1, b 2"`)
	if got := second.ok("ui_inspect", nil); !strings.Contains(got, "is kept by session 1 of the server with the process ID") {
		t.Errorf("the second one does not say that it saves nothing: %s", got)
	}
	kill()
	wait.Until(t, "the second one takes over", func() bool {
		return !strings.Contains(second.ok("ui_inspect", nil), "is kept by session")
	})
	second.run(`expenses.note, expenses.amount = "c", "3" expenses:add()`)
	wait.Until(t, "the second one saves", func() bool { return strings.Contains(keptData(dir), `"note": "c"`) })
	if got := second.run("return expenses:list()"); got != `"a 1, b 2, c 3"` {
		t.Errorf("the second one has %s", got)
	}
}

// Whenever the process is killed, the file is whole, and as it was at one moment.
func TestKeptWhenKilled(t *testing.T) {
	load.Long(t, "TestKeptForm kills a server once")
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".claude", "ui")
	s, _, kill := expenses(t, dir)
	last := 0
	for round := range 8 {
		s.run(`for i = 1, 20000 do expenses.items[i] = expenses.items[i] or Expense:new() end
			local n = ` + fmt.Sprint(last) + `
			session:setInterval(function()
				n = n + 1
				for _, e in ipairs(expenses.items) do e.amount = n end
				expenses.amount = n
			end, 20)`)
		size := len(keptData(dir))
		wait.Until(t, "it is saved", func() bool { return len(keptData(dir)) > 1<<19 })
		wait.Pause(time.Duration(300+97*round) * time.Millisecond)
		kill()
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
		s, _, kill = expenses(t, dir)
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
