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
		name, method, path, body string
		status                   int
		answer                   string
	}{
		{"a value", "POST", "/publish/a/b", `{"x":1}`, http.StatusOK, `{"listeners":3}`},
		{"no JSON", "POST", "/publish/a", `{`, http.StatusBadRequest, `must be JSON`},
		{"too long", "POST", "/publish/a", `"` + strings.Repeat("x", maxPublished) + `"`, http.StatusRequestEntityTooLarge, "1 MiB"},
		{"another method", "GET", "/publish/a", "", http.StatusMethodNotAllowed, "POST"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), c.method, "http://"+s.Addr().String()+c.path, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
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
