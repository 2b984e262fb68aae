package ui_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/kept"
)

// A file that cannot be read when the app starts stays as it is until it is corrected or removed.
// What the app has meanwhile is set aside.
func TestKeepBrokenFile(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{"not JSON": "{\"format\": 1,\n  \"data\": {", "something else": `{"a": 1}`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := expensesFiles()
			files["data/expenses.json"] = content
			w := newWorld(t, files)
			w.display("expenses")
			w.reports(`the data of "expenses" cannot be read, and nothing is saved until they can`)
			w.run(`expenses:add("Tea", 2)`)
			w.again()
			if got := w.kept("expenses.json"); got != content {
				t.Fatalf("the file is now %q", got)
			}
			w.holds("expenses.previous.json", "Tea")
			w.display("expenses")
			w.write("data/expenses.json", w.kept("expenses.previous.json"))
			w.forgets("cannot be read")
			w.gives("corrected", sum, `"Tea=2/Expense"`)
			w.remove("data/expenses.previous.json")
			w.forgets("previous")
			w.must(`expenses:add("Milk", 1)`)
			w.saves("expenses", "Milk")
		})
	}
	t.Run("empty", func(t *testing.T) {
		t.Parallel()
		files := expensesFiles()
		files["data/expenses.json"] = ""
		w := newWorld(t, files)
		w.display("expenses")
		w.must(`expenses:add("Tea", 2)`)
		w.saves("expenses", "Tea")
	})
}

// What a newer version has written stays as it is, whether it was there before or comes while the
// app runs, and what the app has changed meanwhile is set aside.
func TestKeepNewerFormat(t *testing.T) {
	t.Parallel()
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
	w.holds("expenses.previous.json", "Tea")
	w.remove("data/expenses.json")
	w.remove("data/expenses.previous.json")
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
	w.gives("the app has", sum, `"Cake=3/Expense Milk=1/Expense"`)
	w.saves("expenses", "Milk")
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
	w.holds("expenses.previous.json", "Salt")
}

