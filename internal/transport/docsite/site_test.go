package docsite_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/bundle"
	"ui-mcp/docs"
	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/transport/docsite"
	"ui-mcp/internal/transport/httpio"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

var files = fstest.MapFS{
	"README.md": {Data: []byte("# All\n\nIntroduction.\n\n## First\n\n- [One](one.md): the first\n  of two\n- [Two](sub/two.md)\n\n## Second\n\n- [Three](three.md): last\n- [Four](../bundle/base/resources/four.md): a guide\n")},
	"one.md": {Data: []byte("# Page one\n\nSee [two](sub/two.md#part), [code](../main.go), [there](https://example.org/), [all of sub](sub/).\n\n" +
		"![seen](p.webp) ![absent](q.webp)\n\n## A <b>Part\n\nThe quick brown fox. QUICK!\n\n## Another part\n\nThe lazy dog, and a fox.\n")},
	"sub/README.md": {Data: []byte("# Sub\n")},
	"sub/two.md":    {Data: []byte("# Page two\n\nBack to [one](../one.md).\n\n## Part\n\nDogs and foxes.\n")},
	"three.md":      {Data: []byte("# Page three\n")},
	"p.webp":        {Data: []byte("picture")},
}

var guides = fstest.MapFS{
	"four.md":          {Data: []byte("# Guide four\n\nSee [five](patterns/five.md).\n")},
	"patterns/five.md": {Data: []byte("# Pattern five\n\nBack to [four](../four.md); a unicorn.\n")},
}

