package ui_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"ui-mcp/internal/ui"
)

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
		if got, _ := w.run("return version"); got != fmt.Sprint(i+1) {
			t.Errorf("version %s after edit %d", got, i+1)
		}
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
	w.session.SetBurst(time.Hour) // a busy machine is not slowed down
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
