package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/safetext"
	"ui-mcp/internal/testkit/wait"
)

// A Tab is one page of a test. Its methods are for the test's goroutine.
type Tab struct {
	t      testing.TB
	ctx    context.Context
	cancel context.CancelFunc
	last   chan struct{} // capacity 1; a token means that the console's last message has arrived

	without page.ScriptIdentifier // of the script that leaves pages without WebGL

	outer   *Tab   // the page of a frame; nil for a page
	element string // the expression for the frame's element there
	inner   bool   // the frame shares its page's target

	*messages
}

// messages are what a target has written to the console, and what the test expects of it.
type messages struct {
	mu         sync.Mutex // guards the fields below
	console    []string   // errors that the page wrote to the console
	exceptions []string   // exceptions that nothing caught
	expected   []string   // parts of exceptions that the test expects
}

// Tab opens an empty tab, which closes with the test. Exceptions that the test did not expect, see
// [Tab.ExpectException], then fail the test.
func (b *Browser) Tab() *Tab {
	b.t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithExistingBrowserContext(b.profile))
	tab := &Tab{t: b.t, ctx: ctx, cancel: cancel, last: make(chan struct{}, 1), messages: &messages{}}
	tab.watch()
	// Every page has the focus, as if no other tab existed. The first call opens the tab, which its
	// context ends.
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		b.t.Fatal("open a tab: ", err)
	}
	if !whole() {
		tab.without = call(tab, "leave pages without WebGL", page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: withoutGraphics}).Identifier
	}
	return tab
}

// withoutGraphics leaves a page without WebGL: without a graphics card, its pictures take several
// times as long as others.
const withoutGraphics = `{
	const context = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (type, ...rest) { return /^webgl/.test(type) ? null : context.call(this, type, ...rest) };
}`

// Graphics gives the pages that the tab opens from now on what the browser has of WebGL.
func (tab *Tab) Graphics() {
	if tab.without != "" {
		call(tab, "give pages WebGL", page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: tab.without})
	}
}

// watch records what is written to the console, and checks it at the end of the test.
func (tab *Tab) watch() {
	console := chromedp.Console(tab.ctx)
	reading := make(chan struct{})
	go func() {
		defer close(reading)
		for m, err := range console {
			if err != nil {
				return
			}
			tab.note(m)
		}
	}()
	tab.t.Cleanup(func() {
		tab.flush(reading)
		tab.cancel()
		<-reading
		tab.check()
	})
}

// Close closes the tab before the test ends.
func (tab *Tab) Close() { tab.cancel() }

// Open loads a page and waits until it has loaded.
func (tab *Tab) Open(url string) {
	tab.do("open "+url, chromedp.Navigate(url))
}

// Reload loads the page again.
func (tab *Tab) Reload() {
	tab.do("reload", chromedp.Reload())
}

// Wait waits until the JavaScript expression is true in the page. It evaluates it whenever the
// document changes and every 10 ms, and continues across loads of the page. It makes the browser
// draw nothing: frames for their own sake take the processor from those that a test waits for. An
// expression that throws counts as false. Wait fails the test at once when the page has failed
// already, with an exception that the test does not expect.
func (tab *Tab) Wait(expression string) {
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](tab.scoped(waiter(expression)), chromedp.EvalAwaitPromise))
		switch {
		case err == nil && ok:
			return
		case ctx.Err() != nil:
			tab.fail("wait for "+expression, ctx.Err())
		case err != nil && !interrupted(err):
			tab.fail("wait for "+expression, err)
		}
		if list := tab.unexpected(); len(list) > 0 {
			tab.fail("wait for "+expression, errors.New("the page has failed"))
		}
	}
}

// waiter is a promise that the expression becomes true. It resolves to false after a second, so
// that Wait notices when another page was loaded or the page has failed.
func waiter(expression string) string {
	return `new Promise((resolve) => {
	const holds = () => { try { return Boolean(` + expression + `); } catch { return false; } };
	if (holds()) return resolve(true);
	const done = (ok) => { observer.disconnect(); clearInterval(poll); clearTimeout(end); resolve(ok); };
	const look = () => { if (holds()) done(true); };
	const observer = new MutationObserver(look);
	observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	const poll = setInterval(look, 10); // for state outside the document
	const end = setTimeout(() => done(false), 1000);
})`
}