func site(t *testing.T) *docsite.Site {
	t.Helper()
	s, err := docsite.New(files, guides, httpio.AppIcon)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// get requests a path, as a browser does or as a program does.
func get(t *testing.T, h http.Handler, path, accept string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "GET", path, nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Result(), string(body)
}

func TestSitePages(t *testing.T) {
	t.Parallel()
	s := site(t)
	for _, tt := range []struct {
		path, accept string
		status       int
		has          []string
	}{
		{"/", "text/html", 200, []string{"<title>All</title>", `<a href="/sub/two.md">Two</a>`, `<h1 id="all">`, `href="/" aria-current="page"`}},
		{"/one.md", "text/html", 200, []string{
			"<title>Page one</title>", `<a href="/one.md" aria-current="page">One</a>`, `<a href="sub/two.md#part">two</a>, code, <a href="https://example.org/">`,
			`<a href="sub/README.md">all of sub</a>`, `<img src="p.webp" alt="seen">`, `<img src="" alt="absent">`, `<a href="#a-bpart">A &lt;b&gt;Part</a>`,
		}},
		{"/sub/two.md", "text/html", 200, []string{`<a href="../one.md">one</a>`}},
		{"/sub/two.md", "*/*", 200, []string{"# Page two\n\nBack"}},
		{"/guides/four.md", "text/html", 200, []string{`<a href="/guides/four.md" aria-current="page">Four</a>`, `<a href="patterns/five.md">five</a>`}},
		{"/", "text/html", 200, []string{`<a href="guides/four.md">Four</a>`}},
		{"/p.webp", "image/*", 200, []string{"picture"}},
		{"/style.css", "text/css", 200, []string{"--ui-accent", ".found"}},
		{"/none", "text/html", 404, []string{"<h1>There is no such page</h1>"}},
		{"/none.md", "*/*", 404, []string{"There is no such page.\n"}},
		{"/..%2fgo.mod", "*/*", 404, nil},
	} {
		res, body := get(t, s, tt.path, tt.accept)
		if res.StatusCode != tt.status {
			t.Errorf("%s: %s", tt.path, res.Status)
		}
		for _, part := range tt.has {
			if !strings.Contains(body, part) {
				t.Errorf("%s (%s) lacks %q:\n%s", tt.path, tt.accept, part, body)
			}
		}
		if kind := res.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") && !strings.HasPrefix(res.Header.Get("Content-Security-Policy"), "default-src 'none'; style-src 'self'") {
			t.Errorf("%s has the policy %q", tt.path, res.Header.Get("Content-Security-Policy"))
		}
	}
	for from, want := range map[string]string{"/one": "/one.md", "/sub": "/sub/README.md", "/sub/": "/sub/README.md", "/four": "/guides/four.md", "/patterns/five.md": "/guides/patterns/five.md"} {
		if res, _ := get(t, s, from, "text/html"); res.StatusCode != 302 || res.Header.Get("Location") != want {
			t.Errorf("%s leads to %q with %s", from, res.Header.Get("Location"), res.Status)
		}
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", "/one.md", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	want := []docsite.Name{{"one", "One", "the first of two"}, {"sub/two", "Two", ""}, {"three", "Three", "last"}, {"four", "Four", "a guide"}}
	if diff := cmp.Diff(want, site(t).Names()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, name := range []string{"sub/two", "sub/two.md"} {
		if text, err := site(t).Source(name); err != nil || !strings.HasPrefix(string(text), "# Page two") {
			t.Errorf("Source(%q) = %q, %v", name, text, err)
		}
	}
	for _, name := range []string{"four", "patterns/five.md", "guides/four"} {
		if text, err := site(t).Source(name); err != nil || len(text) == 0 {
			t.Errorf("Source(%q) = %q, %v", name, text, err)
		}
	}
	for _, name := range []string{"none", "sub", "../docs", "p.webp", ""} {
		if text, err := site(t).Source(name); err == nil {
			t.Errorf("Source(%q) = %q", name, text)
		}
	}
}

// A search finds the sections that have all words, those with a word in their title first, and
// marks the words.
func TestSearch(t *testing.T) {
	t.Parallel()
	result := regexp.MustCompile(`<li><a href="(/[^"]*)">(.*?)</a>(?: <span>(.*?)</span>)?<p>(.*?)</p></li>`)
	for query, want := range map[string][]string{
		"fox quick": {`/one.md#a-bpart|A &lt;b&gt;Part|Page one|The <mark>quick</mark> brown <mark>fox</mark>. <mark>QUICK</mark>!`},
		"Part fox": {
			"/one.md#a-bpart|A &lt;b&gt;<mark>Part</mark>|Page one|The quick brown <mark>fox</mark>. QUICK!",
			"/one.md#another-part|Another <mark>part</mark>|Page one|The lazy dog, and a <mark>fox</mark>.",
			"/sub/two.md#part|<mark>Part</mark>|Page two|Dogs and <mark>fox</mark>es.",
		},
		"two see":  {"/one.md|Page one||<mark>See</mark> <mark>two</mark>, code, there, all of sub. <mark>see</mark>n absent"},
		"unicorn":  {"/guides/patterns/five.md|Pattern five||Back to four; a <mark>unicorn</mark>."},
		"fox cat":  nil,
		`"><b>`:    nil,
		"\xff":     nil,
		"  three ": {"/three.md|Page <mark>three</mark>||", "/README.md#second|Second|All|<mark>Three</mark>: last Four: a guide"},
	} {
		res, body := get(t, site(t), "/search?q="+url.QueryEscape(query), "text/html")
		var got []string
		for _, m := range result.FindAllStringSubmatch(body, -1) {
			got = append(got, strings.Join(m[1:], "|"))
		}
		if diff := cmp.Diff(want, got); diff != "" || res.StatusCode != 200 {
			t.Errorf("%q: %s, -want +got\n%s", query, res.Status, diff)
		}
		if strings.Contains(body, "<b>") {
			t.Errorf("%q gets into the page as HTML", query)
		}
	}
	if _, body := get(t, site(t), "/search", "text/html"); !strings.Contains(body, "<h1>Search</h1>") || strings.Contains(body, `class="count"`) {
		t.Errorf("a search for nothing:\n%s", body)
	}
}

// brokenWords are the heads of columns that are one word on several lines.
const brokenWords = `[...document.querySelectorAll("th")].filter((th) => {
	const text = document.createRange();
	text.selectNodeContents(th);
	return /^[a-z]+$/i.test(th.textContent) && new Set([...text.getClientRects()].map(({ top }) => top)).size > 1;
}).map((th) => th.textContent)`

// The documentation itself: the index lists every page, each is displayed without a broken picture
// or word and fits on a phone, where the keyboard reaches what scrolls, axe finds nothing, and a
// search works without scripts.
func TestDocumentation(t *testing.T) {
	load.Long(t, "TestSitePages and TestSearch, with small pages")
	s, err := docsite.New(docs.Files, bundle.Guides(), httpio.TerminalIcon)
	if err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(s)
	defer served.Close()
	axe := ""
	if script, err := os.ReadFile("../../../scratch/axe/node_modules/axe-core/axe.min.js"); err == nil {
		axe = string(script)
	} else {
		t.Log("axe is not installed: tools/need axe does that")
	}
	tab := browser.New(t).Tab()
	for _, n := range s.Names() {
		for _, width := range []int{390, 1280} {
			tab.Size(width, 800)
			tab.Open(served.URL + "/" + n.Name + ".md")
			tab.Press("\t") // which makes what scrolls part of the order
			if lost := browser.Eval[[]string](tab, `[...document.querySelectorAll("table, pre")].filter((e) => e.scrollWidth > e.clientWidth + 1 && (e.tabIndex !== 0 || !e.ariaLabel)).map((e) => e.textContent.slice(0, 40))`); len(lost) > 0 {
				t.Errorf("%s, %d pixels wide: these scroll, and the keyboard does not reach them: %q", n.Name, width, lost)
			}
			if axe != "" && n.Name == "performance" && width == 390 { // with tables and code that scroll
				tab.Run(axe)
				for _, finding := range browser.Eval[[]string](tab, `axe.run({ exclude: [".pages"] }, { resultTypes: ["violations"], preload: false, rules: { "empty-table-header": { enabled: false } } })
					.then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html.slice(0, 200)))`) {
					t.Errorf("%s, %d pixels wide: axe: %s", n.Name, width, finding)
				}
			}
			if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("%s is %d pixels too wide at %d", n.Name, over, width)
			}
			if broken := browser.Eval[[]string](tab, brokenWords); len(broken) > 0 {
				t.Errorf("%s breaks the words %q at %d", n.Name, broken, width)
			}
		}
		if broken := browser.Eval[[]string](tab, `[...document.images].filter(i => !i.naturalWidth).map(i => i.alt)`); len(broken) > 0 {
			t.Errorf("%s does not show %q", n.Name, broken)
		}
	}
	tab.Type("input[type=search]", "detach")
	tab.Press("\r")
	tab.Wait(`document.querySelector("mark")`)
	tab.Run(`document.querySelector(".found a").click()`)
	tab.Wait(`document.querySelector("article")`)
}

// What people look for in the documentation is found, the page that says it first.
func TestFindsInDocumentation(t *testing.T) {
	t.Parallel()
	s, err := docsite.New(docs.Files, bundle.Guides(), httpio.TerminalIcon)
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`<li><a href="(/[^"]*)">(?:[^<]|<mark>|</mark>)*</a>(?: <span>[^<]*(?:<mark>[^<]*</mark>[^<]*)*</span>)?<p>`)
	for query, want := range map[string]string{
		"copy text from scrollback": "/sessions.md#looking-back",
		"password prompt":           "/terminal.md",
		"exit status of ui-mcp ask": "/ui-mcp-commands.md#ui-mcp-ask",
	} {
		_, body := get(t, s, "/search?q="+url.QueryEscape(query), "text/html")
		if m := first.FindStringSubmatch(body); m == nil || !strings.HasPrefix(m[1], want) {
			t.Errorf("%q: the first is %q, want %s", query, m, want)
		}
	}
}
