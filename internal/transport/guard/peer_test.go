package guard

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ui-mcp/internal/transport/peer"
)

func TestPeer(t *testing.T) {
	tokens := NewTokens("secret")
	bearer := "Authorization: Bearer secret"
	for _, tt := range []struct {
		name     string
		standing peer.Standing
		tokens   *Tokens
		headers  []string
		refused  string // part of the reason; "" means let through
	}{
		{name: "own program", standing: peer.Own},
		{name: "another user's", standing: peer.Foreign, refused: "another user"},
		{name: "another user's, with the token", standing: peer.Foreign, tokens: tokens, headers: []string{bearer}, refused: "another user"},
		{name: "unknown", refused: "cannot tell whose program asks: a reason"},
		{name: "unknown, without the token", tokens: tokens, refused: "send the server's token"},
		{name: "unknown, with the token", tokens: tokens, headers: []string{bearer}},
		{name: "unknown, with the token, from a foreign page", tokens: tokens, headers: []string{bearer, "Origin: null"}, refused: "origin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			passed := false
			var refusals []Refusal
			h := New(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true }), Options{
				Tokens: tt.tokens,
				Peer:   func(*http.Request) (peer.Standing, error) { return tt.standing, errors.New("a reason") },
				Refuse: func(_ http.ResponseWriter, _ *http.Request, r Refusal) { refusals = append(refusals, r) },
			})
			h.ServeHTTP(httptest.NewRecorder(), request("POST", tt.headers...))
			switch {
			case tt.refused == "" && (!passed || len(refusals) > 0):
				t.Errorf("refused: %v", refusals)
			case tt.refused != "" && (passed || len(refusals) != 1 || !strings.Contains(refusals[0].Text, tt.refused)):
				t.Errorf("let through: %t, refusals %v, want %q", passed, refusals, tt.refused)
			}
		})
	}
}

// A browser of an unknown user comes in with the URL that the server gave, once.
func TestTicket(t *testing.T) {
	tokens := NewTokens("secret")
	passed := 0
	h := New(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { passed++; w.WriteHeader(http.StatusTeapot) }), Options{
		Tokens: tokens,
		Peer:   func(*http.Request) (peer.Standing, error) { return peer.Unknown, errors.New("a reason") },
	})
	get := func(target string, cookies ...*http.Cookie) *http.Response {
		r := request("GET")
		u, err := r.URL.Parse(target)
		if err != nil {
			t.Fatal(err)
		}
		r.URL = u
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Result()
	}
	link := tokens.Link("http://127.0.0.1:8000/1/")
	first := get(link)
	if first.StatusCode != http.StatusSeeOther || first.Header.Get("Location") != "/1/" {
		t.Fatalf("answer %d to %q", first.StatusCode, first.Header.Get("Location"))
	}
	if passed > 0 {
		t.Error("the request with the ticket reaches the handler, too")
	}
	if res := get("/1/", first.Cookies()...); res.StatusCode != http.StatusTeapot {
		t.Errorf("with the cookie: %d", res.StatusCode)
	}
	if res := get("/1/"); res.StatusCode != http.StatusForbidden {
		t.Errorf("without the cookie: %d", res.StatusCode)
	}
	if res := get(link); res.StatusCode != http.StatusForbidden {
		t.Errorf("the link again: %d", res.StatusCode)
	}
}
