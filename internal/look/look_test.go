package look_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/chromium"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/finding"
	"ui-mcp/internal/look"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// shared serves all tests that do nothing to the browser: to start one takes as long as ten looks.
var shared = look.New(chromium.Options{})

// A closing ends the shared browser after the tests.
type closing struct{ *testing.M }

func (c closing) Run() int {
	defer shared.Close()
	return c.M.Run()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(closing{m}) }

// site serves pages by their paths, as if they displayed a session, and counts requests: of pages
// and of all.
func site(t *testing.T, pages map[string]string) (at func(path string) string, loads, requests *atomic.Int64) {
	t.Helper()
	loads, requests = &atomic.Int64{}, &atomic.Int64{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		loads.Add(1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en" data-ui-state="live" data-ui-seq="1"><link rel=icon href=data:,><body style="color: #000; background: #fff; margin: 0">%s`, body)
	}))
	t.Cleanup(srv.Close)
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.URL, "http://"), ":")
	return func(path string) string { return "http://secret.localhost:" + port + path }, loads, requests
}

func looker(t *testing.T) *look.Looker {
	l := look.New(chromium.Options{})
	t.Cleanup(l.Close)
	return l
}

func request(url string) look.Request {
	return look.Request{URL: url, Seq: 1, Ways: []look.Way{{Width: 390}}, PlacesOf: func(_ context.Context, of []finding.Element) ([]finding.Place, error) {
		return make([]finding.Place, len(of)), nil
	}}
}

// lookOnce looks at a page in one way.
func lookOnce(t *testing.T, l *look.Looker, r look.Request) (look.Seen, error) {
	t.Helper()
	list, err := l.Look(t.Context(), r)
	if err != nil {
		return look.Seen{}, err
	}
	if len(list) != 1 {
		t.Fatalf("one look has seen %d", len(list))
	}
	return list[0], nil
}

func codes(s look.Seen) string {
	var list []string
	for _, f := range s.Findings {
		list = append(list, f.Code)
	}
	return strings.Join(list, " ")
}