// interrupted reports whether an evaluation ended because another page was loaded.
func interrupted(err error) bool {
	parts := []string{"context was destroyed", "Cannot find context", "navigated or closed", "Promise was collected"}
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(err.Error(), part) })
}

// Eval evaluates a JavaScript expression and awaits a promise. The result is transferred as JSON:
// use Eval[any] to ignore it.
func Eval[T any](tab *Tab, expression string) T {
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](tab.scoped(expression), chromedp.EvalAwaitPromise))
	if err != nil {
		tab.fail("evaluate "+expression, err)
	}
	return v
}

// Run runs JavaScript statements.
func (tab *Tab) Run(statements string) {
	Eval[any](tab, "(() => {"+statements+"\n})()")
}

// Texts returns the text contents of all elements that match the CSS selector now.
func (tab *Tab) Texts(selector string) []string {
	return Eval[[]string](tab, "Array.from(document.querySelectorAll("+quote(selector)+"), (e) => e.textContent)")
}

// WaitText waits until the text content of an element is exactly text.
func (tab *Tab) WaitText(selector, text string) {
	tab.Wait(find(selector) + ".textContent === " + quote(text))
}

// Click clicks in the middle of an element with the mouse, once it is visible.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	if tab.inner {
		tab.ClickOn(find(selector))
		return
	}
	tab.do("click "+selector, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// Type clicks on an element and presses the keys of text, one after another. Constants such as
// [Enter] and [Backspace] can be parts of the text.
func (tab *Tab) Type(selector, text string) {
	tab.t.Helper()
	tab.Click(selector)
	if tab.inner { // another process may have the keys a moment longer
		tab.Wait(`document.hasFocus()`)
	}
	tab.Press(text)
}

// Press presses keys one after another, in the element that has the focus.
func (tab *Tab) Press(keys string, modifiers ...Modifier) {
	var held int64
	for _, m := range modifiers {
		held |= int64(m)
	}
	for _, r := range keys {
		for _, event := range strokes(r, held) {
			call(tab.window(), "press "+quote(keys), input.DispatchKeyEvent, event)
		}
	}
}

// Screenshot writes a picture of the visible part of the page: a WebP file if the path ends in
// ".webp", which is a third as large, and otherwise a PNG file.
func (tab *Tab) Screenshot(path string) {
	tab.t.Helper()
	params := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatPng}
	if strings.HasSuffix(path, ".webp") {
		params = page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatWebp, Quality: new(int64(80))}
	}
	shot := call(tab, "screenshot", page.CaptureScreenshot, params)
	if err := os.WriteFile(path, shot.Data, 0o644); err != nil {
		tab.t.Fatal(err)
	}
}

// ManifestErrors returns what the browser finds wrong with the manifest that makes the page
// installable. It fails the test if the page has none.
func (tab *Tab) ManifestErrors() []string {
	tab.t.Helper()
	got := call(tab, "read the manifest", page.GetAppManifest, page.GetAppManifestParams{})
	if got.Data == "" {
		tab.t.Fatal("the page has no manifest that the browser can read")
	}
	var list []string
	for _, e := range got.Errors {
		list = append(list, e.Message)
	}
	return list
}

// ConsoleErrors returns the errors that the page has written to the console.
func (tab *Tab) ConsoleErrors() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return slices.Clone(tab.console)
}

// ExpectException allows uncaught exceptions whose text contains part, and requires at least one by
// the end of the test.
func (tab *Tab) ExpectException(part string) {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	tab.expected = append(tab.expected, part)
}

// lastMessage marks the end of what a page has written to the console.
const lastMessage = "browser: that is all"

// flush waits until the console messages so far are recorded, or cannot arrive any more because the
// tab is closed.
func (tab *Tab) flush(closed <-chan struct{}) {
	ctx, cancel := context.WithTimeout(tab.ctx, 20*time.Second)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[any]("console.debug("+quote(lastMessage)+")")); err != nil {
		return
	}
	select {
	case <-tab.last:
	case <-closed:
	case <-ctx.Done():
	}
}

