package gate

import (
	"net/http"
	"sync"
	"testing"

	"ui-mcp/internal/terminals"
)

// One token cannot take all requests, and all bodies together have a limit.
func TestLoad(t *testing.T) {
	l := newLoad(1 << 20)
	limited := terminals.Grant{Token: "1"}
	owner := terminals.Everything
	r := func(length int64) *http.Request { return &http.Request{ContentLength: length} }
	var leaves []func()
	enter := func(length int64, who terminals.Grant) bool {
		leave, refused := l.enter(r(length), who)
		if refused != nil {
			return false
		}
		leaves = append(leaves, leave)
		return true
	}
	for range maxPendingEach {
		if !enter(0, limited) {
			t.Fatal("refused below the limit")
		}
	}
	if enter(0, limited) {
		t.Error("a token has more requests than it may")
	}
	if !enter(0, owner) || !enter(0, terminals.Grant{Token: "2"}) {
		t.Error("others are refused, too")
	}
	for range maxBodiesEach >> 20 {
		if !enter(1<<20, terminals.Grant{Token: "2"}) {
			t.Fatal("a body is refused below the limit")
		}
	}
	if enter(1, terminals.Grant{Token: "2"}) || !enter(0, terminals.Grant{Token: "2"}) {
		t.Error("a token has longer bodies than it may, or no request without one")
	}
	for i := range (maxBodies - maxBodiesEach) >> 20 {
		length := int64(1 << 20)
		if i%2 == 0 {
			length = -1 // unknown
		}
		if !enter(length, owner) {
			t.Fatalf("body %d is refused", i)
		}
	}
	if enter(1, owner) {
		t.Error("more bodies than there may be")
	}
	if !enter(0, owner) {
		t.Error("a request without a body is refused")
	}
	for _, leave := range leaves {
		leave()
	}
	if l.bodies != 0 || len(l.shares) != 0 {
		t.Errorf("%d bytes and %v are left", l.bodies, l.shares)
	}
}

// What one caller has not read has a limit, and what is read makes room.
func TestUnsent(t *testing.T) {
	l := newLoad(0)
	for i, tt := range []struct {
		key   string
		bytes int
		want  bool
	}{
		{"a", maxUnsentEach - 1, true}, {"a", 1, true}, {"a", 1, false}, {"b", 1, true}, {"", maxUnsentEach + 1, true},
		{"a", -1, true}, {"a", 1, true}, {"a", 1, false}, {"a", -maxUnsentEach, true}, {"b", -1, true},
	} {
		if l.send(tt.key, tt.bytes) != tt.want {
			t.Errorf("step %d: %d bytes of %q are taken: %v", i, tt.bytes, tt.key, !tt.want)
		}
	}
	if len(l.shares) > 0 {
		t.Errorf("%v is left", l.shares)
	}
}

// Requests of one token beyond its share are refused, and those that end make room.
func TestPending(t *testing.T) {
	w := newWorld(t, Options{Token: ownerToken})
	issued := w.token(terminals.NewToken{Rights: []string{"read"}})
	entered, release := make(chan struct{}), make(chan struct{})
	w.handler.(*gate).next = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-release
	})
	send := func() (*http.Response, string) {
		return w.do(request("GET", "/sessions/a/idle", "Authorization: Bearer "+issued.Secret))
	}
	var waiting sync.WaitGroup
	for range maxPendingEach {
		waiting.Go(func() { send() })
		<-entered
	}
	if res, code := send(); res.StatusCode != 429 || code != "resource_limit_reached" || res.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s", res.StatusCode, code)
	}
	close(release)
	waiting.Wait()
	go func() { <-entered }()
	if res, code := send(); res.StatusCode != 200 {
		t.Errorf("afterwards: %d %s", res.StatusCode, code)
	}
}
