package httpserve

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
)

// No server serves scripts of apps, whatever its handler checks.
func TestRefuseScripts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, method, path string
		headers            []string
		refused            bool
	}{
		{"a program", "POST", "/mcp", nil, false},
		{"a script", "POST", "/mcp", []string{"Ui-Mcp-Script: 1"}, true},
		{"a script that reads", "GET", "/", []string{"Ui-Mcp-Script: 1"}, true},
		{"an empty mark", "GET", "/", []string{"Ui-Mcp-Script: "}, true},
		{"an empty mark before another", "GET", "/", []string{"Ui-Mcp-Script: ", "Ui-Mcp-Script: 1"}, true},
		{"an unknown mark", "GET", "/", []string{"ui-mcp-SCRIPT: no"}, true},
		{"a page's origin", "GET", "/popup-ws", []string{"Ui-Mcp-Script: 1", "Host: localhost:8000", "Origin: http://localhost:8000", "Sec-Fetch-Site: same-origin"}, true},
		{"a foreign host", "GET", "/", []string{"Ui-Mcp-Script: 1", "Host: evil.example"}, true},
		{"a token", "GET", "/sessions", []string{"Ui-Mcp-Script: 1", "Authorization: Bearer x"}, true},
		{"OPTIONS", "OPTIONS", "*", []string{"Ui-Mcp-Script: 1"}, true},
		{"health", "GET", "/health", []string{"Ui-Mcp-Script: 1"}, false},
		{"health's head", "HEAD", "/health", []string{"Ui-Mcp-Script: 1"}, false},
		{"a POST of health", "POST", "/health", []string{"Ui-Mcp-Script: 1"}, true},
		{"below health", "GET", "/health/", []string{"Ui-Mcp-Script: 1"}, true},
		{"health in another spelling", "GET", "/he%61lth", []string{"Ui-Mcp-Script: 1"}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			passed := false
			s := Serve(testkit.NewListener(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }), Options{Log: slog.New(slog.DiscardHandler)})
			defer s.Close(t.Context())
			r := httptest.NewRequest(tt.method, "/", nil)
			for _, h := range tt.headers {
				name, value, _ := strings.Cut(h, ": ")
				r.Header.Add(name, value)
			}
			var err error
			if r.URL, err = url.ParseRequestURI(strings.Replace(tt.path, "*", "/*", 1)); err != nil {
				t.Fatal(err)
			}
			w := httptest.NewRecorder()
			s.http.Handler.ServeHTTP(w, r)
			if passed == tt.refused {
				t.Fatalf("passed: %t", passed)
			}
			if tt.refused && (w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "session:http")) {
				t.Errorf("%d %q", w.Code, w.Body)
			}
		})
	}
}

// record is a transport that keeps what it was given.
type record struct{ requests []*http.Request }

func (t *record) RoundTrip(r *http.Request) (*http.Response, error) {
	t.requests = append(t.requests, r)
	return httptest.NewRecorder().Result(), nil
}

// Whatever a script has asked for, its request is marked, and nothing on its way may remove that.
func TestMarkScripts(t *testing.T) {
	t.Parallel()
	for name, header := range map[string]http.Header{
		"nothing":               {},
		"an empty mark":         {scriptHeader: {""}},
		"two marks":             {scriptHeader: {"", "0"}},
		"removal by a proxy":    {"Connection": {"close, " + scriptHeader}},
		"removal, many headers": {"Connection": {"keep-alive", strings.ToUpper(scriptHeader)}, "Proxy-Connection": {scriptHeader}},
		"an upgrade":            {"Connection": {"Upgrade, HTTP2-Settings"}, "Upgrade": {"h2c"}, "Te": {"trailers"}, "Trailer": {scriptHeader}},
	} {
		var sent record
		r := httptest.NewRequestWithContext(t.Context(), "GET", "http://x/", nil)
		r.Header = header
		before := r.Header.Clone()
		if _, err := MarkScripts(&sent).RoundTrip(r); err != nil {
			t.Fatal(err)
		}
		got := sent.requests[0].Header
		if !slices.Equal(got[scriptHeader], []string{"1"}) || len(got) != 1 {
			t.Errorf("%s: sent %v", name, got)
		}
		if len(before) != len(header) || !slices.Equal(before["Connection"], header["Connection"]) {
			t.Errorf("%s: the script's request was changed to %v", name, header)
		}
	}
	var sent record
	if _, err := MarkScripts(&sent).RoundTrip(httptest.NewRequestWithContext(t.Context(), "CONNECT", "http://x/", nil)); err == nil || len(sent.requests) > 0 {
		t.Error("a script opened a tunnel, through which it could send requests without a mark")
	}
}
