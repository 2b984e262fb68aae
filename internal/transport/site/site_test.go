package site

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// request makes a request that arrived at port 8080 with the headers given as "Name: value" lines.
// Host is a header here, too, and TLS says that it came by that.
func request(method string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/x", nil)
	r.Host = "127.0.0.1:8080"
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		switch value = strings.TrimPrefix(value, " "); name {
		case "Host":
			r.Host = value
		case "TLS":
			r.TLS = new(tls.ConnectionState)
		default:
			r.Header.Add(name, value)
		}
	}
	return r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}))
}

// Which pages may use a server, by Host, Origin and Sec-Fetch-Site.
func TestCheck(t *testing.T) {
	navigation := []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}
	tab, frame := append(navigation, "Sec-Fetch-Dest: document"), append(navigation, "Sec-Fetch-Dest: iframe")
	secret := func(r *http.Request) bool { return r.Host == "secret.localhost:8080" }
	others := Rules{Others: []Origin{{"https", "example.com", 443}, {"http", "localhost", 3000}}}
	opens := func(which Destination) Rules {
		return Rules{Opens: func(_ *http.Request, to Destination) bool { return to == which }}
	}
	for _, tt := range []struct {
		name    string
		rules   Rules
		anyHost bool
		method  string // GET unless given
		headers []string
		problem Problem
	}{
		{name: "a program"},
		{name: "localhost", headers: []string{"Host: localhost:8080"}},
		{name: "LOCALHOST", headers: []string{"Host: LocalHost:8080"}},
		{name: "IPv6", headers: []string{"Host: [::1]:8080"}},
		{name: "IPv6 in full", headers: []string{"Host: [0:0:0:0:0:0:0:1]:8080"}},
		{name: "IPv4 in IPv6", headers: []string{"Host: [::ffff:127.0.0.1]:8080"}},
		{name: "another loopback address", headers: []string{"Host: 127.8.9.10:8080"}},
		{name: "a forwarded port", headers: []string{"Host: localhost:9000"}},
		{name: "a forwarded port of an IPv6 address", headers: []string{"Host: [::1]:9000"}},
		{name: "no port", headers: []string{"Host: localhost"}},
		{name: "rebinding", headers: []string{"Host: evil.example:8080"}, problem: ForeignHost},
		{name: "rebinding, POST", method: "POST", headers: []string{"Host: evil.example:8080"}, problem: ForeignHost},
		{name: "rebinding, its own page", headers: []string{"Host: evil.example:8080", "Origin: http://evil.example:8080"}, problem: ForeignHost},
		{name: "rebinding, a link", rules: opens(Tab), headers: append(tab, "Host: evil.example:8080"), problem: ForeignHost},
		{name: "a name that begins like ours", headers: []string{"Host: localhost.evil.example"}, problem: ForeignHost},
		{name: "a name that begins like an address", headers: []string{"Host: 127.0.0.1.evil.example"}, problem: ForeignHost},
		{name: "a name that ends like ours", headers: []string{"Host: evil-localhost"}, problem: ForeignHost},
		{name: "a subdomain of ours", headers: []string{"Host: evil.localhost"}, problem: ForeignHost},
		{name: "a dot at the end", headers: []string{"Host: localhost.:8080"}, problem: ForeignHost},
		{name: "a user", headers: []string{"Host: localhost:8080@evil.example"}, problem: ForeignHost},
		{name: "port 0", headers: []string{"Host: localhost:0"}, problem: ForeignHost},
		{name: "a port with a sign", headers: []string{"Host: localhost:+80"}, problem: ForeignHost},
		{name: "a port too large", headers: []string{"Host: localhost:65536"}, problem: ForeignHost},
		{name: "a port that is a name", headers: []string{"Host: localhost:http"}, problem: ForeignHost},
		{name: "an empty port", headers: []string{"Host: localhost:"}, problem: ForeignHost},
		{name: "two ports", headers: []string{"Host: localhost:80:80"}, problem: ForeignHost},
		{name: "only a port", headers: []string{"Host: :8080"}, problem: ForeignHost},
		{name: "no host", headers: []string{"Host: "}, problem: ForeignHost},
		{name: "any address", headers: []string{"Host: 0.0.0.0:8080"}, problem: ForeignHost},
		{name: "any IPv6 address", headers: []string{"Host: [::]:8080"}, problem: ForeignHost},
		{name: "IPv6 without brackets", headers: []string{"Host: ::1"}, problem: ForeignHost},
		{name: "a zone", headers: []string{"Host: [::1%25lo]:8080"}, problem: ForeignHost},
		{name: "a short address", headers: []string{"Host: 127.1:8080"}, problem: ForeignHost},
		{name: "a number for an address", headers: []string{"Host: 2130706433"}, problem: ForeignHost},
		{name: "IPv4 in brackets", headers: []string{"Host: [127.0.0.1]:8080"}, problem: ForeignHost},

		{name: "a secret name", rules: Rules{Known: secret}, headers: []string{"Host: secret.localhost:8080"}},
		{name: "its page", rules: Rules{Known: secret}, headers: []string{"Host: secret.localhost:8080", "Origin: http://secret.localhost:8080", "Sec-Fetch-Site: same-origin"}},
		{name: "its page at another name", rules: Rules{Known: secret}, headers: []string{"Origin: http://secret.localhost:8080"}, problem: ForeignOrigin},
		{name: "a foreign page at a secret name", rules: Rules{Known: secret}, headers: []string{"Host: secret.localhost:8080", "Origin: http://evil.example"}, problem: ForeignOrigin},
		{name: "a name that is no secret", rules: Rules{Known: secret}, headers: []string{"Host: other.localhost:8080"}, problem: ForeignHost},

		{name: "our page", headers: []string{"Origin: http://127.0.0.1:8080", "Sec-Fetch-Site: same-origin"}},
		{name: "our page by another name", headers: []string{"Origin: http://localhost:8080"}},
		{name: "our page by another address", headers: []string{"Origin: http://[::1]:8080"}},
		{name: "our page by another name, for a browser that says so", headers: []string{"Origin: http://localhost:8080", "Sec-Fetch-Site: cross-site"}, problem: ForeignOrigin},
		{name: "our page at another port", headers: []string{"Host: localhost:9000", "Origin: http://localhost:8080", "Sec-Fetch-Site: same-site"}},
		{name: "a page at a forwarded port", headers: []string{"Host: localhost:9000", "Origin: http://localhost:9000"}},
		{name: "a page forwarded with TLS", headers: []string{"Host: localhost:9000", "Origin: https://localhost:9000"}},
		{name: "another page at a forwarded port", headers: []string{"Host: localhost:9000", "Origin: http://localhost:9001"}, problem: ForeignOrigin},
		{name: "a page of the forwarded port at ours", headers: []string{"Origin: http://localhost:9000"}, problem: ForeignOrigin},
		{name: "a default port", headers: []string{"Host: localhost:80", "Origin: http://localhost"}},
		{name: "a default port left out twice", headers: []string{"Host: localhost", "Origin: http://localhost"}},
		{name: "our page over TLS", headers: []string{"TLS: ", "Host: localhost:8080", "Origin: https://localhost:8080"}},
		{name: "our page over TLS by another name", headers: []string{"TLS: ", "Origin: https://localhost:8080"}},
		{name: "a plain page at a server with TLS", headers: []string{"TLS: ", "Origin: http://localhost:8080"}, problem: ForeignOrigin},
		{name: "a page over TLS by another name", headers: []string{"Origin: https://localhost:8080"}, problem: ForeignOrigin},
		{name: "another port", headers: []string{"Origin: http://127.0.0.1:3000"}, problem: ForeignOrigin},
		{name: "no port, another page", headers: []string{"Origin: http://127.0.0.1"}, problem: ForeignOrigin},
		{name: "foreign", headers: []string{"Origin: https://evil.example"}, problem: ForeignOrigin},
		{name: "foreign POST", method: "POST", headers: []string{"Origin: https://evil.example", "Content-Type: text/plain"}, problem: ForeignOrigin},
		{name: "foreign HEAD", method: "HEAD", headers: []string{"Origin: https://evil.example"}, problem: ForeignOrigin},
		{name: "foreign DELETE", method: "DELETE", headers: []string{"Origin: https://evil.example"}, problem: ForeignOrigin},
		{name: "foreign WebSocket", headers: []string{"Origin: https://evil.example", "Connection: Upgrade", "Upgrade: websocket"}, problem: ForeignOrigin},
		{name: "foreign preflight", method: "OPTIONS", headers: []string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, problem: ForeignOrigin},
		{name: "null", headers: []string{"Origin: null"}, problem: ForeignOrigin},
		{name: "empty", headers: []string{"Origin: "}, problem: ForeignOrigin},
		{name: "two", headers: []string{"Origin: http://127.0.0.1:8080", "Origin: https://evil.example"}, problem: ForeignOrigin},
		{name: "ours twice", headers: []string{"Origin: http://127.0.0.1:8080", "Origin: http://127.0.0.1:8080"}, problem: ForeignOrigin},
		{name: "a path", headers: []string{"Origin: http://127.0.0.1:8080/"}, problem: ForeignOrigin},
		{name: "another scheme", headers: []string{"Origin: ws://127.0.0.1:8080"}, problem: ForeignOrigin},
		{name: "a user before our name", headers: []string{"Origin: http://evil@127.0.0.1:8080"}, problem: ForeignOrigin},
		{name: "our name before a foreign one", headers: []string{"Origin: http://127.0.0.1:8080@evil.example"}, problem: ForeignOrigin},
		{name: "very long", headers: []string{"Origin: http://" + strings.Repeat("é", 5000)}, problem: ForeignOrigin},

		{name: "a typed address", headers: []string{"Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}},
		{name: "a part of our page", headers: []string{"Sec-Fetch-Site: same-origin"}},
		{name: "a foreign picture", headers: []string{"Sec-Fetch-Site: cross-site"}, problem: ForeignOrigin},
		{name: "a foreign page with our origin", headers: []string{"Sec-Fetch-Site: cross-site", "Origin: http://127.0.0.1:8080"}, problem: ForeignOrigin},
		{name: "a picture on a page of another port", headers: []string{"Sec-Fetch-Site: same-site"}, problem: ForeignOrigin},
		{name: "an unknown site", headers: []string{"Sec-Fetch-Site: elsewhere"}, problem: ForeignOrigin},
		{name: "two sites", headers: []string{"Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"}, problem: ForeignOrigin},

		{name: "a link", headers: tab, problem: ForeignOrigin},
		{name: "a link that is welcome", rules: opens(Tab), headers: tab},
		{name: "a link from another port", rules: opens(Tab), headers: []string{"Sec-Fetch-Site: same-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}},
		{name: "a form where links are welcome", method: "POST", rules: opens(Tab), headers: tab, problem: ForeignOrigin},
		{name: "a frame where links are welcome", rules: opens(Tab), headers: frame, problem: ForeignOrigin},
		{name: "a frame that is welcome", rules: opens(Frame), headers: frame},
		{name: "a fetch where links are welcome", rules: opens(Tab), headers: []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: document"}, problem: ForeignOrigin},
		{name: "a script where all is welcome", rules: Rules{Opens: func(*http.Request, Destination) bool { return true }}, headers: append(navigation, "Sec-Fetch-Dest: script"), problem: ForeignOrigin},

		{name: "a named origin", rules: others, headers: []string{"Origin: https://example.com", "Sec-Fetch-Site: cross-site"}},
		{name: "a named origin with its port", rules: others, headers: []string{"Origin: https://example.com:443"}},
		{name: "another named origin", rules: others, headers: []string{"Origin: http://localhost:3000"}},
		{name: "a named origin without TLS", rules: others, headers: []string{"Origin: http://example.com"}, problem: ForeignOrigin},
		{name: "a subdomain of a named origin", rules: others, headers: []string{"Origin: https://x.example.com"}, problem: ForeignOrigin},
		{name: "a named origin and a foreign Host", rules: others, headers: []string{"Origin: https://example.com", "Host: example.com"}, problem: ForeignHost},

		{name: "any Host", anyHost: true, headers: []string{"Host: my.machine.example:8080"}},
		{name: "the page of that Host", anyHost: true, headers: []string{"Host: my.machine.example:8080", "Origin: http://my.machine.example:8080"}},
		{name: "the page of another Host", anyHost: true, headers: []string{"Host: my.machine.example:8080", "Origin: http://other.example:8080"}, problem: ForeignOrigin},
		{name: "any Host, another scheme", anyHost: true, headers: []string{"Host: my.machine.example", "Origin: https://my.machine.example"}, problem: ForeignOrigin},
		{name: "any Host with TLS", anyHost: true, headers: []string{"TLS: ", "Host: my.machine.example:8080", "Origin: https://my.machine.example:8080"}},
		{name: "any Host with TLS, a plain page", anyHost: true, headers: []string{"TLS: ", "Host: my.machine.example:8080", "Origin: http://my.machine.example:8080"}, problem: ForeignOrigin},
		{name: "any Host, a page of the loopback", anyHost: true, headers: []string{"Host: my.machine.example:8080", "Origin: http://localhost:8080"}, problem: ForeignOrigin},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.method == "" {
				tt.method = "GET"
			}
			got, text := tt.rules.Check(request(tt.method, tt.headers...), tt.anyHost)
			if got != tt.problem || (text == "") != (got == None) || len(text) > 300 {
				t.Errorf("problem %d %q, want %d", got, text, tt.problem)
			}
		})
	}
}

// Hosts have the characters of names and addresses only.
func TestHostNames(t *testing.T) {
	for host, want := range map[string]bool{
		"azAZ09-._": false, "az09-._": true, "": false, "[::1]": true, "[::1": false, "[1.2.3.4]": false, "[::1%lo]": false, "[x]": false,
	} {
		if got := isHostName(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	for _, c := range "`{/:@A" {
		if isHostName(string(c)) {
			t.Errorf("%q is taken", c)
		}
	}
	for text, want := range map[string]bool{"http://a": true, "https://a": true, "ws://a": false, "http:a": false, "http": false, "a": false} {
		if _, got := ParseOrigin(text); got != want {
			t.Errorf("origin %q: %v", text, got)
		}
	}
}

// What counts as an origin means the same to the standard library.
func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"http://localhost:80", "https://[::1]:443", "http://[::1%25lo]", "null", "http://a@b", "http://a:0", "http://", "http://a]:1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		o, ok := ParseOrigin(s)
		if !ok {
			return
		}
		u, err := url.Parse(s)
		if err != nil || !strings.EqualFold(u.Hostname(), strings.Trim(o.Host, "[]")) || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != o.Scheme {
			t.Errorf("%q is %+v, but url.Parse says %+v, %v", s, o, u, err)
		}
		if p := u.Port(); p != "" && p != strconv.Itoa(o.Port) {
			if n, err := strconv.Atoi(p); err != nil || n != o.Port {
				t.Errorf("%q has port %d, but url.Parse says %q", s, o.Port, p)
			}
		}
		if o.isLoopback() && o.Host != "localhost" {
			if a, err := netip.ParseAddr(u.Hostname()); err != nil || !a.Unmap().IsLoopback() {
				t.Errorf("%q counts as this machine", s)
			}
		}
	})
}
