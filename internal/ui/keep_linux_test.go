package ui_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"ui-mcp/internal/ui/lua/kept"
)

// On a full disk, the last file stays whole, the problem is told, and what was changed is saved
// once there is room. A server that ends before leaves what was saved last.
func TestKeepFullDisk(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can make a small disk")
	}
	disk := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk).Run(); err != nil {
		t.Skip("no small disk can be made here: ", err)
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", disk).Run(); err != nil {
			t.Error(err)
		}
	})
	w := newWorld(t, expensesFiles())
	if err := os.Symlink(disk, filepath.Join(w.dir, "data")); err != nil {
		t.Fatal(err)
	}
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.saves("expenses", "Tea")
	before := w.kept("expenses.json")
	filler := filepath.Join(disk, "filler")
	fill := func() {
		t.Helper()
		if err := os.WriteFile(filler, make([]byte, 128<<10), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("fill the disk: %v", err)
		}
	}
	fill()
	w.run(`expenses:add("Coffee", 3)`)
	w.reports("cannot be saved, and is in memory only; it is tried again: ")
	w.reports("no space left on device")
	if got := w.kept("expenses.json"); got != before {
		t.Errorf("the file is now\n%s", got)
	}
	// Failed attempts leave nothing.
	entries, err := os.ReadDir(disk)
	if err != nil || len(entries) != 3 { // the file, the lock, the filler
		t.Errorf("on the disk are %v, %v", entries, err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	w.saves("expenses", "Coffee")
	w.forgets("no space left on device")
	before = w.kept("expenses.json")
	if err := kept.Check([]byte(before)); err != nil {
		t.Error(err)
	}
	fill()
	w.run(`expenses:add("Milk", 1)`)
	w.again()
	if got := w.kept("expenses.json"); got != before {
		t.Errorf("after the end, the file is\n%s", got)
	}
	w.display("expenses")
	w.gives("restored", sum, `"Tea=2/Expense Coffee=3/Expense"`)
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
}
