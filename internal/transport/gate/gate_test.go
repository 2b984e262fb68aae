package gate

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpio"
	"ui-mcp/internal/transport/peer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	navigation     = []string{"Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}
	upgradeHeaders = []string{"Connection: keep-alive, Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"}
)

// Which pages may use the server, by Host, Origin and Sec-Fetch-Site.
func TestSites(t *testing.T) {
	exposed := Options{Exposed: true, Token: ownerToken}
	named := Options{Origins: []string{"https://example.com", "http://localhost:3000"}}
	for _, tt := range []struct {
		name    string
		opts    Options
		target  string // "/sessions" unless given
		method  string // GET unless given
		headers []string
		code    string // of the refusal; "" admits
	}{
		{name: "a program"},
		{name: "rebinding", headers: []string{"Host: evil.example:8080"}, code: "host_not_allowed"},
		{name: "rebinding, WebSocket", headers: append(upgradeHeaders, "Host: evil.example:8080", "Origin: http://evil.example:8080"), code: "host_not_allowed"},
		{name: "rebinding, health", target: "/health", headers: []string{"Host: evil.example:8080"}, code: "host_not_allowed"},
		{name: "rebinding, page", target: "/ui/", headers: []string{"Host: evil.example"}, code: "host_not_allowed"},
		{name: "rebinding, ticket", method: "POST", target: "/auth/ws-ticket", headers: []string{"Host: evil.example"}, code: "host_not_allowed"},

		{name: "our page", headers: []string{"Origin: http://127.0.0.1:8080"}},
		{name: "foreign", headers: []string{"Origin: https://evil.example"}, code: "origin_not_allowed"},
		{name: "foreign POST", method: "POST", target: "/sessions/a/input", headers: []string{"Origin: https://evil.example", "Content-Type: text/plain"}, code: "origin_not_allowed"},
		{name: "foreign WebSocket", target: "/ws/json", headers: append(upgradeHeaders, "Origin: https://evil.example"), code: "origin_not_allowed"},
		{name: "foreign, health", target: "/health", headers: []string{"Origin: https://evil.example"}, code: "origin_not_allowed"},
		{name: "foreign preflight", method: "OPTIONS", headers: []string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, code: "origin_not_allowed"},

		{name: "a typed address", target: "/", headers: append(navigation, "Sec-Fetch-Site: none")},
		{name: "a foreign picture", headers: []string{"Sec-Fetch-Site: cross-site"}, code: "origin_not_allowed"},
		{name: "a link to the page", target: "/ui/", headers: append(navigation, "Sec-Fetch-Site: cross-site")},
		{name: "a link to the API", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},
		{name: "a link to a session", target: "/s/build", headers: append(navigation, "Sec-Fetch-Site: cross-site")},
		{name: "a link to a session of another server", target: "/s/build1%2Fcaf%C3%A9", headers: append(navigation, "Sec-Fetch-Site: cross-site")},
		{name: "a link with another escaped slash", target: "/s/build1%2Fa%2Fb", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},
		{name: "a link to what looks like a session's page", target: "/s%2Fbuild1", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},
		{name: "a link that leads out of the pages", target: "/s/build1%2F..%2F..%2Fsessions", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},
		{name: "a link that leads out of the pages by one slash", target: "/s/..%2Fsessions", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},
		{name: "a link with an escaped letter", target: "/s/build1%2F%61", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},
		{name: "a frame with a session's page", target: "/s/build", headers: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, code: "origin_not_allowed"},
		{name: "a frame with the page", target: "/ui/", headers: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, code: "origin_not_allowed"},
		{name: "a foreign script of the page", target: "/ui/x.js", headers: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"}, code: "origin_not_allowed"},
		{name: "a form to the page", method: "POST", target: "/ui/", headers: append(navigation, "Sec-Fetch-Site: cross-site"), code: "origin_not_allowed"},

		{name: "a named origin", opts: named, headers: []string{"Origin: https://example.com", "Sec-Fetch-Site: cross-site"}},
		{name: "a named origin without TLS", opts: named, headers: []string{"Origin: http://example.com"}, code: "origin_not_allowed"},

		{name: "exposed: any Host", opts: exposed, target: "/health", headers: []string{"Host: my.machine.example:8080"}},
		{name: "exposed: another Host", opts: exposed, target: "/health", headers: []string{"Host: my.machine.example:8080", "Origin: http://other.example:8080"}, code: "origin_not_allowed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.opts)
			if tt.target == "" {
				tt.target = "/sessions"
			}
			if tt.method == "" {
				tt.method = "GET"
			}
			res, code := w.do(request(tt.method, tt.target, tt.headers...))
			if code != tt.code || tt.code != "" && res.StatusCode != http.StatusForbidden {
				t.Errorf("status %d, code %q, want %q", res.StatusCode, code, tt.code)
			}
			if len(w.seen) > 0 != (tt.code == "") {
				t.Errorf("%d requests reached the handler", len(w.seen))
			}
			for _, name := range []string{"X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy", "Content-Security-Policy", "Permissions-Policy"} {
				if res.Header.Get(name) == "" {
					t.Errorf("no %s", name)
				}
			}
			if tt.code != "" && !strings.Contains(w.log.String(), "code="+tt.code) {
				t.Errorf("the refusal is not logged: %q", w.log)
			}
		})
	}
}

