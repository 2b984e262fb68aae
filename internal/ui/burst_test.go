package ui_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/async"
)

// View definitions of a burst come into force with its code, whatever is displayed or uploaded
// while they are read.
func TestBurstIsWhole(t *testing.T) {
	const rounds, more = 5, 200
	versions := t.TempDir()
	version := func(i int) string { return filepath.Join(versions, fmt.Sprint(i)) }
	for i := range rounds {
		put := func(name, content string) { testkit.Write(t, version(i), name, content) }
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

// Everything that can reach a session does so at once: events of the person, code of the agent,
// timers, results of requests, new code, new templates, readers, and pages that connect and leave.
// The race detector checks that the state has one owner; the counts show that nothing was lost.
func TestEverythingAtOnce(t *testing.T) {
	const rounds = 40
	w := newWorld(t, counter)
	w.display("counter")
	p := w.connect()
	add := w.binding("action", "add()")
	w.run(`ticks, back, reloads = 0, 0, 0
		ticker = session:setInterval(function() ticks = ticks + 1 end, 1)`)

	var wg sync.WaitGroup
	each := func(f func(i int) error) {
		wg.Go(func() {
			for i := range rounds {
				if err := f(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	ctx := t.Context()
	each(func(int) error {
		return w.session.Receive(ctx, p, fmt.Appendf(nil, `{"type":"events","ref":1,"events":[[%s]]}`, add))
	})
	each(func(int) error {
		_, err := w.session.Ask(ctx, func(tx *ui.Tx) error {
			_, err := tx.Run(`counter.items[1].name = counter.items[1].name .. "x"
				session:setImmediate(function() back = back + 1 end)
				session:http("http://example.org/", function() back = back + 1 end)`)
			return err
		})
		return err
	})
	each(func(i int) error {
		w.write("apps/counter/app.lua", counter["apps/counter/app.lua"]+fmt.Sprintf("\nreloads = math.max(reloads or 0, %d)\n", i+1))
		return w.engine.CatchUp(ctx, true)
	})
	each(func(i int) error {
		w.write("apps/counter/viewdefs/Item.list-item.html", fmt.Sprintf(`<template><li title="%d" ui-value="name"></li></template>`, i))
		return w.engine.CatchUp(ctx, true)
	})
	each(func(int) error { _, _, err := w.session.Variables(ctx, ""); return err })
	each(func(int) error { _, err := w.session.Inspect(ctx, ui.Inspection{}); return err })
	each(func(int) error {
		s, err := w.session.State(ctx)
		if err == nil && !strings.HasPrefix(string(s), "{") {
			return fmt.Errorf("the state is %s", s)
		}
		return err
	})
	each(func(int) error {
		q := &page{w: w, room: -1}
		defer w.session.Detach(q)
		return w.session.Attach(ctx, q)
	})
	wg.Wait()

	w.settle()
	all := fmt.Sprintf("[%d,%d,%d,%d,true]", rounds, 1+rounds, 2*rounds, rounds)
	w.until("all has come back", func() bool {
		got, _ := w.run(`return { counter.n, #counter.items[1].name, back, reloads, ticks > 0 }`)
		return got == all
	})
	want(t, "problems", w.problems())
}

// answer is the response to every request of a script in these tests.
func answer(context.Context, async.Request) (async.Response, error) {
	return async.Response{Status: 200}, nil
}

// A session that is busy holds up no other: neither new code, nor calls, nor uploads, nor the end
// of the engine. It gets everything when it is free, once.
func TestSessionsAreIndependent(t *testing.T) {
	w := newWorld(t, map[string]string{
		"apps/note/app.lua":          `runs = (runs or 0) + 1 version = 0 if not session.reloading then note = session:create(session:prototype("Note", {}), {}) end`,
		"viewdefs/Note.DEFAULT.html": "<template><p></p></template>",
	})
	ctx := t.Context()
	other, err := w.engine.Open(ctx, "other")
	if err != nil {
		t.Fatal(err)
	}
	w.display("note")
	if err := other.Do(ctx, func(tx *ui.Tx) error { return tx.Display("note") }); err != nil {
		t.Fatal(err)
	}
	free, busy, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- other.Do(context.Background(), func(*ui.Tx) error { close(busy); <-free; return nil })
	}()
	<-busy
	const edits = 5
	for i := range edits {
		w.write("apps/note/app.lua", fmt.Sprintf("runs = runs + 1 version = %d", i+1))
		w.settle()
		w.gives(fmt.Sprint("after edit ", i+1), "return version", fmt.Sprint(i+1))
		w.inspect(ui.Inspection{})
	}
	if _, _, err := w.engine.Upload(ctx, w.session, "Note", "DEFAULT", "<template><b></b></template>"); err != nil {
		t.Error(err)
	}
	close(free)
	if err := <-done; err != nil {
		t.Error(err)
	}
	var got string
	if err := other.Do(ctx, func(tx *ui.Tx) error {
		raw, err := tx.Run("return {runs, version}")
		got = string(raw)
		return err
	}); err != nil || got != fmt.Sprintf("[2,%d]", edits) {
		t.Errorf("the session that was busy: %s %v", got, err)
	}
}

// Values that wait for listeners are bounded in bytes, and the author learns that some are dropped.
func TestWaitingValuesAreBounded(t *testing.T) {
	w := newLimitedWorld(t, map[string]string{"lua/main.lua": `got, done = 0, false`}, time.Minute)
	w.session.SetBurst(time.Hour) // also on a busy machine
	var listen func([]byte)
	if err := w.session.Do(t.Context(), func(tx *ui.Tx) error {
		b := tx.Bridge()
		fn, err := tx.Value("return function(v) got = got + #v end")
		listen = func(v []byte) { b.Listener(fn, func() bool { return true })(v) }
		return err
	}); err != nil {
		t.Fatal(err)
	}
	value := make([]byte, 1<<20)
	for i := range value {
		value[i] = 'x'
	}
	value[0], value[len(value)-1] = '"', '"'
	publish := func(values, arrived int) {
		t.Helper()
		if err := w.session.Do(t.Context(), func(*ui.Tx) error {
			for range values {
				listen(value)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		w.until("the values arrive", func() bool { got, _ := w.run("return got"); return got == fmt.Sprint(arrived*(1<<20-2)) })
	}
	publish(100, 16)
	publish(16, 32) // those before have made room
	if list := w.problems(); len(list) != 1 || list[0] != "calls of listeners were dropped, since those that were waiting had values of 16 MiB: does a listener publish to its own topic, or something more than the session can take?" {
		t.Errorf("problems: %q", list)
	}
}
