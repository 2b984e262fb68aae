package gate

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/transport/peer"
)

// standing is a [PageOptions.Peer] that says the same of everybody.
func standing(s peer.Standing) func(*http.Request) (peer.Standing, error) {
	return func(*http.Request) (peer.Standing, error) {
		if s == peer.Unknown {
			return s, errors.New("a reason")
		}
		return s, nil
	}
}

// Which requests reach a handler of pages.
func TestPages(t *testing.T) {
	foreign, unknown := standing(peer.Foreign), standing(peer.Unknown)
	links := PageOptions{Links: true}
	tickets := NewTickets("secret")
	known := func(r *http.Request) bool { return r.Host == "secret.localhost:8080" }
	frames := PageOptions{Links: true, Frames: func(r *http.Request) bool { return r.URL.Path == "/frame" }}
	cross, frame, bearer := append(navigation, "Sec-Fetch-Site: cross-site"), []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, "Authorization: Bearer secret"
	for _, tt := range []struct {
		name    string
		opts    PageOptions
		method  string // GET unless given
		target  string // "/x" unless given
		headers []string
		refused string // part of the text; "" admits
	}{
		{name: "a program"},
		{name: "a preflight of our page", method: "OPTIONS", headers: []string{"Origin: http://127.0.0.1:8080", "Access-Control-Request-Method: POST"}},
		{name: "rebinding", headers: []string{"Host: evil.example:8080"}, refused: `not "evil.example:8080"`},
		{name: "rebinding, POST", method: "POST", headers: []string{"Host: evil.example:8080"}, refused: "called"},
		{name: "rebinding, a link", opts: links, headers: append(cross, "Host: evil.example:8080"), refused: "called"},
		{name: "foreign POST", method: "POST", headers: []string{"Origin: https://evil.example"}, refused: `pages of the origin "https://evil.example" may not use this server.`},
		{name: "a long origin", headers: []string{"Origin: " + strings.Repeat("é", 5000)}, refused: "é…"},
		{name: "a foreign picture", headers: []string{"Sec-Fetch-Site: cross-site"}, refused: "another site"},
		{name: "a link", headers: cross, refused: "followed a link"},
		{name: "a link where links are welcome", opts: links, headers: cross},
		{name: "a form where links are welcome", opts: links, method: "POST", headers: cross, refused: "another site"},
		{name: "a frame where links are welcome", opts: links, headers: frame, refused: "another site"},
		{name: "a frame that may be one", opts: frames, target: "/frame", headers: frame},
		{name: "another frame", opts: frames, headers: frame, refused: "another site"},

		{name: "another user", opts: PageOptions{Peer: foreign}, refused: "this server belongs to another user of this machine."},
		{name: "another user, with the token", opts: PageOptions{Peer: foreign, Tickets: tickets}, headers: []string{bearer}, refused: "another user"},
		{name: "another user, with a secret name", opts: PageOptions{Peer: foreign, Known: known}, headers: []string{"Host: secret.localhost:8080"}, refused: "another user"},
		{name: "unknown user", opts: PageOptions{Peer: unknown}, headers: []string{"Authorization: Bearer "}, refused: "this server cannot tell whose program asks: a reason."},
		{name: "unknown user, a ticket without tickets", opts: PageOptions{Peer: unknown}, target: "/x?ticket=", refused: "cannot tell"},
		{name: "unknown user, without the token", opts: PageOptions{Peer: unknown, Tickets: tickets}, refused: "programs send the server's token."},
		{name: "unknown user, with the token", opts: PageOptions{Peer: unknown, Tickets: tickets}, headers: []string{bearer}},
		{name: "unknown user, lower case", opts: PageOptions{Peer: unknown, Tickets: tickets}, headers: []string{"Authorization: bearer secret"}},
		{name: "unknown user, more than the token", opts: PageOptions{Peer: unknown, Tickets: tickets}, headers: []string{bearer + "x"}, refused: "token"},
		{name: "unknown user, another scheme", opts: PageOptions{Peer: unknown, Tickets: tickets}, headers: []string{"Authorization: Basic secret"}, refused: "token"},
		{name: "unknown user, no scheme", opts: PageOptions{Peer: unknown, Tickets: tickets}, headers: []string{"Authorization: secret"}, refused: "token"},
		{name: "unknown user, with the token, foreign page", opts: PageOptions{Peer: unknown, Tickets: tickets}, headers: []string{bearer, "Origin: null"}, refused: "origin"},
		{name: "unknown user, with a secret name", opts: PageOptions{Peer: unknown, Known: known}, headers: []string{"Host: secret.localhost:8080", "Origin: http://secret.localhost:8080", "Sec-Fetch-Site: same-origin"}},
		{name: "unknown user, with another name", opts: PageOptions{Peer: unknown, Known: known}, headers: []string{"Host: other.localhost:8080"}, refused: "called"},
		{name: "unknown user, without a name", opts: PageOptions{Peer: unknown, Known: known}, refused: "cannot tell"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.opts.Peer == nil {
				tt.opts.Peer = own
			}
			if tt.method == "" {
				tt.method = "GET"
			}
			if tt.target == "" {
				tt.target = "/x"
			}
			passed := false
			w := httptest.NewRecorder()
			Pages(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }), tt.opts).ServeHTTP(w, request(tt.method, tt.target, tt.headers...))
			if admits := tt.refused == ""; passed != admits || (w.Code == http.StatusOK) != admits {
				t.Errorf("passed: %t, %d %s", passed, w.Code, w.Body)
			}
			if text := w.Body.String(); tt.refused != "" && (w.Code != http.StatusForbidden || len(text) > 400 || !strings.HasPrefix(text, "Refused: ") || !strings.Contains(text, tt.refused)) {
				t.Errorf("%d %q, want 403 with %q", w.Code, text, tt.refused)
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
				"Cross-Origin-Opener-Policy": "same-origin", "Content-Security-Policy": "frame-ancestors 'self'", "X-Frame-Options": "",
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s = %q, want %q", name, got, want)
				}
			}
		})
	}
	// Who is at the other end of a Unix socket does not count here: it has no pages.
	w := httptest.NewRecorder()
	Pages(http.NotFoundHandler(), PageOptions{}).ServeHTTP(w, arrivedAt(request("GET", "/"), &net.UnixAddr{Name: "/x", Net: "unix"}))
	if w.Code != http.StatusForbidden {
		t.Errorf("at a Unix socket: %d %s", w.Code, w.Body)
	}
}