// Who sent a request, and what they may do then.
func TestCallers(t *testing.T) {
	reader := terminals.NewToken{Rights: []string{"read"}, Sessions: []string{"a"}}
	foreign, unknown := standing(peer.Foreign), standing(peer.Unknown)
	const anyone, program, owner, limited = "", "read, type, draw, manage, administer", "read, type, draw, manage, administer, answer", "read [a]"
	for _, tt := range []struct {
		name    string
		opts    Options
		target  string   // "/sessions" unless given
		headers []string // TOKEN is an issued token
		local   bool     // over a Unix socket
		rights  string
		status  int // 200 unless given
		code    string
	}{
		{name: "own program", rights: program},
		{name: "own program, another server's token", headers: []string{"Authorization: Bearer some-token-of-another-server"}, rights: program},
		{name: "own program, another scheme", headers: []string{"Authorization: Basic YTpi"}, rights: program},
		{name: "own program, issued token", headers: []string{"Authorization: Bearer TOKEN"}, rights: limited},
		{name: "own program, a token that was never issued", headers: []string{"Authorization: Bearer wsh_AAAAAAAAAAAAAAAAAAAAAAAAAA"}, status: 403, code: "auth_invalid"},
		{name: "own program, a token in the URL", target: "/sessions?token=TOKEN", status: 401, code: "auth_required"},
		{name: "another user", opts: Options{Peer: foreign}, status: 403, code: "not_allowed"},
		{name: "another user, health", opts: Options{Peer: foreign}, target: "/health", status: 403, code: "not_allowed"},
		{name: "another user, with the token", opts: Options{Peer: foreign, Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken}, status: 403, code: "not_allowed"},
		{name: "unknown user", opts: Options{Peer: unknown}, status: 403, code: "not_allowed"},
		{name: "unknown user, health", opts: Options{Peer: unknown}, target: "/health", rights: anyone},
		{name: "unknown user, issued token", opts: Options{Peer: unknown}, headers: []string{"Authorization: Bearer TOKEN"}, rights: limited},
		{name: "unknown user, owner's token", opts: Options{Peer: unknown, Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken}, rights: owner},
		{name: "unknown user without it", opts: Options{Peer: unknown, Token: ownerToken}, status: 401, code: "auth_required"},

		{name: "loopback with a token", opts: Options{Token: ownerToken}, status: 401, code: "auth_required"},
		{name: "loopback with a token, given", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken}, rights: owner},
		{name: "lower case", opts: Options{Token: ownerToken}, headers: []string{"Authorization: bearer " + ownerToken}, rights: owner},
		{name: "wrong", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken + "x"}, status: 403, code: "auth_invalid"},
		{name: "a part of it", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken[:20]}, status: 403, code: "auth_invalid"},
		{name: "empty", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Bearer "}, status: 403, code: "auth_invalid"},
		{name: "no scheme", opts: Options{Token: ownerToken}, headers: []string{"Authorization: " + ownerToken}, status: 401, code: "auth_required"},
		{name: "another scheme", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Basic " + ownerToken}, status: 401, code: "auth_required"},
		{name: "twice", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken, "Authorization: Bearer " + ownerToken}, status: 403, code: "auth_invalid"},
		{name: "in the URL", opts: Options{Token: ownerToken}, target: "/sessions?token=" + ownerToken, status: 401, code: "auth_required"},
		{name: "in the URL and the header", opts: Options{Token: ownerToken}, target: "/sessions?token=" + ownerToken, headers: []string{"Authorization: Bearer " + ownerToken}, status: 401, code: "auth_required"},
		{name: "issued", opts: Options{Token: ownerToken}, headers: []string{"Authorization: Bearer TOKEN"}, rights: limited},
		{name: "a ticket that was never issued", opts: Options{Token: ownerToken}, target: "/ws/json?ticket=x", headers: upgradeHeaders, status: 401, code: "auth_required"},
		{name: "that, where no token is needed", target: "/ws/json?ticket=x", headers: upgradeHeaders, status: 401, code: "auth_required"},
		{name: "a ticket without an upgrade", opts: Options{Token: ownerToken}, target: "/sessions?ticket=x", status: 401, code: "auth_required"},
		{name: "health", opts: Options{Token: ownerToken}, target: "/health", rights: anyone},
		{name: "page", opts: Options{Token: ownerToken}, target: "/", rights: anyone},
		{name: "file of the page", opts: Options{Token: ownerToken}, target: "/ui/a/b.js", rights: anyone},
		{name: "folder of the page", opts: Options{Token: ownerToken}, target: "/ui/", rights: anyone},
		{name: "like a file of the page", opts: Options{Token: ownerToken}, target: "/uix", status: 401, code: "auth_required"},
		{name: "out of the page's folder", opts: Options{Token: ownerToken}, target: "/ui/../sessions", status: 401, code: "auth_required"},
		{name: "out of it, encoded", opts: Options{Token: ownerToken}, target: "/ui/%2e%2e/sessions", status: 401, code: "auth_required"},
		{name: "out of it, with slashes encoded", opts: Options{Token: ownerToken}, target: "/ui%2f..%2fsessions", status: 401, code: "auth_required"},
		{name: "two slashes", opts: Options{Token: ownerToken}, target: "/ui//x", status: 401, code: "auth_required"},
		{name: "docs", opts: Options{Token: ownerToken}, target: "/docs", status: 401, code: "auth_required"},

		{name: "exposed", opts: Options{Exposed: true, Token: ownerToken}, status: 401, code: "auth_required"},
		{name: "exposed, owner", opts: Options{Exposed: true, Token: ownerToken}, headers: []string{"Authorization: Bearer " + ownerToken}, rights: owner},
		{name: "exposed, from another user here", opts: Options{Exposed: true, Token: ownerToken, Peer: foreign}, headers: []string{"Authorization: Bearer " + ownerToken}, rights: owner},
		{name: "Unix socket", opts: Options{Exposed: true, Token: ownerToken, Peer: unknown}, local: true, rights: owner},
		{name: "Unix socket, issued token", opts: Options{Token: ownerToken}, local: true, headers: []string{"Authorization: Bearer TOKEN"}, rights: limited},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.opts.Peer == nil {
				tt.opts.Peer = own
			}
			w := newWorld(t, tt.opts)
			secret := w.token(reader).Secret
			if tt.target == "" {
				tt.target = "/sessions"
			}
			headers := slices.Clone(tt.headers)
			for i := range headers {
				headers[i] = strings.ReplaceAll(headers[i], "TOKEN", secret)
			}
			r := request("GET", strings.ReplaceAll(tt.target, "TOKEN", secret), headers...)
			if tt.local {
				r = arrivedAt(r, &net.UnixAddr{Name: "/run/x.sock", Net: "unix"})
			}
			res, code := w.do(r)
			if tt.status == 0 {
				tt.status = 200
			}
			if res.StatusCode != tt.status || code != tt.code {
				t.Fatalf("status %d, code %q; want %d, %q", res.StatusCode, code, tt.status, tt.code)
			}
			if res.StatusCode == http.StatusUnauthorized != (res.Header.Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate: %q", res.Header.Get("WWW-Authenticate"))
			}
			for _, s := range []string{secret, ownerToken} {
				if strings.Contains(w.log.String(), s) {
					t.Errorf("a token is logged: %s", w.log)
				}
			}
			if tt.status != 200 {
				return
			}
			by := terminals.FromContext(w.seen[0].Context())
			got := by.Rights.String()
			if by.Sessions != nil {
				got += " [" + strings.Join(by.Sessions, ",") + "]"
			}
			if got != tt.rights {
				t.Errorf("the caller may %q, want %q", got, tt.rights)
			}
		})
	}
}

// Pages of the origins that the options name may use the server, and no others.
func TestCORS(t *testing.T) {
	opts := Options{Token: ownerToken, Origins: []string{"https://example.com"}}
	preflight := []string{"Origin: https://example.com", "Access-Control-Request-Method: DELETE", "Access-Control-Request-Headers: authorization"}
	for _, tt := range []struct {
		name    string
		method  string
		headers []string
		status  int
		allowed string // origin
	}{
		{"preflight", "OPTIONS", preflight, 204, "https://example.com"},
		{"OPTIONS that is not a preflight", "OPTIONS", []string{"Origin: https://example.com"}, 401, "https://example.com"},
		{"request", "GET", []string{"Origin: https://example.com", "Authorization: Bearer " + ownerToken}, 200, "https://example.com"},
		{"request without the token", "GET", []string{"Origin: https://example.com"}, 401, "https://example.com"},
		{"own page", "GET", []string{"Origin: http://127.0.0.1:8080", "Authorization: Bearer " + ownerToken}, 200, ""},
		{"foreign page", "GET", []string{"Origin: https://evil.example", "Authorization: Bearer " + ownerToken}, 403, ""},
		{"foreign preflight", "OPTIONS", []string{"Origin: https://evil.example", "Access-Control-Request-Method: GET"}, 403, ""},
		{"two origins", "GET", []string{"Origin: https://example.com", "Origin: https://evil.example"}, 403, "https://example.com"},
		{"a program", "GET", []string{"Authorization: Bearer " + ownerToken}, 200, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, opts)
			res, code := w.do(request(tt.method, "/sessions", tt.headers...))
			if res.StatusCode != tt.status {
				t.Errorf("status %d %s, want %d", res.StatusCode, code, tt.status)
			}
			if got := res.Header.Get("Access-Control-Allow-Origin"); got != tt.allowed {
				t.Errorf("allowed origin %q, want %q", got, tt.allowed)
			}
			if got := res.Header.Get("Vary"); got != "Origin" {
				t.Errorf("Vary: %q", got)
			}
			if got := res.Header.Get("Access-Control-Allow-Credentials"); got != "" {
				t.Errorf("credentials: %q", got)
			}
			if res.StatusCode == http.StatusNoContent {
				methods, headers := res.Header.Get("Access-Control-Allow-Methods"), res.Header.Get("Access-Control-Allow-Headers")
				if methods != "GET, POST, PUT, PATCH, DELETE, OPTIONS" || headers != "Authorization, Content-Type, Last-Event-Id, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name" {
					t.Errorf("methods %q, headers %q", methods, headers)
				}
				if len(w.seen) > 0 {
					t.Error("the preflight reached the handler")
				}
			}
			if exposed := res.Header.Get("Access-Control-Expose-Headers"); tt.allowed != "" && !strings.Contains(exposed, "Mcp-Session-Id") {
				t.Errorf("a page's client of MCP cannot read its session: %q", exposed)
			}
		})
	}
	// Without named origins there is no CORS at all.
	w := newWorld(t, Options{})
	if res, _ := w.do(request("OPTIONS", "/sessions", "Origin: http://127.0.0.1:8080")); res.Header.Get("Access-Control-Allow-Origin") != "" || res.Header.Get("Vary") != "" {
		t.Errorf("headers %v", res.Header)
	}
}

