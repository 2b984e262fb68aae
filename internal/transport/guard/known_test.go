package guard

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"ui-mcp/internal/transport/peer"
)

// A secret name admits its holder, and what pages at that name send to it; it admits nothing else.
func TestKnownNames(t *testing.T) {
	opts := Options{
		Known: func(r *http.Request) bool { return r.Host == "secret.localhost:8000" },
		Peer:  func(*http.Request) (peer.Standing, error) { return peer.Unknown, errors.New("unknown") },
	}
	for name, tt := range map[string]struct {
		headers  []string
		admitted bool
	}{
		"the name":                        {[]string{"Host: secret.localhost:8000"}, true},
		"a page at the name":              {[]string{"Host: secret.localhost:8000", "Origin: http://secret.localhost:8000", "Sec-Fetch-Site: same-origin"}, true},
		"another name":                    {[]string{"Host: other.localhost:8000"}, false},
		"a page elsewhere":                {[]string{"Host: secret.localhost:8000", "Origin: http://evil.example", "Sec-Fetch-Site: cross-site"}, false},
		"a page at the name, to a person": {[]string{"Host: 127.0.0.1:8000", "Origin: http://secret.localhost:8000"}, false},
		"a stranger":                      {[]string{"Host: 127.0.0.1:8000"}, false},
	} {
		w := httptest.NewRecorder()
		admitted := false
		New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { admitted = true }), opts).ServeHTTP(w, request("GET", tt.headers...))
		if admitted != tt.admitted {
			t.Errorf("%s: admitted %t, want %t (%d %s)", name, admitted, tt.admitted, w.Code, w.Body)
		}
	}
	// Another user's program is refused, whatever name it has learnt.
	opts.Peer = func(*http.Request) (peer.Standing, error) { return peer.Foreign, nil }
	w := httptest.NewRecorder()
	New(http.NotFoundHandler(), opts).ServeHTTP(w, request("GET", "Host: secret.localhost:8000"))
	if w.Code != http.StatusForbidden {
		t.Errorf("another user gets %d", w.Code)
	}
}
