package httpserve

import (
	"errors"
	"net/http"

	"ui-mcp/internal/transport/httpio"
)

// A Refuser answers a refused request in its server's form of errors. The text is a sentence for
// the client.
type Refuser func(w http.ResponseWriter, r *http.Request, status int, text string)

// InText writes a refusal for servers that have no format of their own for errors: a page for
// people, text for programs.
func InText(w http.ResponseWriter, r *http.Request, status int, text string) {
	httpio.WriteProblem(w, r, status, httpio.AppIcon, "This is not possible", text)
}

// scriptHeader marks requests of scripts.
const scriptHeader = "Ui-Mcp-Script"

// hopHeaders concern one connection only. Connection could tell a proxy to remove the mark, and a
// connection that has become a tunnel carries requests without it.
var hopHeaders = []string{"Connection", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// MarkScripts returns a transport for the requests that this program makes for scripts of apps. It
// marks each of them, those that follow redirects included. Whatever the script has asked for, the
// mark stays on the way through proxies.
func MarkScripts(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return marker{next}
}

type marker struct{ next http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (m marker) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodConnect {
		return nil, errors.New("scripts of apps cannot open tunnels: CONNECT is not available")
	}
	r = r.Clone(r.Context()) // a transport must not change its request
	for _, name := range hopHeaders {
		r.Header.Del(name)
	}
	r.Header.Set(scriptHeader, "1")
	return m.next.RoundTrip(r)
}

// RefuseScripts returns a handler that refuses the marked requests, and passes the others on. It
// belongs in front of everything that decides by a request's other headers, or by its path.
//
// A script chooses everything about a request but its mark, so nothing in it shows who sent it. And
// the servers of this user, of other processes, too, take a program of the user for the user: with
// a request, a script could answer questions and run programs. Only programs of ours mark requests;
// others, which the person runs, can send what they like.
func RefuseScripts(next http.Handler, refuse Refuser) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, marked := r.Header[scriptHeader]; marked && !isOpenToScripts(r) {
			refuse(w, r, http.StatusForbidden, "Refused: session:http cannot use servers of ui-mcp and wsh. Scripts of apps have what Lua offers them.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isOpenToScripts reports whether a request may be a script's: it asks whether a server runs, which
// the port tells, too.
func isOpenToScripts(r *http.Request) bool {
	return r.URL.Path == "/health" && r.URL.RawPath == "" && (r.Method == http.MethodGet || r.Method == http.MethodHead)
}
