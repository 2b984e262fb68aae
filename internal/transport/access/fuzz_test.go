package access

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"http://localhost:80", "https://[::1]:443", "http://[::1%25lo]", "null", "http://a@b", "http://a:0", "http://"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		o, ok := parseOrigin(s)
		if !ok {
			return
		}
		// An accepted origin means the same to the standard library.
		u, err := url.Parse(s)
		if err != nil || !strings.EqualFold(u.Hostname(), strings.Trim(o.host, "[]")) || u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || u.Scheme != o.scheme {
			t.Errorf("%q is %+v, but url.Parse says %+v, %v", s, o, u, err)
		}
		if p := u.Port(); p != "" && p != strconv.Itoa(o.port) {
			if n, err := strconv.Atoi(p); err != nil || n != o.port {
				t.Errorf("%q has port %d, but url.Parse says %q", s, o.port, p)
			}
		}
		if o.isLoopback() && o.host != "localhost" {
			if a, err := netip.ParseAddr(u.Hostname()); err != nil || !a.Unmap().IsLoopback() {
				t.Errorf("%q counts as this machine", s)
			}
		}
	})
}

func FuzzBearer(f *testing.F) {
	f.Add("Bearer x")
	f.Add("bearer  x ")
	f.Add("Basic x")
	f.Fuzz(func(t *testing.T, s string) {
		secret, ok := bearer(s)
		if ok && (len(secret) > len(s)-len("Bearer ") || !strings.Contains(s, secret) || strings.HasPrefix(secret, " ")) {
			t.Errorf("%q has the token %q", s, secret)
		}
	})
}

func FuzzPrefix(f *testing.F) {
	f.Add("/p", "/p/sessions")
	f.Add("/a/b", "/a/bc")
	f.Fuzz(func(t *testing.T, prefix, target string) {
		p, err := checkPrefix(prefix)
		u, bad := url.ParseRequestURI(target)
		if err != nil || bad != nil {
			return
		}
		g := &gate{prefix: p}
		r, inside := g.strip(&http.Request{URL: u})
		if inside && p != "" && u.Path != "/health" && (p+r.URL.Path != u.Path && p != u.Path || r.URL.Path[0] != '/') {
			t.Errorf("%q below %q is %q", target, p, r.URL.Path)
		}
		if !inside && strings.HasPrefix(u.Path, p+"/") && u.RawPath == "" {
			t.Errorf("%q is not below %q", target, p)
		}
	})
}
