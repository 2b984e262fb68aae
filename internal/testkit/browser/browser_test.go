package browser_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/wait"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// page serves one HTML body at every path.
func page(t *testing.T, body string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>page</title><link rel=icon href=data:,>%s", body)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func TestWaitAcrossLoads(t *testing.T) {
	tab := browser.New(t).Tab()
	tab.Open(page(t, `<script>
		const n = Number(sessionStorage.n ?? 0) + 1;
		sessionStorage.n = n;
		if (n < 3) requestAnimationFrame(() => location.reload());
	</script>`))
	tab.Wait(`sessionStorage.n === "3"`)
}

func TestProfiles(t *testing.T) {
	url := page(t, `<script>localStorage.n = Number(localStorage.n ?? 0) + 1</script>`)
	b := browser.New(t)
	for _, want := range []string{"1", "2"} {
		tab := b.Tab()
		tab.Open(url)
		if got := browser.Eval[string](tab, "localStorage.n"); got != want {
			t.Errorf("in a tab of the same profile n = %s, want %s", got, want)
		}
	}
	tab := browser.New(t).Tab()
	tab.Open(url)
	if got := browser.Eval[string](tab, "localStorage.n"); got != "1" {
		t.Errorf("in another profile n = %s, want 1", got)
	}
}

// Both tabs have the focus as far as their pages know.
func TestFocus(t *testing.T) {
	b := browser.New(t)
	one, two := b.Tab(), b.Tab()
	for _, tab := range []*browser.Tab{one, two} {
		tab.Open(page(t, `<input id=in onfocus="this.dataset.focused = 1">`))
	}
	for _, tab := range []*browser.Tab{one, two} {
		tab.Click("#in")
		tab.Wait(`document.hasFocus() && document.querySelector("#in").dataset.focused === "1"`)
	}
}

func TestHide(t *testing.T) {
	t.Parallel()
	tab := browser.New(t).Tab()
	tab.Open(page(t, "page"))
	for _, hidden := range []bool{true, false} {
		tab.Hide(hidden)
		wait.Until(t, "the page is hidden, or visible again", func() bool { return browser.Eval[bool](tab, `document.hidden`) == hidden })
	}
}

func TestScreenshot(t *testing.T) {
	tab := browser.New(t).Tab()
	tab.Open(page(t, `<h1>Hello</h1>`))
	for name, begin := range map[string]string{"page.png": "\x89PNG", "page.webp": "RIFF"} {
		path := filepath.Join(t.TempDir(), name)
		tab.Screenshot(path)
		picture, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(picture, []byte(begin)) {
			t.Errorf("%s begins with %q", name, picture[:min(8, len(picture))])
		}
	}
}

func TestConsoleErrors(t *testing.T) {
	tab := browser.New(t).Tab()
	tab.Open(page(t, `<script>console.log("fine"); console.error("bad", 1)</script>`))
	wait.Until(t, "the error is recorded", func() bool { return slices.Contains(tab.ConsoleErrors(), "bad 1") })
	if got := tab.ConsoleErrors(); len(got) != 1 {
		t.Errorf("console errors = %q", got)
	}
}

// A failing test cannot be shown from inside, so a recorder stands in for it.
type recorder struct {
	testing.TB
	cleanups []func()
	errors   []string
}

func (r *recorder) Helper()                   {}
func (r *recorder) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(f string, a ...any) { r.errors = append(r.errors, fmt.Sprintf(f, a...)) }
func (r *recorder) Fatalf(f string, a ...any) {
	r.Errorf(f, a...)
	runtime.Goexit()
}
func (r *recorder) finish() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}

func TestExceptions(t *testing.T) {
	tests := map[string]struct {
		body   string
		expect string
		want   string // in the one error; "": none
	}{
		"none":       {`<p>fine</p>`, "", ""},
		"unexpected": {`<script>throw new Error("boom")</script>`, "", "Error: boom"},
		"promise":    {`<script>Promise.reject(new Error("later"))</script>`, "", "Error: later"},
		"expected":   {`<script>throw new Error("boom")</script>`, "boom", ""},
		"missing":    {`<p>fine</p>`, "boom", `contains "boom"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := &recorder{TB: t}
			tab := browser.New(r).Tab()
			if test.expect != "" {
				tab.ExpectException(test.expect)
			}
			tab.Open(page(t, test.body))
			r.finish()
			if test.want == "" {
				if len(r.errors) > 0 {
					t.Errorf("errors = %q, want none", r.errors)
				}
				return
			}
			if len(r.errors) != 1 || !strings.Contains(r.errors[0], test.want) {
				t.Errorf("errors = %q, want one with %q", r.errors, test.want)
			}
		})
	}
}

// A test does not wait for a page that has failed.
func TestWaitGivesUp(t *testing.T) {
	r := &recorder{TB: t}
	tab := browser.New(r).Tab()
	tab.Open(page(t, `<script>throw new Error("boom")</script>`))
	done := make(chan struct{})
	go func() {
		defer close(done)
		tab.Wait("false")
	}()
	<-done
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "the page has failed") {
		t.Errorf("errors = %q, want one that the page has failed", r.errors)
	}
	r.finish()
}

func TestDark(t *testing.T) {
	tab := browser.New(t).Tab()
	tab.Open(page(t, ""))
	for _, dark := range []bool{true, false} {
		tab.Dark(dark)
		if got := browser.Eval[bool](tab, `matchMedia("(prefers-color-scheme: dark)").matches`); got != dark {
			t.Errorf("dark = %t, want %t", got, dark)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"chromium", "chromium-headless-shell"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	for load, want := range map[string]string{"": "chromium-headless-shell", "1": "chromium"} {
		t.Setenv("UI_MCP_LOAD", load)
		if got, err := browser.Find(); err != nil || filepath.Base(got) != want {
			t.Errorf("with UI_MCP_LOAD=%q: Find = %q, %v; want %s", load, got, err, want)
		}
	}
}

// A frame of another site has a frame of its own, and clicks hit what is in it.
func TestFrames(t *testing.T) {
	const inner = `<button style='margin: 30px' onclick='out.textContent = "clicked"; console.error("inside")'>go</button><output id='out'></output>`
	sandbox := page(t, `<iframe id="inner" style="margin: 20px; border: 7px solid" srcdoc="`+strings.ReplaceAll(inner, `"`, "&quot;")+`"></iframe>`)
	tab := browser.New(t).Tab()
	tab.Open(page(t, `<iframe id="outer" style="margin: 50px; border: 3px solid" src="`+strings.Replace(sandbox, "127.0.0.1", "localhost", 1)+`"></iframe>`))
	outer := tab.Frame(`document.querySelector("#outer")`)
	content := outer.Inner(`document.querySelector("#inner")`)
	content.Click("button")
	content.WaitText("#out", "clicked")
	if got := browser.Eval[bool](content, `window.parent.document.querySelector("#inner").contentWindow === window`); !got {
		t.Error("expressions see another window than the frame's")
	}
	content.Run(`window.addEventListener("message", console.log)`)
	for target, want := range map[string]int{"document": 0, `document.querySelector("button")`: 1, "window": 1} {
		if got := content.Listeners(target); got != want {
			t.Errorf("%s has %d listeners, want %d", target, got, want)
		}
	}
	wait.Until(t, "the frame's message is on the console", func() bool {
		return slices.Equal(content.ConsoleErrors(), []string{"inside"}) && slices.Equal(outer.ConsoleErrors(), []string{"inside"})
	})
}
