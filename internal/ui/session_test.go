package ui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// counter is an app with a number and a list.
var counter = map[string]string{
	"apps/counter/app.lua": `
Counter = session:prototype("Counter", { n = 0, items = EMPTY })
Item = session:prototype("Item", { name = "" })
function Counter:add() self.n = self.n + 1 end
function Counter:fail() error("no more") end
function Counter:hang() while true do end end
function Counter:bug() mcp.panic() end
function Counter:label() return "n is " .. self.n end
if not session.reloading then
  counter = Counter:new({ items = { Item:new({ name = "a" }), Item:new({ name = "b" }) } })
end
`,
	"apps/counter/viewdefs/Counter.DEFAULT.html": `<template><div>
  <p ui-value="label()"></p>
  <input ui-value="n">
  <button ui-action="add()">Add</button>
  <button ui-action="fail()">Fail</button>
  <button ui-action="hang()">Hang</button>
  <button ui-action="bug()">Bug</button>
  <ul ui-viewlist="items"><li></li></ul>
</div></template>`,
	"apps/counter/viewdefs/Item.list-item.html": `<template><li ui-value="name"></li></template>`,
}

// ops are the operations of a batch by name, with their last argument.
func ops(m message) []string {
	var out []string
	for _, op := range m.Ops {
		out = append(out, strings.Trim(string(op[0]), `"`)+" "+string(op[len(op)-1]))
	}
	return out
}

func TestConnection(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	a := w.connect()
	first := a.take()
	if len(first) != 1 || first[0].Type != "snapshot" || first[0].Session != "1" || first[0].Epoch == "" || first[0].Problems != nil {
		t.Fatalf("a page begins with %+v", first)
	}
	var keys []string
	for _, d := range first[0].Defs {
		keys = append(keys, d.Key)
	}
	if want := []string{"MCP.DEFAULT", "Counter.DEFAULT", "Item.list-item"}; !cmp.Equal(keys, want) {
		t.Errorf("definitions %q, want %q", keys, want)
	}
	for _, part := range []string{`"n is 0"`, `"a"`, `"b"`} {
		if !strings.Contains(string(first[0].Root), part) {
			t.Errorf("there is no %s in %s", part, first[0].Root)
		}
	}

	// One transaction is one batch, for every page, with the next number.
	b := w.connect()
	if seq := b.take()[0].Seq; seq != first[0].Seq {
		t.Errorf("nothing has changed, but the number went from %d to %d", first[0].Seq, seq)
	}
	w.run(`counter.n = 1; counter.n = 2; counter.items[1].name = "A"`)
	for _, p := range []*page{a, b} {
		got := p.take()
		if len(got) != 1 || got[0].Type != "batch" || got[0].Seq != first[0].Seq+1 {
			t.Fatalf("one transaction = %+v", got)
		}
		want := []string{`set "n is 2"`, "set 2", `set "A"`}
		if have := ops(got[0]); !sameSet(have, want) {
			t.Errorf("operations %q, want %q", have, want)
		}
	}
	w.run("return counter.n")
	if got := a.take(); got != nil {
		t.Errorf("nothing has changed, but there came %+v", got)
	}

	// A page that asks gets a snapshot again, others do not.
	w.run("counter.n = 3")
	a.take()
	b.take()
	a.send(`{"type":"resync"}`)
	if got := a.take(); len(got) != 1 || got[0].Type != "snapshot" || got[0].Seq != first[0].Seq+2 || !strings.Contains(string(got[0].Root), `"n is 3"`) {
		t.Errorf("after a resync = %+v", got)
	}
	if got := b.take(); got != nil {
		t.Errorf("the other page got %+v", got)
	}

	// A detached client receives nothing more.
	if n := w.engine.Clients(); n != 2 {
		t.Errorf("%d pages", n)
	}
	w.session.Detach(a)
	w.session.Detach(a)
	w.run("counter.n = 4")
	if got := a.take(); got != nil {
		t.Errorf("a detached page got %+v", got)
	}
	if n := w.engine.Clients(); n != 1 {
		t.Errorf("%d pages after one has left", n)
	}
	w.engine.Close()
	if n := w.engine.Clients(); n != 0 {
		t.Errorf("%d pages after the end", n)
	}
}

