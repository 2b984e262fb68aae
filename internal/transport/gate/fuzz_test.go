package gate

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

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
