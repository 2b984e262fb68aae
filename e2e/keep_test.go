package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

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