// With a base prefix, the server's paths are below it.
func TestPrefix(t *testing.T) {
	for _, prefix := range []string{"/p", "/p/", "/a/b-c_1.2~"} {
		base := strings.TrimRight(prefix, "/")
		for _, tt := range []struct {
			target string
			path   string // that the handler sees
			raw    string
			code   string
		}{
			{target: base + "/sessions", path: "/sessions"},
			{target: base + "/sessions/a%2Fb/screen", path: "/sessions/a/b/screen", raw: "/sessions/a%2Fb/screen"},
			{target: base, path: "/"},
			{target: base + "/", path: "/"},
			{target: base + "/health", path: "/health"},
			{target: "/health", path: "/health"},
			{target: "/sessions", code: "not_found"},
			{target: "/", code: "not_found"},
			{target: base + "x/sessions", code: "not_found"},
			{target: base + "//sessions", path: "//sessions"},
			{target: "/auth/ws-ticket", code: "not_found"},
			{target: "/%70/sessions", code: "not_found"},
			{target: base + "%2Fsessions", code: "not_found"},
		} {
			t.Run(tt.target, func(t *testing.T) {
				w := newWorld(t, Options{BasePrefix: prefix})
				_, code := w.do(request("GET", tt.target))
				if code != tt.code {
					t.Fatalf("code %q, want %q", code, tt.code)
				}
				if code != "" {
					return
				}
				r := w.seen[0]
				if r.URL.Path != tt.path || r.URL.RawPath != tt.raw || httpio.Prefix(r.Context()) != base {
					t.Errorf("path %q, encoded %q, prefix %q", r.URL.Path, r.URL.RawPath, httpio.Prefix(r.Context()))
				}
			})
		}
	}
	// Outside of the prefix, nothing says more than that a token is needed.
	w := newWorld(t, Options{BasePrefix: "/p", Token: ownerToken})
	if res, code := w.do(request("GET", "/sessions")); res.StatusCode != 401 {
		t.Errorf("%d %s", res.StatusCode, code)
	}
	if res, code := w.do(request("GET", "/p/ui/x")); res.StatusCode != 200 {
		t.Errorf("a file of the page: %d %s", res.StatusCode, code)
	}
}

