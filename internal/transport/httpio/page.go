package httpio

import (
	"fmt"
	"net/http"
	"strings"
)

// page is a page for a person. Its verbs take the title and the text, as HTML.
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%[1]s</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; font-weight: 600; }
p { opacity: 0.8; overflow-wrap: anywhere; }
</style>
<h1>%[1]s</h1>
%[2]s
</html>
`

// WantsPage reports whether a request prefers a page to JSON, as browsers do when a person opens an
// address.
func WantsPage(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }

// WritePage answers with a page for a person, which is not to be cached. Its title and text must be
// safe HTML; the text consists of paragraphs.
func WritePage(w http.ResponseWriter, status int, title, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, page, title, text) // a client that has disconnected needs no answer
}
