package httppopup

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"

	"ui-mcp/internal/markdown"
	"ui-mcp/internal/transport/httpio"
)

// The two names of a server. To a browser they are different origins, so scripts of apps cannot
// reach into the questions. Neither name ever serves what belongs to the other: a single document,
// script or service worker of an app under the name of the questions could answer them. So the
// names are fixed, too, and not exchanged by what is opened first.
const (
	appName      = "127.0.0.1"
	questionName = "localhost"
)

// Wrap returns a handler that serves the questions and the script that puts them into pages, and
// passes all other requests to next. A GET that was sent to the wrong one of the two hosts is
// redirected to the other.
//
// beside has handlers of other parts of the program that scripts of apps must not reach, by the
// first part of their paths, such as "/terminals". They are served under the name of the questions
// only, at that path and below, and get the whole path.
func (p *Pages) Wrap(next http.Handler, beside map[string]http.Handler) http.Handler {
	questions := http.NewServeMux()
	questions.HandleFunc("GET /popup", p.serveDocument)
	questions.HandleFunc("GET /question.js", p.serveScript("question.js"))
	questions.HandleFunc("GET /popup-ws", p.serveSocket)
	questions.HandleFunc("/", redirectTo(appName))
	for path, h := range beside {
		questions.Handle(path, notFromApps(h))
		questions.Handle(path+"/", notFromApps(h))
	}

	apps := http.NewServeMux()
	apps.HandleFunc("GET /popup.js", p.serveScript("popup.js"))
	for _, path := range []string{"/popup", "/question.js", "/popup-ws"} {
		apps.HandleFunc(path, redirectTo(questionName))
	}
	for path := range beside {
		apps.HandleFunc(path, redirectTo(questionName))
		apps.HandleFunc(path+"/", redirectTo(questionName))
	}
	apps.Handle("/", next)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name, _ := splitHost(r.Host); {
		case name == questionName && r.Header.Get("Service-Worker") != "":
			http.Error(w, "Refused: there are no service workers here.", http.StatusForbidden)
		case name == questionName:
			questions.ServeHTTP(w, r)
		case name == appName:
			apps.ServeHTTP(w, r)
		default: // [::1], which is the name of neither
			redirectTo(appName)(w, r)
		}
	})
}

// IsFrame reports whether a request is for the document that pages of apps have in a frame.
// Browsers call that a request of another site. The document's own headers say which pages may have
// it.
func IsFrame(r *http.Request) bool {
	return IsBeside(r) && r.URL.Path == "/popup"
}

// PageURL returns the address of the page with the questions of a server that listens at addr.
func PageURL(addr net.Addr) string {
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		panic(err) // the addresses of TCP listeners have ports
	}
	return "http://" + net.JoinHostPort(questionName, port) + "/popup"
}

// redirectTo redirects to the same path and port under another name, with the scheme that the
// browser sees. Requests that cannot be redirected are refused.
func redirectTo(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead || r.Header.Get("Upgrade") != "" {
			http.Error(w, fmt.Sprintf("Refused: this is served at %s.", name), http.StatusMisdirectedRequest)
			return
		}
		_, port := splitHost(r.Host)
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Location", "//"+name+port+r.URL.RequestURI())
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
}

// splitHost splits a Host header into a name and ":port", which is empty where it has no valid
// port.
func splitHost(host string) (name, port string) {
	name, digits, err := net.SplitHostPort(host)
	if err != nil {
		return strings.ToLower(host), ""
	}
	if n, err := strconv.ParseUint(digits, 10, 16); err == nil {
		port = ":" + strconv.FormatUint(n, 10)
	}
	return strings.ToLower(name), port
}

// isFromQuestions reports whether a request comes from a document of the questions. Browsers say
// so, and let no page say it of another.
func isFromQuestions(r *http.Request) bool {
	name, port := splitHost(r.Host)
	origin := r.Header.Values("Origin")
	here := questionName + port
	return name == questionName && len(origin) == 1 && (origin[0] == "http://"+here || origin[0] == "https://"+here)
}

// notFromApps serves requests of programs, and of pages under the name of the questions. It refuses
// requests of pages of apps, which the gate admits because they are ours.
func notFromApps(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.Header.Values("Origin")) > 0 && !isFromQuestions(r) {
			http.Error(w, "Refused: pages of apps cannot use this.", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsBeside reports whether a request was sent to the host of the questions.
func IsBeside(r *http.Request) bool {
	name, _ := splitHost(r.Host)
	return name == questionName
}

// AppOrigins returns the origins at which pages of apps are, as the browser that has sent a request
// calls them. The port is the browser's: the server's own may be forwarded.
func AppOrigins(r *http.Request) []string {
	_, port := splitHost(r.Host)
	return []string{"http://" + appName + port, "https://" + appName + port}
}

// URLBeside returns the address of what is beside the questions, given the URL of the pages of
// apps.
func URLBeside(pages, path string) string {
	return strings.Replace(pages, "://"+appName, "://"+questionName, 1) + path
}

// style is the document's style. In a frame it shows nothing but questions, also before the script
// says that it is in one.
const style = `html { color-scheme: light dark; }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; font: 1rem/1.5 system-ui, sans-serif; }
body > p { padding: 1.5rem; color: light-dark(#5d6273, #a0a6ba); text-align: center; }
.document body { background: light-dark(#f5f6fa, #14151b); }
.framed, .framed body { background: none; }
.framed body > p { display: none; }
`

// document has the questions, in a frame or as a page of its own. The verbs are the origin of
// the pages of apps, without its scheme, the icon, and
// what the browser wants the document for.
const document = `<!doctype html>
<html lang="en" data-app="%[1]s" class="%[3]s">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="%[2]s">
<title>Questions</title>
<style>` + style + `</style>
<p>There is nothing to answer right now. Questions appear here as soon as your agent asks one.</p>
<script src="/question.js"></script>
</html>
`

var styleHash = func() string {
	sum := sha256.Sum256([]byte(style))
	return base64.StdEncoding.EncodeToString(sum[:])
}()

func (p *Pages) serveDocument(w http.ResponseWriter, r *http.Request) {
	dest := r.Header.Get("Sec-Fetch-Dest")
	switch dest {
	case "", "document", "iframe":
	default:
		http.Error(w, fmt.Sprintf("Refused: this is a page, and no %s.", strconv.QuoteToASCII(dest)), http.StatusForbidden)
		return
	}
	_, port := splitHost(r.Host)
	app, here := appName+port, questionName+port
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'sha256-"+styleHash+"'; "+markdown.StylePolicy+"; img-src data:; "+
		"connect-src 'self' ws://"+here+" wss://"+here+"; base-uri 'none'; form-action 'none'; "+
		"frame-ancestors "+strings.Join(AppOrigins(r), " "))
	fmt.Fprintf(w, document, app, httpio.AppIcon, dest)
}

func (p *Pages) serveScript(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !httpio.ServeBuiltIn(w, r, p.opts.Client, name) {
			http.NotFound(w, r)
		}
	}
}
