//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"ui-mcp/internal/chromium"
)

// A tab is a page in Chromium. Its methods are for one goroutine.
type tab struct {
	x       *site
	session string
	name    string
	browser *chromium.Browser
	page    *chromium.Page // nil without one
}

// open opens the page and waits until it displays the list.
func (t *tab) open(ctx context.Context) error {
	page, err := t.browser.Page(ctx, func(method string, params json.RawMessage) {
		if method == "Runtime.exceptionThrown" {
			t.x.s.wrong("%s: an exception in the page: %.1000s", t.name, params)
		}
	})
	if err != nil {
		return err
	}
	t.page = page
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Runtime.enable", nil},
		{"Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}},
		{"Page.navigate", map[string]any{"url": "http://" + t.x.pageProxy.address() + "/" + t.session + "/"}},
	} {
		if err := page.Call(ctx, c.method, c.params, nil); err != nil {
			return err
		}
	}
	return t.await(ctx, `document.querySelector("#enter")`)
}

// eval evaluates an expression in the page. Its result is true or false.
func (t *tab) eval(ctx context.Context, expression string) (bool, error) {
	var r struct {
		Result           struct{ Value bool }
		ExceptionDetails json.RawMessage
	}
	err := t.page.Call(ctx, "Runtime.evaluate", map[string]any{"expression": "Boolean(" + expression + ")", "returnByValue": true}, &r)
	if err == nil && r.ExceptionDetails != nil {
		err = fmt.Errorf("%s: %.300s", expression, r.ExceptionDetails)
	}
	return r.Result.Value, err
}

// await waits until an expression is true.
func (t *tab) await(ctx context.Context, expression string) error {
	for {
		if ok, err := t.eval(ctx, expression); ok || err != nil {
			return err
		}
		if !sleep(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
}

// act appends one text after another by typing it. A text counts as acknowledged when the page
// displays it.
func (t *tab) act(ctx context.Context) {
	r := stream(t.x.s.seed, t.name)
	l := t.x.ledgers[t.session]
	for n := 1; sleep(ctx, pause(r, 4*pace)); n++ {
		text := fmt.Sprintf("%s/%s:%d", t.session, t.name, n)
		_ = t.x.do(ctx, func(call context.Context) { // fails when the soak ends
			if t.page == nil {
				if err := t.open(call); err != nil {
					t.x.s.note("away", "%s: %v", t.name, err)
					t.drop()
					return
				}
			}
			l.try(text)
			if err := t.enter(call, text); err != nil {
				l.unanswered()
				t.x.s.note("unknown", "%s: %v", text, err)
				t.drop()
				return
			}
			l.wrote(text, 0, time.Now())
		})
	}
}

// enter types a text into the field, and waits until the list has it.
func (t *tab) enter(ctx context.Context, text string) error {
	_, err := t.eval(ctx, `(() => { const e = document.querySelector("#enter"); window.before = e.value; e.focus(); e.select(); return true; })()`)
	if err == nil {
		err = t.page.Call(ctx, "Input.insertText", map[string]any{"text": text}, nil)
	}
	if err != nil {
		return err
	}
	// What was selected is replaced, whatever has happened meanwhile; or a question that has
	// appeared gets what is typed.
	whole, err := t.eval(ctx, fmt.Sprintf(`[%q, window.before, ""].includes(document.querySelector("#enter").value)`, text))
	if err == nil && !whole {
		t.x.s.wrong("%s: typing %s did not replace what was selected", t.name, text)
	}
	if err == nil {
		// Where a question got what was typed, a script changes the field; or it takes the focus
		// from the field, which has sent the text then.
		_, err = t.eval(ctx, fmt.Sprintf(`(() => { const e = document.querySelector("#enter");
			if (e.value === %q) return e.blur();
			e.value = %[1]q;
			e.dispatchEvent(new Event("change", { bubbles: true })); })()`, text))
	}
	if err == nil {
		err = t.await(ctx, fmt.Sprintf(`Array.from(document.querySelectorAll("li"), (e) => e.textContent).includes(%q)`, text))
	}
	return err
}

// drop closes the page. The next attempt opens another one.
func (t *tab) drop() {
	if t.page != nil {
		t.page.Close()
		t.page = nil
	}
}

// settleTabs waits until the tabs display what their sessions have, and closes them.
func (w *world) settleTabs(ctx context.Context, x *site) {
	ctx, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	for _, t := range w.tabs {
		want, err := lookAt(ctx, x.agent(x.mcp), t.session)
		if err == nil {
			err = t.settled(ctx, want)
		}
		if err != nil && ctx.Err() == nil { // the browser has been killed meanwhile
			t.drop()
			err = t.settled(ctx, want)
		}
		if err != nil {
			w.s.wrong("%s does not display the %d entries of session %s: %v", t.name, want.Count, t.session, err)
		}
		t.drop()
	}
}

// settled waits until the page displays the entries of its session by the view definition that was
// saved last.
func (t *tab) settled(ctx context.Context, want look) error {
	if t.page == nil {
		if err := t.open(ctx); err != nil {
			return err
		}
	}
	texts := []string{}
	for _, e := range want.Last {
		texts = append(texts, e.Text)
	}
	rows, err := json.Marshal(texts)
	if err != nil {
		return err
	}
	return t.await(ctx, fmt.Sprintf(`document.querySelector("[data-version='%d']") && document.querySelector("#count").textContent === "%d" &&
		JSON.stringify(Array.from(document.querySelectorAll("[data-version] li"), (e) => e.textContent)) === %q`, t.x.markup, want.Count, rows))
}

// browsers lists the browsers that this process has started.
func browsers() (list []int) {
	for _, child := range childrenOf(os.Getpid()) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child)) // it may have ended
		if strings.Contains(string(command), "--user-data-dir") {
			list = append(list, child)
		}
	}
	return list
}
