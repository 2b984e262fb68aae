package web_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/testkit/browser"
	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/ui/viewdef"
)

// The server decides which addresses are code. It decides as a browser does: none that it lets
// through runs, and none that it drops would be harmless.
func TestAddressesAreAsBrowsersReadThem(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	tab := browser.New(t).Tab()
	tab.Open(server.URL)
	tab.Run(`window.read = async (text) => {
		const a = document.createElement("a");
		a.setAttribute("href", text);
		if (a.protocol !== "data:") return a.protocol;
		const type = await fetch(a.href).then((r) => r.headers.get("content-type"), () => "none");
		return "data:" + type.split(";")[0].trim().toLowerCase();
	}`)
	parts := []string{
		"java", "script", "JavaScript", "vb", "VBSCRIPT", "data", "DaTa", ":", ":", ":", ",", ";", "text/html", "text/", "html", "image/svg+xml",
		"application/xhtml+xml", "text/xml", "text/xsl", "image/png", "text/plain", ";base64", ";charset=utf-8", "https", "//", "/", "\\", "#", "?", "%3a", "%6a", "&#58;", "&colon;",
		"\t", "\n", "\r", " ", "\x00", "\x01", "\x1f", "\x7f", "\u00a0", "\ufeff", "\u200b", "\u2028", "ſ", "K", ":", "x", "1", ".", "+", "-", "<b>", "\"", "'", "@", "[",
	}
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{}
	for range load.Count(4_000, 40_000) {
		var b strings.Builder
		for range 1 + r.IntN(7) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		text := b.String()
		switch r.IntN(4) { // most random texts have no scheme
		case 0:
			text = pick(r, "", " ", "\x01", "\n") + pick(r, "javascript:", "Java\tScript:", "vbscript:", "java\nscript\r:", "java\x00script:", "javascript :") + text
		case 1:
			text = pick(r, "", "\x00", "\t") + pick(r, "data:", "da\nta:", "DATA:") + pick(r, "", " ", "text/html", "Text/\tHTML", "text/html ", "image/svg+xml", "text/plain", "image/png") + text
		}
		texts = append(texts, text)
	}
	list, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	read := browser.Eval[[]string](tab, fmt.Sprintf(`Promise.all(%s.map(window.read))`, list))
	count := map[bool]int{}
	for i, text := range texts {
		if read[i] == ":" {
			continue // no address for a browser, so it does not matter
		}
		kind, ok := strings.CutPrefix(read[i], "data:")
		script := read[i] == "javascript:" || read[i] == "vbscript:"
		document := script || ok && (strings.Contains(kind, "html") || strings.Contains(kind, "xml") || strings.Contains(kind, "xsl"))
		if got := viewdef.Media.RunsCode(text); got != script {
			t.Errorf("%q is %s in a browser; runs = %t", text, read[i], got)
		}
		got := viewdef.Document.RunsCode(text)
		if got != document && (document || !ok) { // malformed types of data may be dropped, too
			t.Errorf("%q is %s in a browser; runs in a document = %t", text, read[i], got)
		}
		count[got]++
	}
	if count[true] < len(texts)/10 || count[false] < len(texts)/10 {
		t.Errorf("%d run and %d do not: the texts prove little", count[true], count[false])
	}
}

// Whatever type of data runs scripts in a frame is code.
func TestDocumentsOfDataThatRun(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	tab := browser.New(t).Tab()
	tab.Open(server.URL)
	tab.Run(`window.ran = []; window.loaded = 0;
		window.addEventListener("message", ({ data }) => window.ran.push(data));
		window.load = (type, text) => {
			const frame = document.createElement("iframe");
			frame.addEventListener("load", () => setTimeout(() => window.loaded++));
			frame.src = "data:" + type + "," + encodeURIComponent(text);
			document.documentElement.append(frame);
		};`)
	types := []string{
		"", "text/html", "text/plain", "text/xml", "text/xsl", "text/css", "text/javascript", "application/xml", "application/xhtml+xml", "application/xslt+xml",
		"application/rss+xml", "application/json", "application/javascript", "image/svg+xml", "image/png", "text/x-xsl", "text/markdown",
	}
	const script = `parent.postMessage("%s", "*")`
	n := 0
	for _, kind := range types {
		for _, document := range []string{
			"<script>" + script + "</script>",
			`<x:html xmlns:x="http://www.w3.org/1999/xhtml"><x:script>` + script + `</x:script></x:html>`,
			`<svg xmlns="http://www.w3.org/2000/svg"><script>` + script + `</script></svg>`,
		} {
			tab.Run(fmt.Sprintf(`window.load(%q, %q)`, kind, fmt.Sprintf(document, kind)))
			n++
		}
	}
	tab.Wait(fmt.Sprintf(`window.ran.includes("text/html") && window.ran.includes("image/svg+xml") && window.loaded > %d / 2`, n))
	for _, kind := range browser.Eval[[]string](tab, `window.ran`) {
		if !viewdef.Document.RunsCode("data:" + kind + ",x") {
			t.Errorf("a document of type %q runs scripts", kind)
		}
	}
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }
