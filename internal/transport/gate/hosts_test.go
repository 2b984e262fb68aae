package gate

import (
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ui-mcp/internal/term/core"
	"ui-mcp/internal/terminals"
)

// someGrant returns any grant.
func someGrant(r *rand.Rand) terminals.Grant {
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	some := func(list ...string) (out []string) {
		for range r.IntN(3) {
			out = append(out, one(list...))
		}
		return out
	}
	kinds := []core.SenderKind{"", core.SenderMCP, core.SenderHTTP, core.SenderWebSocket, core.SenderRaw, core.SenderApp, core.SenderAttach, core.SenderQuestion, "king"}
	g := terminals.Grant{
		Rights: terminals.Right(r.IntN(256)), Token: one("", "1"), Dependent: r.IntN(2) == 0, Guest: r.IntN(2) == 0,
		From:   core.Sender{Kind: kinds[r.IntN(len(kinds))], Name: one("", "claude", "\x1b[2J", strings.Repeat("x", 200)), Peer: one("", "laptop", strings.Repeat("b", 64)), Token: one("", "2")},
		Client: one("", "KEY", "bridge 1", "\x1b", strings.Repeat("x", 200)), MaxSessions: r.IntN(4),
	}
	if r.IntN(3) == 0 {
		g.Sessions, g.Tags = some("a", "b"), some("x", "y")
	}
	for _, text := range some("sudo", "rm") {
		g.Confirm = append(g.Confirm, regexp.MustCompile(text))
	}
	for _, text := range some("curl", `\bx{3}`) {
		g.OwnConfirm = append(g.OwnConfirm, regexp.MustCompile(text))
	}
	return g
}

func encoded(claim string) string { return base64.RawURLEncoding.EncodeToString([]byte(claim)) }

// A claim gives no more than the connection allows, whatever member of a grant it is about.
func TestClaimNarrows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	texts := func(list []*regexp.Regexp) (out []string) {
		for _, one := range list {
			out = append(out, one.String())
		}
		return out
	}
	holds := map[string]func(limit, by, g terminals.Grant) bool{
		"Rights": func(limit, by, g terminals.Grant) bool { return g.Rights == limit.Rights&by.Rights },
		"Sessions": func(limit, by, g terminals.Grant) bool {
			if limit.Sessions != nil || limit.Tags != nil {
				return slices.Equal(g.Sessions, limit.Sessions)
			}
			return slices.Equal(g.Sessions, by.Sessions)
		},
		"Tags": func(limit, by, g terminals.Grant) bool {
			everything := g.Sessions == nil && g.Tags == nil
			return !everything || limit.Sessions == nil && limit.Tags == nil && by.Sessions == nil && by.Tags == nil
		},
		"Confirm": func(limit, _, g terminals.Grant) bool { return slices.Equal(texts(g.Confirm), texts(limit.Confirm)) },
		"OwnConfirm": func(limit, by, g terminals.Grant) bool {
			return slices.Equal(texts(g.OwnConfirm), slices.Concat(texts(limit.OwnConfirm), texts(by.Confirm), texts(by.OwnConfirm)))
		},
		"Token":     func(limit, _, g terminals.Grant) bool { return g.Token == limit.Token },
		"Dependent": func(_, by, g terminals.Grant) bool { return g.Dependent == by.Dependent },
		"From": func(limit, _, g terminals.Grant) bool {
			isProgram := slices.Contains([]core.SenderKind{core.SenderMCP, core.SenderHTTP, core.SenderWebSocket, core.SenderApp}, g.From.Kind)
			says := !limit.Guest || strings.HasSuffix(g.From.Name, " on "+limit.From.Peer) && len(g.From.Name) <= 128 && !strings.Contains(g.From.Name, "\x1b")
			return isProgram && says && g.From.Peer == limit.From.Peer && g.From.Token == ""
		},
		"Guest": func(limit, _, g terminals.Grant) bool { return g.Guest == limit.Guest },
		"Client": func(limit, by, g terminals.Grant) bool {
			if limit.Client == "" || by.Client == "" || limit.MaxSessions > 0 { // no other name begins a new count
				return limit.Client == "" || g.Client == limit.Client
			}
			prefix := strings.ReplaceAll(limit.Client, "\x1b", "_")
			return g.Client != limit.Client && strings.HasPrefix(g.Client, prefix[:min(len(prefix), maxClaimant)])
		},
		"MaxSessions": func(limit, by, g terminals.Grant) bool {
			return (limit.MaxSessions == 0 || g.MaxSessions > 0 && g.MaxSessions <= limit.MaxSessions) && (by.MaxSessions == 0 || g.MaxSessions <= by.MaxSessions)
		},
	}
	for _, member := range reflect.VisibleFields(reflect.TypeFor[terminals.Grant]()) {
		if holds[member.Name] == nil {
			t.Errorf("say what a claim may do to %s", member.Name)
		}
	}
	crossed := 0
	for range 20_000 {
		limit, by := someGrant(r), someGrant(r)
		_, value, err := Claim(by)
		if err != nil {
			t.Fatalf("%+v: %v", by, err)
		}
		c, err := parseClaim(value)
		if err != nil {
			t.Fatal(err)
		}
		g, err := c.within(limit)
		if err != nil {
			continue // a limited host, and a limited caller
		}
		crossed++
		for member, hold := range holds {
			if !hold(limit, by, g) {
				t.Fatalf("%s: limit %+v, claim %+v, grant %+v", member, limit, by, g)
			}
		}
	}
	if crossed < 10_000 {
		t.Errorf("only %d have crossed", crossed)
	}
}

