package httpui

import (
	"fmt"
	"html"
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// writeError answers with an error as JSON: {"error": text}.
func writeError(w http.ResponseWriter, err error) {
	httpio.WriteError(w, httpio.Status(err), err.Error())
}

// errorPage is a page for a person. Its verbs take the title and the text, as HTML.
const errorPage = `<!doctype html>
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

func writeErrorPage(w http.ResponseWriter, err error) {
	writePage(w, httpio.Status(err), "That did not work", "<p>"+html.EscapeString(err.Error())+"</p>")
}

func writeNoSession(w http.ResponseWriter, id string) {
	writePage(w, http.StatusNotFound, "There is no such session",
		"<p>No session is called “"+html.EscapeString(id)+"” here. It may have ended, or the address may be mistyped.</p>\n"+
			`<p><a href="/`+DefaultSession+`/">Go to session `+DefaultSession+"</a></p>")
}

func writePage(w http.ResponseWriter, status int, title, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, errorPage, title, text) // a client that has disconnected needs no answer
}