func sameSet(a, b []string) bool {
	return cmp.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

func TestEpochIsOfOneLife(t *testing.T) {
	w := newWorld(t, counter)
	before := w.connect().take()[0].Epoch
	if again := w.connect().take()[0].Epoch; again != before {
		t.Errorf("two pages of one life have the epochs %s and %s", before, again)
	}
	w.engine.Close()
	w.start()
	if after := w.connect().take()[0].Epoch; after == before {
		t.Errorf("another life has the same epoch %s", after)
	}
}

func TestEvents(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	a, b := w.connect(), w.connect()
	a.take()
	b.take()
	a.send(`{"type":"events","ref":1,"events":[[%s],[%[1]s]]}`, w.binding("action", "add()"))
	if got := a.take(); len(got) != 2 || got[0].Type != "batch" || got[1].Type != "ack" || got[1].Ref != 1 || got[1].Error != "" {
		t.Errorf("the page that acted got %+v", got)
	}
	if got := b.take(); len(got) != 1 || !slices.Contains(ops(got[0]), `set "n is 2"`) {
		t.Errorf("the other page got %+v", got)
	}
	// The value of an edit is confirmed even if it changes nothing.
	a.send(`{"type":"events","ref":2,"events":[[%s,2]]}`, w.binding("value", "n"))
	if got := a.take(); len(got) != 2 || !cmp.Equal(ops(got[0]), []string{"set 2"}) {
		t.Errorf("an edit to the same value = %+v", got)
	}
	// A page cannot know that an instance is gone, so an event for it is not an error.
	a.send(`{"type":"events","ref":3,"events":[[99999,0]]}`)
	if got := a.take(); len(got) != 1 || got[0].Ref != 3 || got[0].Error != "" {
		t.Errorf("an event of what is gone = %+v", got)
	}
	if err := w.session.Receive(t.Context(), a, []byte(`{"type":"dance"}`)); fault.KindOf(err) != fault.Invalid {
		t.Errorf("no message = %v", err)
	}
}

func TestSlowPageIsDropped(t *testing.T) {
	w := newWorld(t, counter)
	w.display("counter")
	slow, quick := w.connect(), w.connect()
	quick.take()
	slow.mu.Lock()
	slow.room = 1
	slow.mu.Unlock()
	for i := range 3 {
		w.run(fmt.Sprintf("counter.n = %d", i+10))
	}
	if got := quick.takeTypes(); got != "batch batch batch" {
		t.Errorf("the quick page got %s", got)
	}
	if n := w.engine.Clients(); n != 1 {
		t.Errorf("%d pages", n)
	}
	// It connects again, and gets a snapshot.
	slow.mu.Lock()
	slow.room = -1
	slow.mu.Unlock()
	slow.take()
	if err := w.session.Attach(t.Context(), slow); err != nil {
		t.Fatal(err)
	}
	if got := slow.take(); len(got) != 1 || !strings.Contains(string(got[0].Root), `"n is 12"`) {
		t.Errorf("back again it got %+v", got)
	}
}

// Whatever an app does, its session survives.
func TestSessionGoesOn(t *testing.T) {
	w := newLimitedWorld(t, counter, time.Second)
	w.display("counter")
	p := w.connect()
	p.take()

	run := func(code string) error {
		return w.session.Do(t.Context(), func(tx *ui.Tx) error { _, err := tx.Run(code); return err })
	}
	if err := run(`counter.n = 5; error("not like this")`); fault.KindOf(err) != fault.Script || !strings.Contains(err.Error(), "ui_run:1: not like this") {
		t.Errorf("an error = %v", err)
	}
	if got := p.take(); len(got) != 1 || !slices.Contains(ops(got[0]), `set "n is 5"`) {
		t.Errorf("what changed before the error: %+v", got)
	}
	if err := run(`while true do end`); fault.KindOf(err) != fault.Script || !strings.Contains(err.Error(), "too long") {
		t.Errorf("an endless chunk = %v", err)
	}
	if err := w.session.Do(t.Context(), func(*ui.Tx) error { panic("a mistake in this program") }); fault.KindOf(err) != fault.Internal {
		t.Errorf("a panic = %v", err)
	}
	for _, action := range []string{"fail()", "hang()", "bug()"} {
		p.send(`{"type":"events","ref":1,"events":[[%s]]}`, w.binding("action", action))
	}
	w.gives("afterwards", "return counter.n", "5")
	p.take()
	w.run("counter.n = 6")
	if got := p.takeTypes(); got != "batch" {
		t.Errorf("afterwards the page gets %s", got)
	}
}

func TestDo(t *testing.T) {
	w := newWorld(t, counter)
	t.Run("a transaction that nobody waits for any more", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := w.session.Do(ctx, func(*ui.Tx) error { t.Error("it ran"); return nil }); !errors.Is(err, context.Canceled) {
			t.Errorf("Do = %v", err)
		}
	})
	t.Run("a busy session", func(t *testing.T) {
		begun, release := make(chan struct{}), make(chan struct{})
		ended := make(chan error, 1)
		go func() {
			ended <- w.session.Do(context.Background(), func(*ui.Tx) error { close(begun); <-release; return nil })
		}()
		<-begun
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := w.session.Do(ctx, func(*ui.Tx) error { return nil }); fault.KindOf(err) != fault.Timeout {
			t.Errorf("Do = %v", err)
		}
		close(release)
		if err := <-ended; err != nil {
			t.Errorf("the one before = %v", err)
		}
	})
	t.Run("a session that has ended", func(t *testing.T) {
		w.engine.Close()
		if err := w.session.Do(t.Context(), func(*ui.Tx) error { return nil }); fault.KindOf(err) != fault.Gone {
			t.Errorf("Do = %v", err)
		}
		if _, err := w.session.Ask(t.Context(), func(*ui.Tx) error { return nil }); fault.KindOf(err) != fault.Gone {
			t.Errorf("Ask = %v", err)
		}
		if _, err := w.session.Problems(t.Context()); fault.KindOf(err) != fault.Gone {
			t.Errorf("Problems = %v", err)
		}
		if _, err := w.session.Inspect(t.Context(), ui.Inspection{}); fault.KindOf(err) != fault.Gone {
			t.Errorf("Inspect = %v", err)
		}
		if _, _, err := w.session.Variables(t.Context(), ""); fault.KindOf(err) != fault.Gone {
			t.Errorf("Variables = %v", err)
		}
	})
}
