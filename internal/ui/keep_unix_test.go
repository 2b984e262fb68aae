//go:build unix

package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/ui/lua/kept"
)

// A place where nothing can be saved is reported, nothing there is replaced, and saving continues
// once it can.
func TestKeepHostilePlaces(t *testing.T) {
	t.Parallel()
	target := filepath.Join(t.TempDir(), "target")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		make, fix func(t *testing.T, dir, file string) error
		want      string
	}{
		"a pipe":   {func(_ *testing.T, _, file string) error { return syscall.Mkfifo(file, 0o600) }, remove, "not a regular file"},
		"a folder": {func(_ *testing.T, _, file string) error { return os.Mkdir(file, 0o700) }, remove, "not a regular file"},
		"a link":   {func(_ *testing.T, _, file string) error { return os.Symlink(target, file) }, remove, "symbolic link"},
		"read-only": {func(_ *testing.T, _, file string) error {
			return os.WriteFile(file, []byte(format+`{"$type": "Expenses", "items": []}}`), 0o400)
		}, func(_ *testing.T, _, file string) error { return os.Chmod(file, 0o600) }, "read-only"},
		"too large": {func(_ *testing.T, _, file string) error { return tooLarge(file) }, remove, "larger than"},
		"a file instead of the folder": {func(_ *testing.T, dir, _ string) error {
			if err := os.Remove(dir); err != nil {
				return err
			}
			return os.WriteFile(dir, nil, 0o600)
		}, func(t *testing.T, dir, _ string) error { return os.Remove(dir) }, "not a directory"},
		"a pipe as the lock": {func(_ *testing.T, dir, _ string) error {
			return syscall.Mkfifo(filepath.Join(dir, ".expenses.lock"), 0o600)
		},
			func(_ *testing.T, dir, _ string) error { return os.Remove(filepath.Join(dir, ".expenses.lock")) }, "not a regular file"},
		"a folder that is read-only": {func(t *testing.T, dir, _ string) error {
			if os.Getuid() == 0 {
				t.Skip("needs a user whom modes stop")
			}
			return os.Chmod(dir, 0o500)
		}, func(_ *testing.T, dir, _ string) error { return os.Chmod(dir, 0o700) }, "permission denied"},
	} {
		for _, running := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", running: ", running), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, expensesFiles())
				dir := filepath.Join(w.dir, "data")
				if running {
					w.display("expenses")
					w.saves("expenses", "items")
					w.remove("data/expenses.json")
					w.remove("data/.expenses.lock")
				} else if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := tt.make(t, dir, filepath.Join(dir, "expenses.json")); err != nil {
					if running {
						t.Skip("the file is back already: ", err)
					}
					t.Fatal(err)
				}
				if !running {
					w.display("expenses")
					w.reports(tt.want)
				}
				w.run(`expenses:add("Tea", 2)`)
				w.reports(tt.want)
				if b, err := os.ReadFile(target); string(b) != "precious" {
					t.Errorf("the target of the link has %q, %v", b, err)
				}
				if err := tt.fix(t, dir, filepath.Join(dir, "expenses.json")); err != nil {
					t.Fatal(err)
				}
				w.saves("expenses", "Tea")
				w.forgets(tt.want)
			})
		}
	}
}

func remove(_ *testing.T, _, file string) error { return os.Remove(file) }

func tooLarge(file string) error {
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return err
	}
	return os.Truncate(file, kept.Max+1)
}

// An object that cannot be saved, and is tried again in half a minute, holds up no other one.
func TestKeepBesideOneThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", "items")
	w.must(`notes = { text = "" } mcp:keep("notes", notes)`)
	w.saves("notes", "text")
	if err := os.Chmod(filepath.Join(w.dir, "data", "expenses.json"), 0o400); err != nil {
		t.Fatal(err)
	}
	w.must(`expenses:add("Tea", 2)`)
	w.reports("it is read-only")
	if err := w.session.RetryLater(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.run(`notes.text = "Milk"`)
	w.saves("notes", "Milk")
}

// The previous version is no more public than the file.
func TestKeepAsidePrivate(t *testing.T) {
	files := expensesFiles()
	files["data/expenses.json"] = format + `{"$type": "Expenses", "items": [{"$type": "Expense", "amount": 1}]}}`
	w := newWorld(t, files)
	if err := os.Chmod(filepath.Join(w.dir, "data", "expenses.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.write("apps/expenses/app.lua", strings.Replace(expensesLua, `, amount = 0 }`, ` }`, 1))
	w.display("expenses")
	w.reports("no longer declared")
	info, err := os.Stat(filepath.Join(w.dir, "data", "expenses.previous.json"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the copy has the mode %v", info.Mode())
	}
}

// A named pipe in place of a file blocks nothing, neither at the start nor while files are watched.
func TestNamedPipes(t *testing.T) {
	w := newWorld(t, counter)
	pipes := []string{"apps/counter/viewdefs/Pipe.DEFAULT.html", "viewdefs/Other.DEFAULT.html", "lua/pipe.lua"}
	for _, name := range pipes {
		w.write(filepath.Dir(name)+"/.keep", "")
		if err := syscall.Mkfifo(filepath.Join(w.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "using named pipes", func() {
		w.display("counter") // reads the view definitions of the app
		w.settle()
		if got, _ := w.run(`return select(2, pcall(require, "pipe"))`); !strings.Contains(got, "not found") {
			t.Errorf("require: %s", got)
		}
		w.engine.Close()
		w.start()
	})
	if list := strings.Join(w.problems(), "\n"); !strings.Contains(list, "it is a named pipe, not a regular file") {
		t.Errorf("problems: %s", list)
	}
}