func TestRateLimit(t *testing.T) {
	w := newWorld(t, Options{Rate: 3, Token: ownerToken})
	for i := range 3 {
		// Wrong tokens count, too: nobody can guess faster than the rate.
		if res, code := w.do(request("GET", "/sessions", "Authorization: Bearer "+ownerToken+"x")); res.StatusCode != 403 {
			t.Fatalf("request %d: %d %s", i, res.StatusCode, code)
		}
	}
	res, code := w.do(request("GET", "/sessions", "Authorization: Bearer "+ownerToken))
	if res.StatusCode != 429 || code != "rate_limited" || res.Header.Get("Retry-After") != "1" || res.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %s, %v", res.StatusCode, code, res.Header)
	}
	if res, code := w.do(request("GET", "/health")); res.StatusCode != 200 {
		t.Errorf("health: %d %s", res.StatusCode, code)
	}
	r := request("GET", "/sessions", "Authorization: Bearer "+ownerToken)
	r.RemoteAddr = "127.0.0.2:1"
	if res, code := w.do(r); res.StatusCode != 200 {
		t.Errorf("another address: %d %s", res.StatusCode, code)
	}
	for _, tt := range []struct {
		opts Options
		want bool
	}{
		{Options{}, false}, {Options{Rate: -1}, false}, {Options{Exposed: true, Token: ownerToken}, true}, {Options{Exposed: true, Token: ownerToken, Rate: -1}, false},
	} {
		if h := newWorld(t, tt.opts).handler.(*gate); (h.limiter != nil) != tt.want {
			t.Errorf("%+v: limited %t, want %t", tt.opts, !tt.want, tt.want)
		}
	}
}

