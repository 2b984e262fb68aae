package guard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"ui-mcp/internal/transport/peer"
)

// request makes a request that arrived at port 8000 with the headers given as "Name: value" lines.
// Host is a header here, too.
func request(method string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/x", nil)
	r.Host = "127.0.0.1:8000"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		value = strings.TrimPrefix(value, " ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Add(name, value)
		}
	}
	return arrivedAt(r, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8000})
}

// newGuard returns a guard that takes every request for one of our own programs.
func newGuard(next http.Handler, opts Options) http.Handler {
	opts.Peer = func(*http.Request) (peer.Standing, error) { return peer.Own, nil }
	return New(next, opts)
}

func arrivedAt(r *http.Request, addr net.Addr) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, addr))
}

func TestGuard(t *testing.T) {
	navigation := []string{"Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}
	tests := []struct {
		name    string
		method  string // GET unless given
		opts    Options
		headers []string
		refused string // part of the reason; "" means let through
	}{
		{name: "a program"},
		{name: "localhost", headers: []string{"Host: localhost:8000"}},
		{name: "rebound name", headers: []string{"Host: evil.example:8000"}, refused: `not "evil.example:8000"`},
		{name: "rebound name in a POST", method: "POST", headers: []string{"Host: evil.example:8000"}, refused: "called"},

		{name: "own origin", headers: []string{"Origin: http://127.0.0.1:8000"}},
		{name: "foreign origin", headers: []string{"Origin: https://evil.example"}, refused: `"https://evil.example"`},
		{name: "foreign origin in a POST", method: "POST", headers: []string{"Origin: https://evil.example"}, refused: "origin"},
		{name: "two origins", headers: []string{"Origin: http://127.0.0.1:8000", "Origin: https://evil.example"}, refused: "more than one"},
		{name: "long origin", headers: []string{"Origin: " + strings.Repeat("é", 5000)}, refused: "é…"},

		{name: "typed address", headers: append(navigation, "Sec-Fetch-Site: none")},
		{name: "image on a foreign page", headers: []string{"Sec-Fetch-Site: cross-site"}, refused: "another site"},
		{name: "link", headers: append(navigation, "Sec-Fetch-Site: cross-site"), refused: "followed a link"},
		{name: "link where links are welcome", opts: Options{Links: true}, headers: append(navigation, "Sec-Fetch-Site: cross-site")},
		{name: "link from another port where links are welcome", opts: Options{Links: true}, headers: append(navigation, "Sec-Fetch-Site: same-site")},
		{name: "form where links are welcome", method: "POST", opts: Options{Links: true}, headers: append(navigation, "Sec-Fetch-Site: cross-site"), refused: "another site"},
		{name: "frame where links are welcome", opts: Options{Links: true}, headers: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, refused: "another site"},
		{name: "fetch where links are welcome", opts: Options{Links: true}, headers: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: empty"}, refused: "another site"},
		{name: "link by a rebound name", opts: Options{Links: true}, headers: append(navigation, "Host: evil.example:8000"), refused: "called"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			passed := false
			h := newGuard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }), test.opts)
			method := test.method
			if method == "" {
				method = "GET"
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, request(method, test.headers...))
			if test.refused == "" {
				if !passed || w.Code != http.StatusOK {
					t.Fatalf("refused: %d %s", w.Code, w.Body)
				}
				return
			}
			if passed {
				t.Fatal("let through")
			}
			if w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), test.refused) {
				t.Errorf("answer = %d %q, want 403 with %q", w.Code, w.Body, test.refused)
			}
			if n := w.Body.Len(); n > 400 {
				t.Errorf("the answer has %d bytes", n)
			}
		})
	}
}

func TestNoPortIsRefused(t *testing.T) {
	for _, r := range []*http.Request{
		httptest.NewRequest("GET", "/", nil),
		arrivedAt(request("GET"), &net.UnixAddr{Name: "/x", Net: "unix"}),
	} {
		w := httptest.NewRecorder()
		newGuard(http.NotFoundHandler(), Options{}).ServeHTTP(w, r)
		if w.Code != http.StatusForbidden {
			t.Errorf("answer = %d %s", w.Code, w.Body)
		}
	}
}

func TestHeaders(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		req  *http.Request
		csp  string
	}{
		{"let through", Options{}, request("GET"), "frame-ancestors 'self'"},
		{"refused", Options{}, request("GET", "Origin: null"), "frame-ancestors 'self'"},
		{"other frames", Options{FrameAncestors: "'none'"}, request("GET"), "frame-ancestors 'none'"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			newGuard(http.NotFoundHandler(), test.opts).ServeHTTP(w, test.req)
			for name, want := range map[string]string{
				"X-Content-Type-Options":       "nosniff",
				"Referrer-Policy":              "no-referrer",
				"Cross-Origin-Resource-Policy": "same-origin",
				"Cross-Origin-Opener-Policy":   "same-origin",
				"Content-Security-Policy":      test.csp,
			} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s = %q, want %q", name, got, want)
				}
			}
		})
	}
}