// A file that something else has written is read again; objects that are still there stay the same.
func TestKeepReadsAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("a", 1) expenses:add("b", 2) expenses:add("c", 3) rows = { unpack(expenses.items) }`)
	w.saves("expenses", `"note": "c"`)
	text := w.kept("expenses.json")
	text = strings.Replace(text, `      {"$type": "Expense", "amount": 1, "note": "a"},`+"\n", "", 1)
	text = strings.Replace(text, `"amount": 3`, `"amount": 4`, 1)
	w.write("data/expenses.json", text)
	w.until("it is read again", func() bool { w.settle(); return w.must(sum) == `"b=2/Expense c=4/Expense"` })
	w.mustGive("the rows are the same", `return { rows[2] == expenses.items[1], rows[3] == expenses.items[2] }`, "[true,true]")
	// A mistake is told, and the app goes on with its own data.
	w.write("data/expenses.json", strings.Replace(text, "[", "[[", 1))
	w.settle()
	w.reports("something else has written what cannot be read")
	w.write("data/expenses.json", strings.Replace(text, `"amount": 4`, `"amount": 5`, 1))
	w.settle()
	w.forgets("something else has written")
	w.mustGive("corrected", sum, `"b=2/Expense c=5/Expense"`)
	w.write("data/expenses.json", "[")
	w.settle()
	w.runReporting(`expenses:add("d", 6)`, "something else has written what cannot be read")
	w.saves("expenses", `"note": "d"`)
	if got := w.kept("expenses.previous.json"); got != "[" {
		t.Errorf("what could not be read: %q", got)
	}
}

// When both have changed, both versions are there, and that is told.
func TestKeepConflict(t *testing.T) {
	t.Parallel()
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
	w.reports("expenses.previous.json has another version of these data (something else had written it while the app had changes of its own")
	if got := w.kept("expenses.previous.json"); got != theirs {
		t.Errorf("the other version:\n%s", got)
	}
	w.gives("the app has", sum, `"ours=1/Expense"`)
}

// What has never been in the file replaces no previous version: its session keeps it until that is
// removed, and says so.
func TestKeepPreviousStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", `"items": []`)
	other := w.beside("2")
	other.display("expenses")
	w.write("data/expenses.previous.json", "an editor's")
	other.run(`expenses:add("typed", 1)`)
	w.run(`expenses:add("saved", 2)`)
	other.reports("data/expenses.previous.json is there already")
	if got, _ := other.run(sum); got != `"typed=1/Expense"` || w.kept("expenses.previous.json") != "an editor's" {
		t.Errorf("the other session has %s, and the previous version is %q", got, w.kept("expenses.previous.json"))
	}
	w.remove("data/expenses.previous.json")
	other.forgets("is there already")
	if got, _ := other.run(sum); got != `"saved=2/Expense"` || !strings.Contains(w.kept("expenses.previous.json"), "typed") {
		t.Errorf("then it has %s, and the previous version is %q", got, w.kept("expenses.previous.json"))
	}
}

// beside is the same engine with another session.
func (w *world) beside(session string) *world {
	w.t.Helper()
	s, err := w.engine.Open(w.t.Context(), session)
	if err != nil {
		w.t.Fatal(err)
	}
	return &world{t: w.t, dir: w.dir, limit: w.limit, engine: w.engine, session: s}
}

// Of the sessions of a server, the first that has a page saves, until it has none. What others have
// changed is set aside when the one that saves has changed the data, too, and else is saved when
// their turn comes.
func TestKeepSessions(t *testing.T) {
	t.Parallel()
	one := newWorld(t, expensesFiles())
	one.display("expenses")
	one.must(`expenses:add("a", 1)`)
	one.saves("expenses", `"note": "a"`)
	two, three := one.beside("2"), one.beside("3")
	for _, w := range []*world{two, three} {
		w.display("expenses")
		w.reports(`"expenses" is kept by session 1`)
	}
	two.run(`expenses:add("b", 2)`)
	two.reports("what was changed in this session is not saved; when that one saves, it is replaced here")
	page := two.connect()
	two.forgets("is kept by")
	one.reports(`"expenses" is kept by session 2`)
	two.saves("expenses", `"note": "b"`)
	one.until("it follows", func() bool { got, _ := one.run(sum); return got == `"a=1/Expense b=2/Expense"` })
	third := three.connect() // it waits
	one.connect()
	three.run(`expenses:add("lost", 3)`)
	two.run(`expenses:add("c", 4)`)
	three.until("it follows", func() bool { got, _ := three.run(sum); return got == `"a=1/Expense b=2/Expense c=4/Expense"` })
	two.holds("expenses.previous.json", "lost")
	two.run(`expenses:add("d", 5)`)
	two.session.Detach(page)
	one.until("another one takes over", func() bool {
		both := strings.Join(append(one.problems(), three.problems()...), "\n")
		return strings.Count(both, `"expenses" is kept by session`) == 1 && !strings.Contains(both, "by session 2")
	})
	three.session.Detach(third)
	one.forgets(`is kept by`)
	one.gives("the first session has", sum, `"a=1/Expense b=2/Expense c=4/Expense d=5/Expense"`)
}

// A folder or a file that was removed is made again with what the app has.
func TestKeepRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.saves("expenses", "Tea")
	for _, name := range []string{"data/expenses.json", "data"} {
		// At once: the app may write into the folder meanwhile.
		if err := os.Rename(filepath.Join(w.dir, name), filepath.Join(t.TempDir(), "gone")); err != nil {
			t.Fatal(err)
		}
		w.saves("expenses", "Tea")
	}
	w.until("the lock is there", func() bool {
		_, err := os.Lstat(filepath.Join(w.dir, "data", ".expenses.lock"))
		return err == nil
	})
}

// What was changed is not lost with the lock and its folder in the moment before the end.
func TestKeepFolderLostAtTheEnd(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", `"items": []`)
	if err := w.session.Do(t.Context(), func(tx *ui.Tx) error {
		if err := os.Rename(filepath.Join(w.dir, "data"), filepath.Join(t.TempDir(), "gone")); err != nil {
			return err
		}
		_, err := tx.Run(`expenses:add("last", 1)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	w.engine.Close()
	w.holds("expenses.json", "last")
}

// What a full disk or another limit prevents is told, and the last file stays whole.
func TestKeepTooLarge(t *testing.T) {
	t.Parallel()
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("Tea", 2)`)
	w.saves("expenses", "Tea")
	w.run(`long = string.rep("x", 2^20) for i = 1, 70 do expenses["f" .. i] = long end`)
	w.reports("more than 64 MiB")
	if err := kept.Check([]byte(w.kept("expenses.json"))); err != nil {
		t.Error(err)
	}
	w.run(`for i = 1, 70 do expenses["f" .. i] = nil end`)
	w.forgets("more than 64 MiB")
}