// Bodies are limited, but only for callers who may send any.
func TestBody(t *testing.T) {
	w := newWorld(t, Options{Token: ownerToken, MaxBody: 10})
	send := func(size int, headers ...string) (*http.Response, string) {
		r := request("POST", "/sessions", headers...)
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", size))), int64(size)
		return w.do(r)
	}
	if res, code := send(11, "Authorization: Bearer "+ownerToken); res.StatusCode != 413 || code != "invalid_request" {
		t.Errorf("%d %s", res.StatusCode, code)
	}
	if res, code := send(10, "Authorization: Bearer "+ownerToken); res.StatusCode != 200 {
		t.Errorf("at the limit: %d %s", res.StatusCode, code)
	}
	if res, code := send(11); res.StatusCode != 401 {
		t.Errorf("without the token: %d %s", res.StatusCode, code)
	}
}

func TestInvalidOptions(t *testing.T) {
	tokens := newWorld(t, Options{}).local.Tokens()
	next := http.NotFoundHandler()
	for _, o := range []Options{
		{Exposed: true},
		{Token: "short"},
		{Token: "with a space in it"},
		{Token: "with-ümlaut-in-it-somewhere"},
		{Origins: []string{"*"}},
		{Origins: []string{"null"}},
		{Origins: []string{"example.com"}},
		{Origins: []string{"https://example.com/"}},
		{Origins: []string{"https://*.example.com"}},
		{BasePrefix: "p"},
		{BasePrefix: "/a//b"},
		{BasePrefix: "/a/../b"},
		{BasePrefix: "/ä"},
		{BasePrefix: "/a?b"},
		{BasePrefix: "/%70"},
	} {
		o.Tokens, o.Log = tokens, silent()
		if _, err := New(next, o); fault.KindOf(err) != fault.Invalid || err == nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestIsExposed(t *testing.T) {
	for ip, want := range map[string]bool{"127.0.0.1": false, "127.255.1.2": false, "::1": false, "0.0.0.0": true, "::": true, "": true, "192.168.1.2": true, "fe80::1": true} {
		if got := IsExposed(&net.TCPAddr{IP: net.ParseIP(ip)}); got != want {
			t.Errorf("%q: %t", ip, got)
		}
	}
	if IsExposed(&net.UnixAddr{Name: "x"}) {
		t.Error("a Unix socket")
	}
}

// Refusals are logged, but so few that strangers cannot fill a disk.
func TestRefusalLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		for range 10 * maxRefusals {
			w.do(request("GET", "/a%0Ab?secret", "Host: evil.example", "Origin: http://x\"y"))
		}
		lines := strings.Split(strings.TrimSpace(w.log.String()), "\n")
		if len(lines) != maxRefusals || strings.Contains(w.log.String(), "secret") {
			t.Errorf("%d lines, such as %s", len(lines), lines[0])
		}
		time.Sleep(time.Second)
		w.log.Reset()
		w.do(request("GET", "/", "Host: evil.example"))
		if want := fmt.Sprintf("omitted=%d", 9*maxRefusals); !strings.Contains(w.log.String(), want) {
			t.Errorf("%q does not say %s", w.log, want)
		}
	})
}

// Only reading the health or a page needs no credentials.
func TestIsOpen(t *testing.T) {
	for method, want := range map[string]bool{"GET": true, "HEAD": true, "POST": false, "DELETE": false} {
		for _, path := range []string{"/health", "/"} {
			if isOpen(request(method, path)) != want {
				t.Errorf("%s %s needs credentials: %v", method, path, want)
			}
		}
	}
}

