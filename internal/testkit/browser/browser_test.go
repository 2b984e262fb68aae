package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
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
	if len(r.errors) != 1 || !strings.Contains(r.errors[0], "the page has failed at browser_test.go:") {
		t.Errorf("errors = %q, want one that the page has failed, and where", r.errors)
	}
	r.finish()
}
