package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"ui-mcp/internal/ui"
)

// View definitions of a burst come into force with its code, whatever is displayed or uploaded
// while they are read.
func TestBurstIsWhole(t *testing.T) {
	const rounds, more = 5, 200
	versions := t.TempDir()
	version := func(i int) string { return filepath.Join(versions, fmt.Sprint(i)) }
	for i := range rounds {
		if err := os.MkdirAll(filepath.Join(version(i), "viewdefs"), 0o755); err != nil {
			t.Fatal(err)
		}
		put := func(name, content string) {
			t.Helper()
			if err := os.WriteFile(filepath.Join(version(i), name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		put("app.lua", fmt.Sprintf(`B = session:prototype("B", {})
B["new%d"] = nil
function B:new%d() return "" end
if not session.reloading then b = B:new() end`, i-1, i))
		put("viewdefs/B.DEFAULT.html", fmt.Sprintf(`<template><p ui-value="new%d()"></p></template>`, i))
		for n := range more { // reading them takes a while
			put(fmt.Sprintf("viewdefs/Z%d.DEFAULT.html", n), fmt.Sprintf("<template><p>%d</p></template>", i))
		}
	}
	for name, use := range map[string]func(w *world) error{
		"display": func(w *world) error {
			return w.session.Do(w.t.Context(), func(tx *ui.Tx) error { return tx.Display("b") })
		},
		"upload": func(w *world) error {
			_, list, err := w.engine.Upload(w.t.Context(), w.session, "Other", "DEFAULT", "<template><p></p></template>")
			want(w.t, "reported with an upload", texts(list))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"apps/other/app.lua": ""})
			app := filepath.Join(w.dir, "apps", "b")
			change := func(i int) { // of one link, and so in one burst
				if err := os.Symlink(version(i), app+".new"); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(app+".new", app); err != nil {
					t.Fatal(err)
				}
				w.settle()
			}
			change(0)
			want(t, "displayed", w.display("b"))
			over := make(chan struct{})
			var user sync.WaitGroup
			user.Go(func() {
				for {
					select {
					case <-over:
						return
					default:
						if err := use(w); err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
			for i := 1; i < rounds; i++ {
				change(i)
			}
			close(over)
			user.Wait()
			want(t, "announced", w.announced())
			want(t, "at the end", w.problems())
		})
	}
}