// A browser of an unknown user comes in with the URL that the server gave, once, at that port.
func TestLink(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tickets := NewTickets("secret")
		passed := 0
		h := Pages(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed++ }), PageOptions{Tickets: tickets, Peer: standing(peer.Unknown)})
		do := func(r *http.Request, cookies ...*http.Cookie) *http.Response {
			for _, c := range cookies {
				r.AddCookie(c)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Result()
		}
		link := tickets.Link("http://127.0.0.1:8080/1/?x=%C3%A9")
		if res := do(request("POST", link)); res.StatusCode != http.StatusForbidden {
			t.Errorf("a POST: %d", res.StatusCode)
		}
		first := do(request("GET", link))
		cookies := first.Cookies()
		if first.StatusCode != http.StatusSeeOther || first.Header.Get("Location") != "/1/?x=%C3%A9" || passed > 0 || len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode {
			t.Fatalf("answer %d to %q, cookies %v, %d reached the handler", first.StatusCode, first.Header.Get("Location"), cookies, passed)
		}
		if body, err := io.ReadAll(first.Body); strings.Contains(string(body), "program") || err != nil {
			t.Errorf("the answer to a ticket refuses it: %s, %v", body, err)
		}
		if res := do(request("GET", "/1/"), cookies...); res.StatusCode != http.StatusOK || passed != 1 {
			t.Errorf("with the cookie: %d", res.StatusCode)
		}
		if res := do(arrivedAt(request("GET", "/1/"), &net.TCPAddr{Port: 8081}), cookies...); res.StatusCode != http.StatusForbidden {
			t.Errorf("with the cookie of another port: %d", res.StatusCode)
		}
		for name, target := range map[string]string{"without the cookie": "/1/", "the link again": link} {
			if res := do(request("GET", target)); res.StatusCode != http.StatusForbidden {
				t.Errorf("%s: %d", name, res.StatusCode)
			}
		}
		u, err := url.Parse(tickets.Link("http://127.0.0.1:8080"))
		if err != nil {
			t.Fatal(err)
		}
		r := request("GET", "/?"+u.RawQuery)
		r.URL.Path = "//evil.example/"
		if got := do(r).Header.Get("Location"); u.Path != "/" || got != "/evil.example/" {
			t.Errorf("%s redirects to %q", u, got)
		}
		old := []string{tickets.Link("/a")}
		time.Sleep(linkLife)
		for range maxLinks + 1 {
			old = append(old, tickets.Link("/a"))
		}
		for i, want := range map[int]int{0: http.StatusForbidden, 1: http.StatusForbidden, 2: http.StatusSeeOther, len(old) - 1: http.StatusSeeOther} {
			if res := do(request("GET", old[i])); res.StatusCode != want {
				t.Errorf("link %d of %d, of which the first has expired and the second is one too many: %d", i, len(old), res.StatusCode)
			}
		}
		if none := (*Tickets)(nil); none.Link("http://x/") != "http://x/" {
			t.Error("without tickets, links have some")
		}
	})
}

// A client that sends all of a body that is too long before it reads gets the answer.
func TestTooLongIsAnswered(t *testing.T) {
	readAll := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		}
	})
	srv := httptest.NewServer(Pages(readAll, PageOptions{MaxBody: 10}))
	defer srv.Close()
	const size = 16 << 20 // more than the buffers between both ends hold
	for _, head := range []string{"Content-Length: " + strconv.Itoa(size) + "\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n" + strconv.FormatInt(size, 16) + "\r\n"} {
		conn, err := net.Dial("tcp", srv.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: "+srv.Listener.Addr().String()+"\r\n"+head); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(append(make([]byte, size), "\r\n0\r\n\r\n"...)); err != nil {
			t.Errorf("%.20q: the client was cut off: %v", head, err)
			continue
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || res.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%.20q: answer %v, %v", head, res, err)
		}
	}
}

// A request without a body stays one: only bodies are wrapped.
func TestNoBodyIsNotWrapped(t *testing.T) {
	for _, body := range []io.ReadCloser{nil, http.NoBody} {
		var got io.Reader
		h := Pages(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Body }), PageOptions{Peer: own})
		r := request("GET", "/")
		r.Body = body
		h.ServeHTTP(httptest.NewRecorder(), r)
		if got != body && (got != nil || body != nil) {
			t.Errorf("the handler gets %T, want %T", got, body)
		}
	}
}
