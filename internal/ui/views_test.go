package ui

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// The last reader of a view definition has its newest content, which stays in the store.
func TestNewestContentWins(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "viewdefs")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "Item.DEFAULT.html")
	v := newViews(dir, slog.New(slog.DiscardHandler))
	put := func(text string) {
		t.Helper()
		if err := os.WriteFile(file+".new", []byte("<template><p>"+text+"</p></template>"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+".new", file); err != nil {
			t.Fatal(err)
		}
	}
	for range 3000 {
		put("old")
		var readers sync.WaitGroup
		readers.Go(func() { v.update(func() { v.read(file) }, func() {}) })
		put("new")
		readers.Go(func() { v.update(func() { v.read(file) }, func() {}) })
		readers.Wait()
		if tmpl := v.snapshot().Lookup("Item", "", "DEFAULT", ""); tmpl == nil || !strings.Contains(string(tmpl.Def), "new") {
			t.Fatalf("the store has %+v", tmpl)
		}
	}
}
