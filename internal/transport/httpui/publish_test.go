package httpui

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"ui-mcp/internal/fault"
)

func TestPublish(t *testing.T) {
	t.Parallel()
	var topic, value string
	s := serve(t, NewMCP(MCPOptions{Log: logTo(t), App: appFuncs{publish: func(at string, v json.RawMessage) (int, error) {
		if !json.Valid(v) {
			return 0, fault.New(fault.Invalid, "what is published must be JSON")
		}
		topic, value = at, string(v)
		return 3, nil
	}}}))
	for _, c := range []struct {
		name, method, path, kind, body string
		status                         int
		answer                         string
	}{
		{"a value", "POST", "/publish/a/b", "application/json", `{"x":1}`, http.StatusOK, `{"listeners":3}`},
		{"not JSON", "POST", "/publish/a", "application/json", `{`, http.StatusBadRequest, `must be JSON`},
		{"too long", "POST", "/publish/a", "application/json", `"` + strings.Repeat("x", maxPublished) + `"`, http.StatusRequestEntityTooLarge, "1048576 bytes"},
		{"as a page of another site can send it", "POST", "/publish/a", "text/plain", `{"x":1}`, http.StatusUnsupportedMediaType, "Content-Type"},
		{"without a type", "POST", "/publish/a", "", `{"x":1}`, http.StatusUnsupportedMediaType, "Content-Type"},
		{"another method", "GET", "/publish/a", "", "", http.StatusMethodNotAllowed, "POST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+s.Addr().String()+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", c.kind)
			res, err := newClientFor(t).Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			raw, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			body := string(raw)
			if res.StatusCode != c.status || !strings.Contains(body, c.answer) {
				t.Errorf("%d %s, want %d %s", res.StatusCode, body, c.status, c.answer)
			}
		})
	}
	if topic != "a/b" || value != `{"x":1}` {
		t.Errorf("published %s to %s", value, topic)
	}
}
