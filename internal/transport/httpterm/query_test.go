//go:build linux || darwin

package httpterm_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"ui-mcp/internal/testkit/opcases"

	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/transport/httpterm"
)

// FuzzQuery sends any query to every route that takes one. The session's program has ended, so no
// request waits. The answer is JSON or a picture, and never an internal error.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{
		"", "format=plain", "format=styled&offset=1&limit=2", "from=3&limit=99999999999999999999", "offset=-1", "from=9223372036854775807&limit=9223372036854775807",
		"timeout_ms=1&max_wait_ms=1&fresh=true&last_generation=1", "timeout_ms=9223372036854775807", "tag=a,b,,%20", "%zz", "a;b", "format=%ff", "format=svg&cell=6&first_row=3", "format=html&fragment=1&cursor=maybe", "offset=1&offset=2",
		"text=1&format=plain", "pattern=%5E(1%7C2)%2B%24&ignore_case=1&newest=true&limit=0&from=7", "pattern=(", "epoch=18446744073709551615", "epoch=1", "before=3&limit=2", "tail=4", "tail=9223372036854775807",
	} {
		f.Add(s)
	}
	sessions := opcases.Sessions(f, registry.Config{
		Home: f.TempDir(), Environ: []string{"PATH=" + os.Getenv("PATH")}, Log: slog.New(slog.DiscardHandler),
	})
	s, err := sessions.Create(f.Context(), registry.CreateOptions{Name: "a", Command: "seq 100; exit 3", Tags: []string{"a"}})
	if err != nil {
		f.Fatal(err)
	}
	if _, err := s.WaitExit(f.Context(), 0); err != nil {
		f.Fatal(err)
	}
	h := asOwner(httpterm.New(terminals.NewLocal(sessions, terminals.Host{Name: "host"})))
	f.Fuzz(func(t *testing.T, query string) {
		for path, ok := range map[string][]int{
			"/sessions":                     {200, 400}, // 400 if it is malformed
			"/sessions/a/screen":            {200, 400},
			"/sessions/a/scrollback":        {200, 400},
			"/sessions/a/idle":              {400, 408, 410}, // 408 if max_wait_ms passes first
			"/sessions/a/quiesce":           {400, 408, 410},
			"/idle":                         {400, 404, 408},
			"/sessions/a/wait/text":         {200, 400, 408, 410},
			"/sessions/a/wait/prompt":       {400, 408, 410},
			"/sessions/a/wait/exit":         {200, 400, 408},
			"/sessions/a/screen/next":       {200, 400, 410},
			"/sessions/a/screen/diff":       {200, 400},
			"/sessions/a/composed":          {200, 400},
			"/sessions/a/recording":         {400, 404},
			"/sessions/a/scrollback/search": {200, 400},
		} {
			r := httptest.NewRequest("GET", path, nil)
			r.URL.RawQuery = query
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if !slices.Contains(ok, w.Code) {
				t.Errorf("GET %s?%s: %d %s", path, query, w.Code, w.Body)
			}
			drawn := path == "/sessions/a/screen" && w.Code == http.StatusOK && w.Header().Get("Content-Type") != "application/json"
			if !drawn && !json.Valid(w.Body.Bytes()) {
				t.Errorf("GET %s?%s: %q is not JSON", path, query, w.Body)
			}
			if w.Code != http.StatusOK && !strings.HasPrefix(w.Body.String(), `{"error":{"code":"`) {
				t.Errorf("GET %s?%s: %s", path, query, w.Body)
			}
		}
	})
}
