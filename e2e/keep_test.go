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
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/testkit/wait"
)

const expensesLua = `
Expenses = session:prototype("Expenses", { note = "", items = EMPTY })
function Expenses:add() table.insert(self.items, self.note) end
if not session.reloading then expenses = Expenses:new({ items = {} }) end
mcp:keep("expenses", expenses)
`

// A server that is told to end saves first.
func TestKeptWhenTerminated(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("processes get no signals there")
	}
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("ui-mcp", "mcp", "--own", "--dir", filepath.Join(t.TempDir(), ".claude", "ui"))
			cmd.Env = append(cmd.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "BROWSER=")
			session := testkit.Client(t, nil, &mcp.CommandTransport{Command: cmd, TerminateDuration: wait.Patience}, "")
			s := &server{t: t, dir: cmd.Args[len(cmd.Args)-1], mcp: session}
			s.write("apps/expenses/app.lua", expensesLua)
			s.write("apps/expenses/viewdefs/Expenses.DEFAULT.html", `<template><p ui-value="note"></p></template>`)
			s.ok("ui_start", nil)
			s.ok("ui_display", map[string]any{"name": "expenses"})
			s.run(`expenses.note = "last" expenses:add()`)
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = session.Wait() // its output ends with it; closing its input would be another reason to end
			if got := s.read("data/expenses.json"); !strings.Contains(got, `"last"`) {
				t.Errorf("the file:\n%s", got)
			}
			if _, err := os.Lstat(filepath.Join(s.dir, "data", ".expenses.lock")); err == nil {
				t.Error("the lock is left")
			}
		})
	}
}
