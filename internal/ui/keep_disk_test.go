package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/keep"
)

func TestKeepBrokenFile(t *testing.T) {
	for name, content := range map[string]string{"not JSON": "{\"format\": 1,\n  \"data\": {", "empty": "", "something else": `{"a": 1}`} {
		t.Run(name, func(t *testing.T) {
			files := expensesFiles()
			files["data/expenses.json"] = content
			w := newWorld(t, files)
			w.display("expenses")
			w.reports("data/expenses.json could not be read and is kept here")
			w.must(`expenses:add("Tea", 2)`)
			w.saves("expenses", "Tea")
			if got := w.kept("expenses.broken-1.json"); got != content {
				t.Errorf("kept aside: %q", got)
			}
			w.again()
			w.display("expenses")
			w.reports("expenses.broken-1.json")
			w.remove("data/expenses.broken-1.json")
			w.forgets("expenses.broken-1.json")
		})
	}
}

// What a newer version has written stays as it is, whether it was there before or comes while the
// app runs, and what the app has changed meanwhile is set aside.
func TestKeepNewerFormat(t *testing.T) {
	files := expensesFiles()
	newer := `{"format": 2, "data": {"anything": "new"}}`
	files["data/expenses.json"] = newer
	w := newWorld(t, files)
	stays := func() {
		t.Helper()
		if got := w.kept("expenses.json"); got != newer {
			t.Fatalf("the newer file: %s", got)
		}
	}
	const problem = "the data of \"expenses\" cannot be read, and nothing is saved until they can: this is format 2, and this program reads formats up to 1: a newer version of ui-mcp has written it, so update this one"
	w.display("expenses")
	w.reports(problem)
	w.must(`expenses:add("Tea", 2)`)
	w.again()
	stays()
	if got := w.kept("expenses.unsaved-1.json"); !strings.Contains(got, "Tea") || w.kept("expenses.broken-1.json") != "" {
		t.Errorf("set aside: %s", got)
	}
	w.remove("data/expenses.json")
	w.remove("data/expenses.unsaved-1.json")
	w.display("expenses")
	w.must(`expenses:add("Cake", 3)`)
	w.saves("expenses", "Cake")
	ours := w.kept("expenses.json")
	err := w.session.Do(t.Context(), func(tx *ui.Tx) error { // nothing is looked at meanwhile
		_, err := tx.Run(`expenses:add("Milk", 1)`)
		w.write("data/expenses.json", newer)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.reports(problem)
	stays()
	w.write("data/expenses.json", ours)
	w.forgets(problem)
	if got, _ := w.run(sum); got != `"Cake=3/Expense"` {
		t.Errorf("the app has %s", got)
	}
	if got := w.kept("expenses.unsaved-1.json"); !strings.Contains(got, "Milk") {
		t.Errorf("set aside: %s", got)
	}
	err = w.session.Do(t.Context(), func(tx *ui.Tx) error { // the session ends before it looks
		_, err := tx.Run(`expenses:add("Salt", 1)`)
		w.write("data/expenses.json", newer)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.again()
	stays()
	if got := w.kept("expenses.unsaved-2.json"); !strings.Contains(got, "Salt") {
		t.Errorf("set aside at the end: %s", got)
	}
}

// A file that something else has written is read again; objects that are still there stay the same.
func TestKeepReadsAgain(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("a", 1) expenses:add("b", 2) expenses:add("c", 3) rows = { unpack(expenses.items) }`)
	w.saves("expenses", `"note": "c"`)
	text := w.kept("expenses.json")
	text = strings.Replace(text, `      {"$type": "Expense", "amount": 1, "note": "a"},`+"\n", "", 1)
	text = strings.Replace(text, `"amount": 3`, `"amount": 4`, 1)
	w.write("data/expenses.json", text)
	w.until("it is read again", func() bool { w.settle(); return w.must(sum) == `"b=2/Expense c=4/Expense"` })
	if got := w.must(`return { rows[2] == expenses.items[1], rows[3] == expenses.items[2] }`); got != "[true,true]" {
		t.Errorf("the rows are the same: %s", got)
	}
	// A mistake is told, and the app goes on with its own data.
	w.write("data/expenses.json", strings.Replace(text, "[", "[[", 1))
	w.settle()
	w.reports("something else has written what cannot be read")
	w.write("data/expenses.json", strings.Replace(text, `"amount": 4`, `"amount": 5`, 1))
	w.settle()
	w.forgets("something else has written")
	if got := w.must(sum); got != `"b=2/Expense c=5/Expense"` {
		t.Errorf("corrected: %s", got)
	}
	w.write("data/expenses.json", "[")
	w.settle()
	w.runReporting(`expenses:add("d", 6)`, "something else has written what cannot be read")
	w.saves("expenses", `"note": "d"`)
	if got := w.kept("expenses.broken-1.json"); got != "[" {
		t.Errorf("what could not be read: %q", got)
	}
}

// When both have changed, both versions are there, and that is told.
func TestKeepConflict(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("a", 1)`)
	w.saves("expenses", `"note": "a"`)
	theirs := strings.Replace(w.kept("expenses.json"), `"note": "a"`, `"note": "theirs"`, 1)
	err := w.session.Do(t.Context(), func(tx *ui.Tx) error { // nothing is looked at meanwhile
		_, err := tx.Run(`expenses.items[1].note = "ours"`)
		w.write("data/expenses.json", theirs)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.saves("expenses", "ours")
	w.reports("expenses.conflict-1.json: something else has written this")
	if got := w.kept("expenses.conflict-1.json"); got != theirs {
		t.Errorf("the other version:\n%s", got)
	}
	if got, _ := w.run(sum); got != `"ours=1/Expense"` {
		t.Errorf("the app has %s", got)
	}
}

// One session owns a file. Others show what it saves, say so, and take over when it ends.
func TestKeepTwoServers(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("a", 1)`)
	w.saves("expenses", `"note": "a"`)
	other := &world{t: t, dir: w.dir, limit: w.limit}
	other.start()
	other.display("expenses")
	if got, _ := other.run(sum); got != `"a=1/Expense"` {
		t.Errorf("the other has %s", got)
	}
	other.reports(fmt.Sprintf(`"expenses" is kept by session 1 of the server with the process ID %d`, os.Getpid()))
	w.must(`expenses:add("b", 2)`)
	w.saves("expenses", `"note": "b"`)
	other.until("it follows", func() bool { got, _ := other.run(sum); return got == `"a=1/Expense b=2/Expense"` })
	other.run(`expenses:add("lost", 3)`)
	other.reports("what was changed in this session is not saved")
	w.must(`expenses:add("c", 4)`)
	w.saves("expenses", `"note": "c"`)
	other.until("it follows again", func() bool {
		got, _ := other.run(sum)
		return got == `"a=1/Expense b=2/Expense c=4/Expense"`
	})
	if got := w.kept("expenses.unsaved-1.json"); !strings.Contains(got, "lost") {
		t.Errorf("what the other had: %q", got)
	}
	w.must(`expenses:add("d", 5)`)
	w.engine.Close()
	other.forgets("is kept by session")
	if got, _ := other.run(sum); got != `"a=1/Expense b=2/Expense c=4/Expense d=5/Expense"` {
		t.Errorf("the other took over %s", got)
	}
	other.run(`expenses:add("e", 6)`)
	other.saves("expenses", `"note": "e"`)
}

// Two sessions of a server are no better than two servers.
func TestKeepTwoSessions(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	two, err := w.engine.Open(t.Context(), "2")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := two.AskAll(t.Context(), func(tx *ui.Tx) error { return tx.Display("expenses") })
	if err != nil || !strings.Contains(strings.Join(texts(list), "\n"), "kept by session 1") {
		t.Errorf("%v, %v", list, err)
	}
}

// Without the rights to write, the app works, and the problem is told.
func TestKeepReadOnly(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("needs a user whom modes stop")
	}
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", "items")
	dir := filepath.Join(w.dir, "data")
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	w.run(`expenses:add("Tea", 2)`)
	w.reports("permission denied")
	w.again() // the next server does not fare better, and shows what is there
	w.display("expenses")
	w.run(`expenses:add("Tea", 2)`)
	w.reports("permission denied")
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.saves("expenses", "Tea")
	w.forgets("permission denied")
}

// A folder or a file that was removed is made again with what the app has.
func TestKeepRemoved(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.saves("expenses", "Tea")
	for _, name := range []string{"data/expenses.json", "data"} {
		if err := os.RemoveAll(filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
		w.saves("expenses", "Tea")
	}
	w.until("the lock is there", func() bool {
		_, err := os.Lstat(filepath.Join(w.dir, "data", ".expenses.lock"))
		return err == nil
	})
}

// What a full disk or another limit prevents is told, and the last file stays whole.
func TestKeepTooLarge(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.saves("expenses", "Tea")
	w.run(`long = string.rep("x", 2^20) for i = 1, 70 do expenses["f" .. i] = long end`)
	w.reports("more than 64 MiB")
	if _, err := keep.Decode([]byte(w.kept("expenses.json"))); err != nil {
		t.Error(err)
	}
	w.run(`for i = 1, 70 do expenses["f" .. i] = nil end`)
	w.forgets("more than 64 MiB")
}

// Without room for a copy, data with fields that are dropped are not replaced, whenever they are
// dropped.
func TestKeepNoRoomForCopies(t *testing.T) {
	without := strings.Replace(expensesLua, `{ note = "", amount = 0 }`, `{ note = "" }`, 1)
	late := strings.Replace(expensesLua, `Expense = session:prototype("Expense", { note = "", amount = 0 })`, "", 1) +
		`Expense = session:prototype("Expense", { note = "" })`
	for name, code := range map[string]string{"at the start": without, "with a late type": late} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, expensesFiles())
			w.display("expenses")
			w.must(`expenses:add("Tea", 2)`)
			w.engine.Close()
			for n := range 20 {
				w.write(fmt.Sprintf("data/expenses.before-%d.json", n+1), fmt.Sprint(n))
			}
			before := w.kept("expenses.json")
			w.write("apps/expenses/app.lua", code)
			w.start()
			w.display("expenses")
			w.reports("there are 20 files data/expenses.before-N.json already")
			w.run(`expenses.draft = "Coffee"`)
			w.again()
			if got := w.kept("expenses.json"); got != before {
				t.Fatalf("the data were replaced without a copy:\n%s", got)
			}
			w.display("expenses")
			w.run(`expenses.draft = "Coffee"`)
			w.remove("data/expenses.before-7.json")
			w.saves("expenses", "Coffee")
			if got := w.kept("expenses.before-7.json"); got != before {
				t.Errorf("the copy is\n%s", got)
			}
		})
	}
}

// A broken file of which no copy can be set aside, because there are too many, is used as soon as
// one of them is removed.
func TestKeepRoomForCopiesAgain(t *testing.T) {
	files := expensesFiles()
	files["data/expenses.json"] = "{"
	for n := range 20 {
		files[fmt.Sprintf("data/expenses.broken-%d.json", n+1)] = fmt.Sprint(n)
	}
	w := newWorld(t, files)
	w.display("expenses")
	w.reports("there are 20 files data/expenses.broken-N.json already")
	w.run(`expenses:add("Tea", 3)`)
	w.remove("data/expenses.broken-7.json")
	w.saves("expenses", "Tea")
	w.forgets("there are 20 files")
	if got := w.kept("expenses.broken-7.json"); got != "{" {
		t.Errorf("the broken file is kept as %q", got)
	}
}