// Malformed claims, and those that take too much to keep to, are refused: they are never taken for
// none.
func TestClaimsThatAreRefused(t *testing.T) {
	served := 0
	h := Hosts(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { served++ }), 100, slog.New(slog.DiscardHandler))
	may := func() (terminals.Grant, bool) { return terminals.Everything, true }
	names := strings.Repeat(`"a",`, maxNames) + `"a"`
	large := strings.Repeat("x", maxNodes/maxPatterns-1)
	for claim, status := range map[string]int{
		``:                                  400,
		`{`:                                 400,
		`"all"`:                             400,
		`{"rights":"all"}`:                  400,
		`{"confirm":["("]}`:                 400,
		`{"sessions":[` + names + `]}`:      403,
		`{"tags":[` + names + `]}`:          403,
		`{"sessions":[` + names[4:] + `]}`:  200,
		`{"tags":[` + names[4:] + `]}`:      200,
		`{"confirm":["1","2","3","4","5"]}`: 403,
		`{"confirm":["` + strings.Repeat("x", maxPattern+1) + `"]}`:                   403,
		`{"confirm":["` + strings.Repeat("x", maxPattern) + `"]}`:                     200,
		`{"confirm":["` + strings.Repeat(large+`","`, maxPatterns-1) + large + `"]}`:  200,
		`{"confirm":["` + strings.Repeat(large+`","`, maxPatterns-1) + large + `x"]}`: 403,
		`{"confirm":["(((a{30}){30}){30})"]}`:                                         400, // more than regexp takes
		`{"confirm":["(a{30}){30}(b{30}){30}(c{30}){30}"]}`:                           403,
		`{"confirm":["(\\pL{9}){9}"]}`:                                                403,
		`{"confirm":["\\bsudo\\b|\\brm -r"],"rights":1}`:                              200,
		`{}`: 200,
	} {
		before := served
		r := httptest.NewRequest("GET", "/sessions", nil)
		r.Header.Set(claimHeader, encoded(claim))
		w := httptest.NewRecorder()
		h(may).ServeHTTP(w, r)
		if w.Code != status || (served > before) != (status == 200) {
			t.Errorf("%.60s: %d %s", claim, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest("GET", "/sessions", nil)
	r.Header.Set(claimHeader, encoded(`{"rights":1}`))
	w := httptest.NewRecorder()
	nothing := h(func() (terminals.Grant, bool) { return terminals.Everything, false })
	if nothing.ServeHTTP(w, r); w.Code != 403 || !strings.Contains(w.Body.String(), "role there") {
		t.Errorf("a host that may do nothing: %d %s", w.Code, w.Body)
	}
	if _, err := parseClaim(strings.Repeat("A", maxClaim+1)); err == nil {
		t.Error("a long claim is read")
	}
	longest := ""
	for n := maxClaim * 3 / 4 * 9 / 10; ; n++ {
		_, value, err := Claim(terminals.Grant{Sessions: []string{strings.Repeat("a", n)}})
		if err != nil {
			break
		}
		longest = value
	}
	if _, err := parseClaim(longest); len(longest) != maxClaim || err != nil {
		t.Errorf("the longest claim has %d bytes: %v", len(longest), err)
	}
}

// A host has no tickets, and its bodies and answers are bounded.
func TestHostsAreBounded(t *testing.T) {
	guest := terminals.Grant{Rights: terminals.AllRights, Guest: true, Client: "KEY"}
	var grants []terminals.Grant
	h := Hosts(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		grants = append(grants, terminals.FromContext(r.Context()))
		if r.URL.Path == "/long" {
			w.Header().Set("Content-Length", fmt.Sprint(maxUnsentEach+1))
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write(make([]byte, maxUnsentEach+1))
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}), 100, slog.New(slog.DiscardHandler))
	ask := func(method, path string, body io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, body)
		r.Header.Set(claimHeader, encoded(`{"rights":1}`))
		w := httptest.NewRecorder()
		h(func() (terminals.Grant, bool) { return guest, true }).ServeHTTP(w, r)
		return w
	}
	if w := ask("POST", ticketPath, nil); w.Code != 204 || len(grants) != 1 || grants[0].Rights != terminals.Read || !grants[0].Guest { // the handler has no such path
		t.Errorf("a ticket: %d %s, %+v", w.Code, w.Body, grants)
	}
	if w := ask("POST", "/sessions", strings.NewReader(strings.Repeat("x", 101))); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("a long body: %d", w.Code)
	}
	if w := ask("GET", "/long", nil); w.Code != http.StatusTooManyRequests || w.Body.Len() > 1000 || !strings.Contains(w.Body.String(), "too much is under way") {
		t.Errorf("a long answer: %d %v %.100s", w.Code, w.Header(), w.Body)
	}
	guest.Guest = false // who is the user itself
	if w := ask("GET", "/long", nil); w.Code != http.StatusOK || w.Body.Len() != maxUnsentEach+1 {
		t.Errorf("the user's own: %d, %d bytes", w.Code, w.Body.Len())
	}
}

// A server that sends a token and says on whose behalf gets no more than both, also for a ticket.
func TestClaimWithAToken(t *testing.T) {
	w := newWorld(t, Options{Token: ownerToken})
	issued := w.token(terminals.NewToken{Rights: []string{"read", "type"}})
	_, value, err := Claim(terminals.Grant{Rights: terminals.Type | terminals.Manage, Sessions: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	headers := []string{"Authorization: Bearer " + issued.Secret, claimHeader + ": " + value}
	if res, _ := w.do(request("GET", "/sessions", headers...)); res.StatusCode != 200 {
		t.Fatal(res.Status)
	}
	g := terminals.FromContext(w.seen[len(w.seen)-1].Context())
	if g.Rights != terminals.Type || !slices.Equal(g.Sessions, []string{"a"}) || g.Token == "" {
		t.Errorf("%+v", g)
	}
	for _, claim := range []string{"", "x", encoded("{")} {
		if res, _ := w.do(request("GET", "/sessions", headers[0], claimHeader+": "+claim)); res.StatusCode != 400 {
			t.Errorf("%q: %s", claim, res.Status)
		}
	}
}
