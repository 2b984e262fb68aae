package httpio

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"strings"
	"sync"

	"ui-mcp/internal/fault"
	"ui-mcp/web"
)

// Style is the style sheet of all pages that have none of their own: colours, text and tables, as
// in the bundled ui.css.
//
//go:embed style.css
var Style string

// The icons of pages, as addresses: of pages of apps and of pages of terminals.
const (
	AppIcon = "data:image/svg+xml,%3Csvg xmlns='http%3A//www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='8' fill='%234f5bd5'/%3E" +
		"%3Crect x='7' y='8' width='18' height='4' rx='2' fill='%23fff'/%3E%3Crect x='7' y='14' width='12' height='4' rx='2' fill='%23fff' opacity='.75'/%3E" +
		"%3Crect x='7' y='20' width='15' height='4' rx='2' fill='%23fff' opacity='.5'/%3E%3C/svg%3E"
	TerminalIcon = "data:image/svg+xml,%3Csvg xmlns='http%3A//www.w3.org/2000/svg' viewBox='0 0 64 64'%3E%3Crect width='64' height='64' rx='14' fill='%231b1f2b'/%3E" +
		"%3Cpath d='M17 22l11 10-11 10' fill='none' stroke='%237c9cff' stroke-width='5' stroke-linecap='round' stroke-linejoin='round'/%3E" +
		"%3Cpath d='M33 43h14' stroke='%23e6e9f2' stroke-width='5' stroke-linecap='round'/%3E%3C/svg%3E"
)

// PagePolicy is the Content-Security-Policy of pages that [Page] writes: no scripts, and nothing
// from other sites.
const PagePolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Reach is an element with the script that lets the keyboard reach what scrolls in a plain page,
// and the source of scripts in a policy that admits only it.
var Reach = sync.OnceValues(func() (element, source string) {
	script := fault.Must(web.Reach()) // it is embedded
	sum := sha256.Sum256([]byte(script))
	return "<script>" + script + "</script>", "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
})

// A Page is a page for a person, with no script but [Reach], and that only if something in it can
// scroll.
type Page struct {
	Title string // plain text
	Icon  string // an address, such as AppIcon
	Class string // of its body: "ui-say" says one thing, "ui-read" is to be read
	Body  string // safe HTML
}

// Write answers with the page. Browsers ask for it again whenever they display it.
func (p Page) Write(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	policy, script := PagePolicy, ""
	if strings.Contains(p.Body, "<table") || strings.Contains(p.Body, "<pre") {
		element, source := Reach()
		policy, script = policy+"; script-src "+source, element
	}
	h.Set("Content-Security-Policy", policy)
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<link rel="icon" href="%s">
<style>
%s</style>
</head>
<body>
<main class="%s">
%s
</main>
%s</body>
</html>
`, html.EscapeString(p.Title), p.Icon, Style, p.Class, p.Body, script) // a client that has disconnected needs no answer
}

// WantsPage reports whether a request prefers a page to JSON, as browsers do when a person opens an
// address.
func WantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// WritePage answers with a page for a person that says one thing, with an icon such as AppIcon. Its
// title is plain text. Its text must be safe HTML, and consists of paragraphs.
func WritePage(w http.ResponseWriter, status int, icon, title, text string) {
	Page{Title: title, Icon: icon, Class: "ui-say", Body: "<div>\n<h1>" + html.EscapeString(title) + "</h1>\n" + text + "\n</div>"}.Write(w, status)
}

// WriteProblem answers with an error: to people with a page that has an icon such as AppIcon, to
// programs with its text alone. Title and text are plain.
func WriteProblem(w http.ResponseWriter, r *http.Request, status int, icon, title, text string) {
	if !WantsPage(r) {
		http.Error(w, text, status)
		return
	}
	WritePage(w, status, icon, title, "<p>"+html.EscapeString(text)+"</p>")
}