// What pages do to stay unsettled, to stop the browser or to get out of it.
func TestLook(t *testing.T) {
	t.Parallel()
	at, _, requests := site(t, map[string]string{
		"/sound":  `<h1>Sound</h1><p>Some text.</p><button style="padding: 10px">OK</button>`,
		"/always": `<p id=p></p><script>setInterval(() => p.textContent = Math.random(), 5)</script>`,
		"/moving": `<style>@keyframes m { to { transform: translateX(50px) } } p { animation: m 9s infinite } b { transition: opacity 9s }</style><p>moving</p><b>b</b>`,
		"/alert":  `<p>text</p><script>alert("hello")</script>`,
		"/throws": `<p>text</p><script>throw new Error("planted")</script><img src="/none.png" alt="">`,
		"/long":   `<div style="height: 9000px">long</div>`,
		"/noise": `<canvas id=c width=390 height=3000></canvas><script>
			const x = c.getContext("2d"), d = x.createImageData(390, 3000);
			for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
			x.putImageData(d, 0, 0);</script>`,
		"/away": `<p>text</p><script>window.open("http://127.0.0.1:" + location.port + "/stolen"); fetch("http://localhost:" + location.port + "/stolen").catch(() => {}); const i = document.createElement("iframe"); i.src = "http://127.0.0.1:" + location.port + "/stolen"; document.body.append(i);
			for (const host of ["localhost.", "a.localhost.", "127.0.0.2", "0.0.0.0", "[::]", "[::1]", "[::ffff:7f00:1]"]) fetch("http://" + host + ":" + location.port + "/stolen", { mode: "no-cors" }).catch(() => {});
		</script>`,
		"/stolen": `<p>a page of the person</p>`,
		"/glyph":  "<p>\U00012000 and é, ü, “quotes”</p>",
		"/card":   `<div style="border: 1px solid #000; width: 200px"><table style="width: 300px"><tr><td>wide</td></tr></table></div>`,
		"/table":  `<table style="display: block; border-collapse: collapse"><tr><td>a</td><td>b</td></tr></table>`,
		"/tables": `<div style="overflow-x: auto"><table style="display: block; width: 600px"><tr><td>a</td></tr></table></div><table><tr><td>a</td></tr></table><div style="overflow-x: auto"><table style="width: 100%"><tr><td>a</td></tr></table></div><table style="display: block"><tr><td><div style="width: 380px">wide</div></td></tr></table>`,
		"/row":    `<div style="display: flex; flex-wrap: wrap"><button style="padding: 10px">Add something</button><select aria-label=x style="width: 100%; height: 30px"><option>low</option></select></div>`,
		"/rows": `<div style="display: flex; flex-wrap: wrap"><button style="padding: 10px">Add</button><select aria-label=x style="height: 30px"><option>low</option></select></div>
			<div style="display: flex; flex-wrap: wrap"><select aria-label=x style="width: 100%; height: 30px"><option>low</option></select></div>
			<div style="display: flex; flex-direction: column"><button style="padding: 10px">Add</button><select aria-label=x style="width: 100%; height: 30px"><option>low</option></select></div>
			<div style="display: flex; flex-wrap: wrap"><button style="padding: 10px">Add</button><select aria-label=x style="width: 100%; height: 30px"><option>a choice with many words in it</option></select></div>`,
		"/toast":  `<div style="border: 1px solid #000; width: 100px"><div style="position: fixed; inset: auto 10px 10px auto"><p>a notice beside the frame</p></div></div>`,
		"/badge":  `<div style="border: 1px solid #000; width: 100px; position: relative"><div style="position: absolute; left: 90px"><p>a badge</p></div></div>`,
		"/hidden": `<div style="position: absolute; width: 1px; height: 1px; overflow: hidden">for screen readers</div><p style="visibility: hidden; color: #eee">none</p>`,
	})
	for path, tt := range map[string]struct{ codes, notes string }{
		"/sound": {"", ""}, "/always": {"", "scripts keep changing the page"}, "/moving": {"", ""}, "/alert": {"dialog", ""},
		"/throws": {"console console", ""}, "/toast": {"", ""}, "/badge": {"", ""}, "/table": {"narrow-table", ""}, "/tables": {"", ""}, "/row": {"whole-line", ""}, "/rows": {"", ""},
		"/long": {"", "the first 3000 px of a page of 9"}, "/noise": {"", "reduced to"},
		"/away": {"", ""}, "/glyph": {"missing-glyph", ""}, "/card": {"card-overflow", ""}, "/hidden": {"", ""},
	} {
		before := requests.Load()
		r := request(at(path))
		if path == "/always" {
			r.Ways = append(r.Ways, look.Way{Width: 1280}) // which is no use before it has settled
		}
		seen, err := lookOnce(t, shared, r)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		got := codes(seen)
		if path == "/away" {
			got = "" // the console says that nothing was reached
			if n := requests.Load() - before; n != 1 {
				t.Errorf("%s: %d requests have arrived, want 1", path, n)
			}
		}
		if got != tt.codes {
			t.Errorf("%s: %+v, want %q", path, seen.Findings, tt.codes)
		}
		if notes := strings.Join(seen.Notes, "; "); (tt.notes == "") != (notes == "") || !strings.Contains(notes, tt.notes) {
			t.Errorf("%s: notes %q, want %q", path, notes, tt.notes)
		}
		picture, err := png.Decode(bytes.NewReader(seen.PNG))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if path != "/noise" && picture.Bounds().Dx() != 390 || len(seen.PNG) > 1<<20 {
			t.Errorf("%s: the picture is %v, %d bytes", path, picture.Bounds(), len(seen.PNG))
		}
	}
}

// What a page tells is a script's word: it is short, harmless, of the known kinds, and has no name
// of the server.
func TestLyingPage(t *testing.T) {
	t.Parallel()
	at, _, _ := site(t, map[string]string{"/": `<p>text</p><script>
		const lie = "\x1b[2J\u202e\n" + location.href + " " + "x".repeat(1e4);
		const place = { instance: 1, at: 0, tag: "p" };
		Object.defineProperty(window, "uiLook", { set() {}, get: () => ({
			settle: async () => Array(20).fill(lie), height: () => -1e300,
			inspect: () => Array.from({ length: 1e3 }, (_, i) => ({ code: i % 2 ? "contrast" : lie.slice(0, 50), place, element: i + lie, what: lie, instead: lie })).map((f, i) => i < 20 ? f : { ...f, element: "", what: "", instead: "" }),
		}) });
		console.error(lie, location.host); alert(lie); fetch("/none?" + location.host);
		Promise.reject(new Error(lie));
	</script>`})
	r := request(at("/"))
	most := 0
	r.PlacesOf = func(_ context.Context, of []finding.Element) ([]finding.Place, error) {
		most = len(of)
		return make([]finding.Place, len(of)), nil
	}
	seen, err := lookOnce(t, shared, r)
	if err != nil {
		t.Fatal(err)
	}
	if most > 150 || len(seen.Findings) == 0 || len(seen.Findings) > 30 || len(seen.Notes) == 0 {
		t.Errorf("%d elements, %d findings, %d notes", most, len(seen.Findings), len(seen.Notes))
	}
	texts := seen.Notes
	for _, f := range seen.Findings {
		if look.Codes[f.Code] == "" {
			t.Errorf("the code %.50q", f.Code)
		}
		texts = append(texts, f.What, f.Instead)
	}
	for _, text := range texts {
		if len(text) > 500 || strings.ContainsAny(text, "\x1b\u202e\n") || strings.Contains(text, "secret") {
			t.Errorf("%d bytes: %.200q", len(text), text)
		}
	}
}

// A page that never answers, or crashes, ends its own look and no other.
func TestStubbornPages(t *testing.T) {
	load.Long(t, "TestLook looks at pages of all other kinds")
	t.Parallel()
	at, _, _ := site(t, map[string]string{"/loop": `<p>text</p><script>setTimeout(() => { for (;;); }, 0)</script>`, "/sound": `<p>Sound</p>`})
	l := looker(t)
	var both sync.WaitGroup
	both.Go(func() {
		if _, err := l.Look(t.Context(), request(at("/loop"))); fault.KindOf(err) != fault.Timeout || !strings.Contains(err.Error(), "loop for ever") {
			t.Errorf("a page that loops: %v", err)
		}
	})
	both.Go(func() {
		if _, err := l.Look(t.Context(), request(at("/sound"))); err != nil {
			t.Errorf("beside a page that loops: %v", err)
		}
	})
	both.Wait()
	if _, err := l.Look(t.Context(), request(at("/sound"))); err != nil {
		t.Errorf("after a page that looped: %v", err)
	}
	if _, err := l.Look(t.Context(), request("chrome://crash")); fault.KindOf(err) != fault.Precondition {
		t.Errorf("a page that crashes: %v", err)
	}
	if _, err := l.Look(t.Context(), request(at("/sound"))); err != nil {
		t.Errorf("after a page that crashed: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	left := errors.New("the caller has left")
	cancel(left)
	if _, err := l.Look(ctx, request(at("/sound"))); !errors.Is(err, left) {
		t.Errorf("a caller that has left: %v", err)
	}
}

// While pictures are taken, two at a time, the browser is killed: the looks under way may fail, and
// the next one starts another browser.
func TestKilledBrowser(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it finds the browser in /proc")
	}
	at, _, _ := site(t, map[string]string{"/": `<p>text</p><script>const end = Date.now() + 500; addEventListener("load", () => setInterval(() => Date.now() < end && document.body.append("."), 5))</script>`})
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	l := looker(t)
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if _, err := l.Look(t.Context(), request(at("/"))); err != nil && fault.KindOf(err) != fault.Gone && fault.KindOf(err) != fault.Precondition {
				t.Errorf("look: %v", err)
			}
		})
	}
	wait.Until(t, "the browser runs", func() bool { return browserIn(dir) != nil })
	if err := browserIn(dir).Kill(); err != nil {
		t.Error(err)
	}
	all.Wait()
	if _, err := l.Look(t.Context(), request(at("/"))); err != nil {
		t.Errorf("the next look: %v", err)
	}
	l.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if p := browserIn(dir); p != nil {
		t.Errorf("process %d is left", p.Pid)
	}
	if _, err := l.Look(t.Context(), request(at("/"))); fault.KindOf(err) != fault.Gone {
		t.Errorf("after Close: %v", err)
	}
}

// browserIn returns a process whose profile is below dir: the browser's first one.
func browserIn(dir string) *os.Process {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte("--user-data-dir="+dir)) || bytes.Contains(line, []byte("--type=")) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(file, "/proc/%d/cmdline", &pid); err == nil {
			p, _ := os.FindProcess(pid)
			return p
		}
	}
	return nil
}

// A page that leaves its address is the fault of its script.
func TestLeavingPage(t *testing.T) {
	t.Parallel()
	at, _, _ := site(t, map[string]string{"/": `<p>text</p><script>setInterval(() => location.reload(), 40)</script>`})
	if _, err := shared.Look(t.Context(), request(at("/"))); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "a script of it") {
		t.Errorf("a page that loads itself again and again: %v", err)
	}
}

func TestRefused(t *testing.T) {
	for _, width := range []int{0, 1, 100_000} {
		r := request("http://secret.localhost/")
		r.Ways[0].Width = width
		if _, err := shared.Look(t.Context(), r); fault.KindOf(err) != fault.Invalid {
			t.Errorf("width %d: %v", width, err)
		}
	}
	r := request("http://secret.localhost:1/")
	if _, err := shared.Look(t.Context(), r); fault.KindOf(err) != fault.Precondition {
		t.Errorf("no server: %v", err)
	}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]finding.Finding{
		"a.html:3: contrast: p is pale; darken it": {Code: "contrast", File: "a.html", Line: 3, What: "p is pale", Instead: "darken it"},
		"a.html: console: boom":                    {Code: "console", File: "a.html", What: "boom"},
		"console: boom":                            {Code: "console", What: "boom"},
	} {
		if got := f.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
