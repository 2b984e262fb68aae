//go:build linux || darwin

package httpterm_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// callAs makes a request with a token.
func (d testServer) callAs(token, method, path, body string) (status int, code string) {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), method, d.address+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := d.client.Do(req)
	if err != nil {
		d.t.Error(err)
		return 0, ""
	}
	defer res.Body.Close()
	var failure struct{ Error struct{ Code string } }
	if res.StatusCode >= 400 {
		if err := json.NewDecoder(res.Body).Decode(&failure); err != nil {
			d.t.Errorf("%s %s: %s: %v", method, path, res.Status, err)
		}
	}
	return res.StatusCode, failure.Error.Code
}

type issuedToken struct {
	ID, Token string
	Rights    []string
}

// A token allows what it says and no more, until it is withdrawn.
func TestTokens(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"a","tags":["x"]}`, nil)
	d.want(201, "POST", "/sessions", `{"name":"b"}`, nil)
	var reader, manager issuedToken
	d.want(201, "POST", "/auth/tokens", `{"name":"for a report","rights":["read"],"tags":["x"]}`, &reader)
	d.want(201, "POST", "/auth/tokens", `{"rights":["read","manage"],"sessions":["b"]}`, &manager)
	for _, tt := range []struct {
		token              string
		method, path, body string
		status             int
		code               string
	}{
		{reader.Token, "GET", "/sessions/a/screen", "", 200, ""},
		{reader.Token, "GET", "/sessions/b/screen", "", 404, "session_not_found"},
		{reader.Token, "POST", "/sessions/a/input", "x", 403, "not_allowed"},
		{reader.Token, "DELETE", "/sessions/a", "", 403, "not_allowed"},
		{reader.Token, "POST", "/auth/tokens", `{"rights":["read"]}`, 403, "not_allowed"},
		{reader.Token, "GET", "/auth/tokens", "", 403, "not_allowed"},
		{reader.Token, "PUT", "/server/persist", `{"persistent":true}`, 403, "not_allowed"},
		{manager.Token, "DELETE", "/sessions/a", "", 404, "session_not_found"},
		{manager.Token, "POST", "/sessions", `{"name":"c"}`, 403, "not_allowed"},
		{manager.Token, "DELETE", "/sessions/b", "", 204, ""},
	} {
		if status, code := d.callAs(tt.token, tt.method, tt.path, tt.body); status != tt.status || code != tt.code {
			t.Errorf("%s %s: %d %q, want %d %q", tt.method, tt.path, status, code, tt.status, tt.code)
		}
	}
	var list []map[string]any
	d.want(200, "GET", "/auth/tokens", "", &list)
	if len(list) != 2 || list[0]["id"] != reader.ID || list[0]["token"] != nil || !slices.Equal(reader.Rights, []string{"read"}) {
		t.Errorf("tokens %v", list)
	}
	d.want(204, "DELETE", "/auth/tokens/"+reader.ID, "", nil)
	d.want(404, "DELETE", "/auth/tokens/"+reader.ID, "", nil)
	if status, code := d.callAs(reader.Token, "GET", "/sessions/a/screen", ""); status != 403 || code != "auth_invalid" {
		t.Errorf("a withdrawn token: %d %q", status, code)
	}
}

// A wait ends at once when its token is withdrawn.
func TestWithdrawnDuringWait(t *testing.T) {
	d := open(t)
	d.want(201, "POST", "/sessions", `{"name":"a"}`, nil)
	var reader issuedToken
	d.want(201, "POST", "/auth/tokens", `{"rights":["read"]}`, &reader)
	ended := make(chan string)
	for _, path := range []string{"/sessions/a/idle?timeout_ms=300000&max_wait_ms=300000&fresh=true", "/idle?timeout_ms=300000&max_wait_ms=300000&fresh=true"} {
		go func() {
			status, code := d.callAs(reader.Token, "GET", path, "")
			ended <- http.StatusText(status) + " " + code
		}()
	}
	d.want(204, "DELETE", "/auth/tokens/"+reader.ID, "", nil)
	for range 2 {
		if got := <-ended; got != "Forbidden auth_invalid" {
			t.Errorf("a wait of a withdrawn token ended with %q", got)
		}
	}
}
