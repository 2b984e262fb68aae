package ui

import (
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/load"
)

// The last reader of a view definition has its newest content, which stays in the store.
func TestNewestContentWins(t *testing.T) {
	dir := t.TempDir()
	const name = "viewdefs/Item.DEFAULT.html"
	file := filepath.Join(dir, name)
	v := newViews(dir, slog.New(slog.DiscardHandler))
	put := func(text string) { testkit.Write(t, dir, name, "<template><p>"+text+"</p></template>") }
	for range load.Count(600, 3000) { // the first hundred find most mistakes
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

// Work that pauses for longer than it takes can go on for ever.
func TestBusy(t *testing.T) {
	l := later{most: time.Second}
	now := time.Unix(0, 0)
	after := func(pause time.Duration) time.Duration {
		const took = 100 * time.Millisecond
		now = now.Add(pause + took)
		return l.busyLocked(now, took)
	}
	for range 1000 {
		if busy := after(110 * time.Millisecond); busy > 100*time.Millisecond {
			t.Fatalf("it has been busy for %v", busy)
		}
	}
	for range 9 {
		after(0)
	}
	if busy := after(50 * time.Millisecond); busy != 1050*time.Millisecond {
		t.Errorf("it has been busy for %v", busy)
	}
	if busy := after(time.Minute); busy != 100*time.Millisecond {
		t.Errorf("after a minute, it has been busy for %v", busy)
	}
}
