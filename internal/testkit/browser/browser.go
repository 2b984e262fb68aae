// Package browser drives a real Chromium from Go tests. One browser serves a test binary; each test
// works in a profile of its own, with as many tabs as it needs:
//
//	func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }
//
//	func TestGreeting(t *testing.T) {
//		tab := browser.New(t).Tab()
//		tab.Open(server.URL)
//		tab.Wait(`document.querySelector("h1")`)
//		if got := tab.Text("h1"); got != "Hello" { … }
//	}
//
// Tests wait for conditions in the page, never for time to pass. Any error, of the browser or in
// the page, fails the test: methods do not return errors. So do a page's uncaught exceptions,
// unless the test expects them.
package browser

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// whole reports whether tests must run in the browser that people use: the tests of make load, and
// benchmarks.
func whole() bool {
	bench := flag.Lookup("test.bench")
	return load.Full() || bench != nil && bench.Value.String() != ""
}

// Find returns the path of a Chromium on this machine: of one without windows if possible, unless
// the tests need a whole browser. Its error says how to install one.
func Find() (string, error) {
	names := chromium.Whole
	if !whole() {
		names = slices.Concat(chromium.Shells, names)
	}
	return chromium.Find(names...)
}

// The one browser of a test binary.
var (
	running bool        // Main is
	stop    = func() {} // ends the browser
	shared  = sync.OnceValues(launch)
)

// Main runs the tests of a package and then ends the browser, if one was started. It returns the
// exit code for os.Exit.
func Main(m *testing.M) int {
	// Programs of the tests find only each other: not those of other packages, nor the developer's,
	// whose pages would show their questions.
	dir := fault.Must(os.MkdirTemp("", "run"))
	os.Setenv("XDG_RUNTIME_DIR", dir)
	defer os.RemoveAll(dir)
	running = true
	defer func() { stop() }()
	return m.Run()
}

// launch starts the browser, and returns its context.
func launch() (context.Context, error) {
	if !running {
		return nil, errors.New("a package with browser tests needs `func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }`")
	}
	path, err := Find()
	if err != nil {
		return nil, err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path),
		chromedp.WindowSize(1000, 800),
		// A process in reserve would cost as much as the one in use. And for half a second, frames
		// of other sites that have moved would get no clicks.
		chromedp.Flag("disable-features", "SpareRendererForSitePerProcess,DiscardInputEventsToRecentlyMovedFrames"),
		// Frames from other sites are isolated, which is not the default without windows.
		chromedp.Flag("site-per-process", true),
	}
	for _, flag := range chromium.Flags() {
		if name, value, ok := strings.Cut(flag, "="); ok {
			options = append(options, chromedp.Flag(name, value))
		} else {
			options = append(options, chromedp.Flag(name, true))
		}
	}
	// The browser keeps its profile in a new temporary directory, since none is named, and removes
	// it at the end.
	allocator, free := chromedp.NewExecAllocator(context.Background(), options...)
	drop := func(string, ...any) {} // the driver's own complaints about events of newer browsers
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithBrowserOption(
		chromedp.WithBrowserErrorf(drop), chromedp.WithBrowserLogf(drop), chromedp.WithBrowserDebugf(drop)))
	stop = func() {
		cancel()
		free()
	}
	if err := chromedp.Do(ctx); err != nil { // starts it
		return nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return ctx, nil
}

// A Browser is one test's profile in the shared browser: its tabs share storage, cookies and
// workers with each other, and with no other test.
type Browser struct {
	t       testing.TB
	ctx     context.Context // of the shared browser
	profile cdp.BrowserContextID
}

// New creates a profile for the test, and starts the browser if necessary. The profile ends with
// the test. Without a Chromium the test fails.
func New(t testing.TB) *Browser {
	t.Helper()
	ctx, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	// A browser that has died answers nothing: every call needs a limit.
	limited, cancel := context.WithTimeout(ctx, wait.Patience)
	defer cancel()
	made, err := chromedp.CallBrowser(limited, target.CreateBrowserContext, target.CreateBrowserContextParams{})
	if err != nil {
		t.Fatal("make a browser profile: ", err)
	}
	b := &Browser{t: t, ctx: ctx, profile: made.BrowserContextID}
	t.Cleanup(func() {
		limited, cancel := context.WithTimeout(ctx, wait.Patience)
		defer cancel()
		dispose := target.DisposeBrowserContextParams{BrowserContextID: b.profile}
		if _, err := chromedp.CallBrowser(limited, target.DisposeBrowserContext, dispose); err != nil {
			t.Errorf("end a browser profile: %v", err)
		}
	})
	return b
}
