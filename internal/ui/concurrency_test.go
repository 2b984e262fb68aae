package ui_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/ui"
	"ui-mcp/internal/ui/lua/async"
)

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
		return w.session.Do(ctx, func(tx *ui.Tx) error {
			if s := string(tx.State()); !strings.HasPrefix(s, "{") {
				return fmt.Errorf("the state is %s", s)
			}
			return nil
		})
	})
	each(func(int) error {
		q := &page{w: w, room: -1}
		defer w.session.Detach(q)
		return w.session.Attach(ctx, q)
	})
	wg.Wait()

	w.settle()
	want := fmt.Sprintf("[%d,%d,%d,%d,true]", rounds, 1+rounds, 2*rounds, rounds)
	w.until("all has come back", func() bool {
		got, _ := w.run(`return { counter.n, #counter.items[1].name, back, reloads, ticks > 0 }`)
		return got == want
	})
	if list := w.problems(); list != nil {
		t.Errorf("problems: %q", list)
	}
}

// answer is the response to every request of a script in these tests.
func answer(context.Context, async.Request) (async.Response, error) {
	return async.Response{Status: 200}, nil
}
