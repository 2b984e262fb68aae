package httppopup

import (
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// standalone is the page with nothing but the questions.
const standalone = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Questions</title>
<style>
body { display: grid; place-items: center; min-height: 100vh; margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
p { padding: 1.5rem; text-align: center; opacity: 0.7; }
</style>
<p>There is nothing to answer right now. Questions appear here as soon as your agent asks one.</p>
<script src="/popup.js"></script>
</html>
`

func (p *Pages) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(standalone)) // a client that has disconnected needs no answer
}

func (p *Pages) serveScript(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(p.opts.Script)
}

// serveToken gives the token to scripts of our own pages. Browsers name the page that makes a
// request in headers that no page can change; programs other than browsers are refused.
func (p *Pages) serveToken(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Sec-Fetch-Site") != "same-origin" || r.Header.Get("Sec-Fetch-Dest") != "empty" {
		http.Error(w, "Refused: the token is for pages of this server.", http.StatusForbidden)
		return
	}
	httpio.WriteJSON(w, http.StatusOK, map[string]string{"token": p.token})
}
