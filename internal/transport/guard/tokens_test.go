package guard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"testing/synctest"
	"time"
)

func TestTokensTicket(t *testing.T) {
	tokens := NewTokens("secret")
	link := tokens.Link("http://127.0.0.1:8000/1/?x=%C3%A9")
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if !tokens.enter(w, httptest.NewRequest("GET", u.RequestURI(), nil), 8000) {
		t.Fatalf("the ticket of %s is refused", link)
	}
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != "/1/?x=%C3%A9" {
		t.Errorf("answer %d to %q", w.Code, got)
	}
	r := httptest.NewRequest("GET", "/1/", nil)
	if tokens.admits(r, 8000) {
		t.Error("a request without a cookie is admitted")
	}
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode {
		t.Fatalf("cookies %v", cookies)
	}
	r.AddCookie(cookies[0])
	if !tokens.admits(r, 8000) {
		t.Error("the cookie is refused")
	}
	if tokens.admits(r, 8001) {
		t.Error("the cookie of another port is admitted")
	}
	if tokens.enter(httptest.NewRecorder(), httptest.NewRequest("GET", u.RequestURI(), nil), 8000) {
		t.Error("the ticket can be used twice")
	}
}

func TestTokensRedirect(t *testing.T) {
	tokens := NewTokens("secret")
	u, err := url.Parse(tokens.Link("http://127.0.0.1:8000/"))
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/?"+u.RawQuery, nil)
	r.URL.Path = "//evil.example/"
	w := httptest.NewRecorder()
	if !tokens.enter(w, r, 8000) {
		t.Fatal("refused")
	}
	if got := w.Header().Get("Location"); got != "/evil.example/" {
		t.Errorf("redirected to %q", got)
	}
}

func TestTokensBearer(t *testing.T) {
	tokens := NewTokens("secret")
	for _, tt := range []struct {
		header string
		want   bool
	}{
		{"Bearer secret", true},
		{"bearer secret", true},
		{"secret", false},
		{"Bearer ", false},
		{"Bearer secretx", false},
		{"Basic secret", false},
		{"", false},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", tt.header)
		if got := tokens.admits(r, 1); got != tt.want {
			t.Errorf("%q: admitted %t", tt.header, got)
		}
	}
	r := httptest.NewRequest("GET", "/?ticket=", nil)
	r.Header.Set("Authorization", "Bearer ")
	if none := (*Tokens)(nil); none.admits(r, 1) || none.enter(httptest.NewRecorder(), r, 1) || none.Link("http://x/") != "http://x/" {
		t.Error("nil tokens admit somebody")
	}
}

func TestTokensExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tokens := NewTokens("secret")
		links := []string{tokens.Link("/a")}
		time.Sleep(ticketLife)
		for range maxTickets + 1 {
			links = append(links, tokens.Link("/a"))
		}
		enters := func(i int) bool {
			return tokens.enter(httptest.NewRecorder(), httptest.NewRequest("GET", links[i], nil), 1)
		}
		if enters(0) {
			t.Error("an expired ticket is good")
		}
		if enters(1) {
			t.Error("the oldest of too many tickets is good")
		}
		if !enters(2) || !enters(len(links)-1) {
			t.Error("a fresh ticket is refused")
		}
	})
}
