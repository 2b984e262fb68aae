package ui

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
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

func TestPace(t *testing.T) {
	p := pace{share: 0.25, burst: time.Second}
	now := time.Unix(0, 0)
	// Less than the share can go on for ever.
	for range 1000 {
		now = now.Add(100 * time.Millisecond)
		if p.spend(now, 24*time.Millisecond) || p.wait(now) != 0 {
			t.Fatal("work below the share is slowed down")
		}
	}
	// More than that uses up the burst, and then gets the share.
	start := now
	for !p.spend(now, 10*time.Millisecond) {
		now = now.Add(10 * time.Millisecond)
	}
	if took := now.Sub(start); took < time.Second || took > 2*time.Second {
		t.Errorf("the burst ended after %v", took)
	}
	start = now
	var spent time.Duration
	for now.Sub(start) < time.Minute {
		now = now.Add(p.wait(now) + time.Millisecond)
		p.spend(now, time.Millisecond)
		spent += time.Millisecond
	}
	if share := float64(spent) / float64(now.Sub(start)); share < 0.2 || share > 0.3 {
		t.Errorf("its share is %.2f", share)
	}
	if p.calm(now) || !p.calm(now.Add(3*time.Second)) {
		t.Error("calm at the wrong time")
	}
}
