package ui_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/ui"
)

// What a page does for an act that was given up has no effect, though the page wakes up later. The
// next act goes to a page that answers.
func TestActThatIsGivenUp(t *testing.T) {
	w := &world{t: t, dir: t.TempDir(), limit: patience, actTimeout: 50 * time.Millisecond}
	w.write("viewdefs/MCP.DEFAULT.html", shell)
	for name, content := range actFiles {
		w.write(name, content)
	}
	w.start()
	w.display("a")
	other, asleep := w.connect(), w.connect()
	other.take()
	asleep.take()
	remove, binding := w.ref("Remove", 0), w.binding("action", "remove()")
	acts := func(p *page) string {
		w.act(remove, click)
		if p.takeTypes() == "act" {
			return "asked"
		}
		return "not asked"
	}
	want := func(p *page, want, when string) {
		t.Helper()
		if got := acts(p); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}

	if text, err := w.act(remove, click); fault.KindOf(err) != fault.Precondition || !strings.HasPrefix(err.Error(), "it was not done: ") {
		t.Errorf("an act on a page that sleeps: %q, %v", text, err)
	}
	if got := asleep.takeTypes(); got != "act" {
		t.Errorf("the page that came last got %q", got)
	}
	asleep.send(`{"type":"events","ref":1,"act":1,"events":[[%s]]}`, binding)
	asleep.send(`{"type":"acted","id":1}`)
	if rows, _ := w.run("return #a.rows"); rows != "2" {
		t.Errorf("the act was done when the page woke up: there are %s rows", rows)
	}
	if m := asleep.take(); len(m) != 1 || m[0].Type != "ack" || len(m[0].Stale) > 0 || m[0].Error != "" {
		t.Errorf("the page got %+v", m)
	}
	want(asleep, "asked", "a page that has woken up")
	want(other, "asked", "after a page that does not answer")
	other.send(`{"type":"visible","on":true}`)
	asleep.send(`{"type":"visible","on":false}`)
	want(other, "asked", "beside a page that nobody sees")
	other.send(`{"type":"visible","on":false}`)
	want(asleep, "asked", "of two that nobody sees, the one that was used last")
	asleep.send(`{"type":"events","ref":2,"act":5,"events":[[%s]]}`, binding) // another page was asked
	other.send(`{"type":"events","ref":1,"events":[[%s]]}`, binding)
	if rows, _ := w.run("return #a.rows"); rows != "1" {
		t.Errorf("after a click of the person there are %s rows", rows)
	}
}

// A call that is cancelled ends at the next instruction of the app's code, and says so; what the
// person does runs on.
func TestCancelledCalls(t *testing.T) {
	w := newWorld(t, actFiles)
	w.display("a")
	for _, c := range []struct{ what, code, want string }{
		{"an endless loop", "a.text = 'begun' mcp.leave() while true do end", "stopped, because the call was cancelled; what it had done before stays"},
		{"errors that are caught", "a.text = 'begun' mcp.leave() while true do pcall(function() while true do end end) end", "stopped, because the call was cancelled"},
		{"an effect that comes later", "a.text = 'begun' mcp.leave() for i = 1, 100 do end a.text = 'done'", "stopped, because the call was cancelled"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		w.leave = cancel
		err := w.session.Do(ctx, func(tx *ui.Tx) error {
			_, err := tx.Run(c.code)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
		if text, _ := w.run("return a.text"); text != `"begun"` {
			t.Errorf("%s: the text is %s", c.what, text)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.session.Do(ctx, func(*ui.Tx) error { t.Error("it ran"); return nil }); !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "nothing was done: ") {
		t.Errorf("a call that was cancelled before: %v", err)
	}
	// The page leaves while a method of the app runs that the person has called.
	w.run("function A:select() mcp.leave() for i = 1, 100 do end self.text = 'done' end")
	p := w.connect()
	ctx, w.leave = context.WithCancel(t.Context())
	if err := w.session.Receive(ctx, p, []byte(`{"type":"events","ref":1,"events":[[`+w.binding("action", "select()")+`]]}`)); err != nil {
		t.Error(err)
	}
	// And an agent, whose act the method belongs to.
	if text, _ := w.run("local t = a.text a.text = '' return t"); text != `"done"` {
		t.Errorf("what a person does: the text is %s", text)
	}
	w.session.Detach(p)
	ctx, w.leave = context.WithCancel(t.Context())
	if _, err := w.session.Act(ctx, w.ref("Other", 0), click); err == nil {
		t.Error("an act that was cancelled")
	}
	if text, _ := w.run("return a.text"); text != `""` {
		t.Errorf("a cancelled act: the text is %s", text)
	}
}