// The whole way: a real listener, so that the port comes from the connection.
func TestListener(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
			http.Error(w, tooLong.Error(), http.StatusTeapot)
		} else if err != nil {
			t.Errorf("reading the body: %v", err)
		}
	})
	srv := httptest.NewServer(New(h, Options{MaxBody: 10}))
	defer srv.Close()
	addr := srv.Listener.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}

	tests := []struct {
		name, host, origin string
		body               io.Reader
		status             int
	}{
		{"program", addr, "", strings.NewReader("0123456789"), 200},
		{"by name", "localhost:" + port, "http://localhost:" + port, nil, 200},
		{"foreign origin", addr, "https://evil.example", nil, 403},
		{"rebound name", "evil.example:" + port, "", nil, 403},
		{"forwarded port", "localhost:1", "http://localhost:1", nil, 200},
		{"long body", addr, "", strings.NewReader("0123456789X"), 413},
		// A reader of unknown length is sent in chunks: the limit is found while reading.
		{"long body in chunks", addr, "", io.MultiReader(strings.NewReader("0123456789X")), 418},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), "POST", srv.URL, test.body)
			if err != nil {
				t.Fatal(err)
			}
			r.Host = test.host
			if test.origin != "" {
				r.Header.Set("Origin", test.origin)
			}
			res, err := srv.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != test.status {
				text, _ := io.ReadAll(res.Body)
				t.Errorf("status = %d %s, want %d", res.StatusCode, text, test.status)
			}
		})
	}
}

func TestRequireJSON(t *testing.T) {
	tests := []struct {
		method, contentType, body string
		status                    int
	}{
		{"POST", "application/json", "{}", 200},
		{"POST", "application/json; charset=utf-8", "{}", 200},
		{"POST", "Application/JSON;charset=UTF-8", "{}", 200},
		{"POST", "application/json; charset=latin1", "{}", 415},
		{"POST", "application/json;;;", "{}", 415},
		{"POST", "text/plain", "{}", 415},
		{"POST", "application/x-www-form-urlencoded", "a=b", 415},
		{"POST", "", "{}", 415},
		{"POST", "", "", 415},
		{"PUT", "text/plain", "{}", 415},
		{"PATCH", "text/plain", "{}", 415},
		{"GET", "", "", 200},
		{"GET", "text/plain", "{}", 415},
		{"DELETE", "", "", 200},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.contentType, func(t *testing.T) {
			r := httptest.NewRequest(test.method, "/", strings.NewReader(test.body))
			if test.contentType != "" {
				r.Header.Set("Content-Type", test.contentType)
			}
			w := httptest.NewRecorder()
			Refuser(inText).RequireJSON(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ServeHTTP(w, r)
			if w.Code != test.status {
				t.Errorf("status = %d %s, want %d", w.Code, w.Body, test.status)
			}
		})
	}
}

// Each server gets to say in its own form what is refused, and why.
func TestRefuser(t *testing.T) {
	var got []Refusal
	refuse := Refuser(func(w http.ResponseWriter, _ *http.Request, r Refusal) {
		got = append(got, r)
		w.WriteHeader(r.Status)
	})
	h := newGuard(refuse.RequireJSON(http.NotFoundHandler()), Options{Refuse: refuse, MaxBody: 3})
	long := request("POST")
	long.ContentLength = 4
	for _, tt := range []struct {
		name   string
		req    *http.Request
		status int
		reason Reason
	}{
		{"no port", httptest.NewRequest("GET", "/", nil), 403, ForeignHost},
		{"host", request("GET", "Host: evil.example:8000"), 403, ForeignHost},
		{"origin", request("GET", "Origin: null"), 403, ForeignOrigin},
		{"site", request("GET", "Sec-Fetch-Site: cross-site"), 403, ForeignOrigin},
		{"long", long, 413, TooLong},
		{"not JSON", request("POST"), 415, NotJSON},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got = nil
			w := httptest.NewRecorder()
			h.ServeHTTP(w, tt.req)
			if w.Code != tt.status || w.Body.Len() != 0 {
				t.Errorf("answer %d %q", w.Code, w.Body)
			}
			if len(got) != 1 || got[0].Status != tt.status || got[0].Reason != tt.reason || got[0].Text == "" {
				t.Errorf("refusals %+v, want %d for reason %d", got, tt.status, tt.reason)
			}
		})
	}
}

// A client that sends all of a body that is too long before it reads gets the answer.
func TestTooLongIsAnswered(t *testing.T) {
	readAll := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			http.Error(w, "too long", http.StatusRequestEntityTooLarge)
		}
	})
	srv := httptest.NewServer(New(readAll, Options{MaxBody: 10}))
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
		h := newGuard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Body }), Options{})
		r := request("GET")
		r.Body = body
		h.ServeHTTP(httptest.NewRecorder(), r)
		if got != body && (got != nil || body != nil) {
			t.Errorf("the handler gets %T, want %T", got, body)
		}
	}
}
