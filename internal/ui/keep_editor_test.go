package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"ui-mcp/internal/ui"
)

// An editor that saves in two steps loses nothing when the app saves in between: what it writes to
// the replaced file is set aside.
func TestKeepEditorInTwoSteps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files that are open are not replaced here")
	}
	for name, first := range map[string]string{"emptied first": "", "half first": "half", "only opened first": "nothing"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, expensesFiles())
			w.display("expenses")
			w.must(`expenses:add("a", 1)`)
			w.saves("expenses", `"note": "a"`)
			theirs := strings.Replace(w.kept("expenses.json"), `"note": "a"`, `"note": "theirs"`, 1)
			half := len(theirs) / 2
			var editor *os.File
			if err := w.session.Do(t.Context(), func(tx *ui.Tx) (err error) { // nothing is saved meanwhile
				if editor, err = os.OpenFile(filepath.Join(w.dir, "data", "expenses.json"), os.O_WRONLY, 0); err != nil {
					return err
				}
				if first != "nothing" {
					if err := editor.Truncate(0); err != nil {
						return err
					}
				}
				if first == "half" {
					if _, err := editor.WriteAt([]byte(theirs[:half]), 0); err != nil {
						return err
					}
				}
				_, err = tx.Run(`expenses.items[1].note = "ours"`)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			defer editor.Close()
			w.saves("expenses", "ours")
			if first == "nothing" {
				if err := editor.Truncate(0); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := editor.WriteAt([]byte(theirs), 0); err != nil {
				t.Fatal(err)
			}
			w.reports("expenses.conflict-1.json: something else has written this")
			if got := w.kept("expenses.conflict-1.json"); got != theirs {
				t.Errorf("the editor's version:\n%s", got)
			}
			w.forgets("expenses.broken-1.json")
			if got := w.kept("expenses.broken-1.json"); got != "" {
				t.Errorf("half of a version was left: %q", got)
			}
			if got := w.kept("expenses.json"); !strings.Contains(got, "ours") {
				t.Errorf("the file:\n%s", got)
			}
		})
	}
}

// However an editor replaces the file while the app saves, the app reads its version or sets it
// aside.
func TestKeepEditorMeanwhile(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.must(`expenses:add("a", 1)`)
	w.saves("expenses", `"note": "a"`)
	for i := range 5 {
		note := fmt.Sprintf("theirs %d", i)
		theirs := strings.Replace(w.kept("expenses.json"), `"amount": 1, "note": "`, `"amount": 1, "note": "`+note+`, before `, 1)
		w.run(fmt.Sprintf("expenses.draft = %q", note))
		// The app is about to save, and puts a partial file beside it.
		w.until("it saves", func() bool {
			list, err := filepath.Glob(filepath.Join(w.dir, "data", "expenses.json.*"))
			return err == nil && len(list) > 0 || strings.Contains(w.kept("expenses.json"), `"draft": "`+note)
		})
		w.write("data/expenses.json", theirs)
		w.until(note+" is somewhere", func() bool {
			list, err := filepath.Glob(filepath.Join(w.dir, "data", "expenses.conflict-*.json"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range list {
				if b, err := os.ReadFile(file); err == nil && strings.Contains(string(b), note+", before") {
					return true
				}
			}
			got, _ := w.run("return expenses.items[1].note")
			return strings.Contains(got, note+", before")
		})
	}
}

// Sessions that do not own a file set their versions aside at the same time, and none is lost.
func TestKeepSetAsideAtOnce(t *testing.T) {
	w := newWorld(t, expensesFiles())
	w.display("expenses")
	w.saves("expenses", `"items": []`)
	others := make([]*world, 4)
	for i := range others {
		others[i] = &world{t: t, dir: w.dir, limit: w.limit}
		others[i].start()
		others[i].display("expenses")
		others[i].run(fmt.Sprintf("expenses.draft = 'version %d'", i))
	}
	done := make(chan struct{})
	for _, other := range others {
		go func() { other.engine.Close(); done <- struct{}{} }()
	}
	for range others {
		<-done
	}
	all := ""
	for n := range len(others) {
		all += w.kept(fmt.Sprintf("expenses.unsaved-%d.json", n+1))
	}
	for i := range others {
		if !strings.Contains(all, fmt.Sprintf("version %d", i)) {
			t.Errorf("version %d is lost", i)
		}
	}
}