func (tab *Tab) note(m chromedp.ConsoleMessage) {
	if m.Text == lastMessage {
		select {
		case tab.last <- struct{}{}:
		default:
		}
		return
	}
	tab.mu.Lock()
	defer tab.mu.Unlock()
	switch {
	case m.IsException():
		tab.exceptions = append(tab.exceptions, fmt.Sprintf("%s (%s:%d)", m.Text, m.URL, m.Line+1))
	case m.Type == chromedp.ConsoleError:
		tab.console = append(tab.console, m.Text)
	}
}

// unexpected returns the uncaught exceptions so far that the test does not expect.
func (tab *Tab) unexpected() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(tab.exceptions), func(text string) bool {
		return slices.ContainsFunc(tab.expected, func(part string) bool { return strings.Contains(text, part) })
	})
}

// check fails the test for unexpected exceptions, and for expected ones that did not occur.
func (tab *Tab) check() {
	for _, text := range tab.unexpected() {
		tab.t.Errorf("uncaught exception in the page: %s", text)
	}
	tab.mu.Lock()
	defer tab.mu.Unlock()
	for _, part := range tab.expected {
		if !slices.ContainsFunc(tab.exceptions, func(text string) bool { return strings.Contains(text, part) }) {
			tab.t.Errorf("no uncaught exception in the page contains %q", part)
		}
	}
}

// call carries out a command of the browser's protocol in the page.
func call[P, R any](tab *Tab, what string, command cdp.Command[P, R], params P) R {
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	result, err := chromedp.Call(ctx, command, params)
	if err != nil {
		tab.fail(what, err)
	}
	return result
}

func (tab *Tab) do(what string, step chromedp.Action[chromedp.Void]) {
	ctx, cancel := context.WithTimeout(tab.ctx, wait.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, step); err != nil {
		tab.fail(what, err)
	}
}

// fail ends the test, and reports the lines of tests that led here and the state of the page.
func (tab *Tab) fail(what string, err error) {
	var lines strings.Builder
	callers := make([]uintptr, 100)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for f, more := frames.Next(); more; f, more = frames.Next() {
		if strings.HasSuffix(f.File, "_test.go") {
			fmt.Fprintf(&lines, " at %s:%d", filepath.Base(f.File), f.Line)
		}
	}
	tab.t.Fatalf("%s: %v%s\n%s", what, err, &lines, tab.dump())
}

// state is a page as a failed test shows it: without styles and scripts, which hide the rest, with
// shadow roots, and what decides whether the browser draws the page.
const state = `(() => {
	const text = (node) => {
		if (node.nodeType === Node.TEXT_NODE) return node.data;
		if (!node.childNodes.length && !node.attributes || /^(style|script|meta|link|title)$/.test(node.localName)) return "";
		const inner = [...node.shadowRoot ? ["#shadow: ", node.shadowRoot] : [], ...node.childNodes].map((n) => n.nodeType ? text(n) : n).join("");
		if (!node.attributes) return inner;
		return "<" + [node.localName, ...[...node.attributes].map((a) => a.name + "=" + JSON.stringify(a.value))].join(" ") + ">" + inner + "</>";
	};
	return location.href + "\n" + document.visibilityState + (document.hasFocus() ? ", has the focus" : ", without the focus") +
		", " + innerWidth + "x" + innerHeight + "\n" + text(document.documentElement);
})()`

func (tab *Tab) dump() string {
	ctx, cancel := context.WithTimeout(tab.ctx, 20*time.Second)
	defer cancel()
	page, err := chromedp.Run(ctx, chromedp.Evaluate[string](tab.scoped(state)))
	if err != nil {
		page = "the page does not answer: " + err.Error()
	}
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return fmt.Sprintf("page: %s\nconsole errors: %q\nuncaught exceptions: %q",
		safetext.Clip(page, 4000), tab.console, tab.exceptions)
}

// find is the JavaScript expression for the first element of a selector.
func find(selector string) string { return "document.querySelector(" + quote(selector) + ")" }

// quote returns s as a JavaScript string literal.
func quote(s string) string { return string(fault.Must(json.Marshal(s))) }