// What opens a WebSocket has all of its headers, and is a GET.
func TestIsUpgrade(t *testing.T) {
	whole := []string{"Upgrade: WebSocket", "Connection: keep-alive, Upgrade", "Sec-Websocket-Key: k"}
	if !isUpgrade(request("GET", "/ws", whole...)) {
		t.Error("a whole request does not count")
	}
	if isUpgrade(request("POST", "/ws", whole...)) {
		t.Error("a POST counts")
	}
	for i := range whole {
		if isUpgrade(request("GET", "/ws", slices.Concat(whole[:i], whole[i+1:])...)) {
			t.Errorf("it counts without %q", whole[i])
		}
	}
}

func TestIsPreflight(t *testing.T) {
	whole := []string{"Origin: http://a.example", "Access-Control-Request-Method: POST"}
	if !isPreflight(request("OPTIONS", "/", whole...)) || isPreflight(request("GET", "/", whole...)) {
		t.Error("only OPTIONS is a preflight")
	}
	for _, header := range whole {
		if isPreflight(request("OPTIONS", "/", header)) {
			t.Errorf("it counts with %q only", header)
		}
	}
}

func TestCheckPrefix(t *testing.T) {
	for prefix, want := range map[string]string{"": "", "/": "", "/azAZ09-._~": "/azAZ09-._~", "/a/b/": "/a/b"} {
		if got, err := checkPrefix(prefix); got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", prefix, got, err, want)
		}
	}
	for _, c := range "`{@[:?#%é" {
		if _, err := checkPrefix("/a" + string(c)); err == nil {
			t.Errorf("%q is taken", c)
		}
	}
}

// One refused connection a second is logged.
func TestWarnsOnceASecond(t *testing.T) {
	l := Limit(nil, silent())
	at := time.Now()
	for _, tt := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {0, false}, {time.Second - 1, false}, {time.Second, true}, {time.Second, false}} {
		if _, got := l.pace.allow(at.Add(tt.after)); got != tt.want {
			t.Errorf("after %v: %v", tt.after, got)
		}
	}
}

// Addresses without a connection are forgotten, and no others.
func TestLeave(t *testing.T) {
	l := Limit(nil, silent())
	key, ok := network("192.0.2.1:5")
	if !ok || !l.enter(key, true) || !l.enter(key, true) {
		t.Fatal("it cannot enter")
	}
	for _, want := range []int{1, 0} {
		l.leave(key, true)
		if l.byPeer[key] != want || len(l.byPeer) != want || l.open != want {
			t.Errorf("%d of %d addresses are open, %d in all; want %d", l.byPeer[key], len(l.byPeer), l.open, want)
		}
	}
}

// Pages are apart from the windows of other sites; nothing else needs that.
func TestPagesAreApart(t *testing.T) {
	w := newWorld(t, Options{})
	for path, want := range map[string]string{"/": "same-origin", "/health": "", "/sessions": ""} {
		if res, _ := w.do(request("GET", path)); res.Header.Get("Cross-Origin-Opener-Policy") != want {
			t.Errorf("%s: %v", path, res.Header)
		}
	}
}

// What the program itself leaves out is noticed at its start.
func TestRequiredOptions(t *testing.T) {
	tokens := terminals.NewLocal(nil, terminals.Host{}).Tokens()
	for name, make := range map[string]func(){
		"handler": func() { _, _ = New(nil, Options{Tokens: tokens, Log: silent()}) },
		"tokens":  func() { _, _ = New(http.NotFoundHandler(), Options{Log: silent()}) },
		"log":     func() { _, _ = New(http.NotFoundHandler(), Options{Tokens: tokens}) },
	} {
		func() {
			defer func() {
				if p, _ := recover().(string); !strings.HasPrefix(p, "gate: ") {
					t.Errorf("without its %s: %v", name, p)
				}
			}()
			make()
		}()
	}
}
