package gate

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"ui-mcp/internal/terminals"
)

// ticket gets a ticket for the caller with a token.
func (w *world) ticket(token string) string {
	w.t.Helper()
	res, code := w.do(request("POST", "/auth/ws-ticket", "Authorization: Bearer "+token))
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		w.t.Fatalf("%d %s, %v", res.StatusCode, code, err)
	}
	var answer struct{ Ticket string }
	if err := json.Unmarshal(body, &answer); err != nil {
		w.t.Fatal(err)
	}
	return answer.Ticket
}

func (w *world) open(ticket string) (int, string) {
	res, code := w.do(request("GET", "/ws/json?ticket="+ticket, upgradeHeaders...))
	return res.StatusCode, code
}

func TestTicket(t *testing.T) {
	w := newWorld(t, Options{Token: ownerToken})
	reader := w.token(terminals.NewToken{Rights: []string{"read"}, Tags: []string{"x"}})
	ticket := w.ticket(reader.Secret)
	if !regexp.MustCompile(`^[0-9A-Za-z]{32}$`).MatchString(ticket) {
		t.Errorf("ticket %q", ticket)
	}
	if res, code := w.do(request("GET", "/sessions?ticket="+ticket)); res.StatusCode != 401 || code != "auth_required" {
		t.Errorf("without an upgrade: %d %s", res.StatusCode, code)
	}
	if res, code := w.do(request("GET", "/sessions?ticket="+ticket, "Upgrade: websocket")); res.StatusCode != 401 || code != "auth_required" {
		t.Errorf("half an upgrade: %d %s", res.StatusCode, code)
	}
	if res, code := w.do(request("GET", "/ws/json?ticket="+ticket, append(upgradeHeaders, "Authorization: Bearer wrong")...)); res.StatusCode != 403 || code != "auth_invalid" {
		t.Errorf("with a wrong token: %d %s", res.StatusCode, code)
	}
	if status, code := w.open(ticket + "&ticket=" + ticket); status != 401 {
		t.Errorf("twice in one URL: %d %s", status, code)
	}
	if status, code := w.open(ticket); status != 200 {
		t.Fatalf("first use: %d %s", status, code)
	}
	by := terminals.FromContext(w.seen[len(w.seen)-1].Context())
	if by.Rights != terminals.Read || !slices.Equal(by.Tags, []string{"x"}) || by.Token != reader.ID {
		t.Errorf("the ticket gives %+v", by)
	}
	if status, code := w.open(ticket); status != 401 || code != "auth_required" {
		t.Errorf("second use: %d %s", status, code)
	}
	if res, code := w.do(request("GET", "/auth/ws-ticket", "Authorization: Bearer "+ownerToken)); res.StatusCode != 405 || code != "method_not_allowed" || res.Header.Get("Allow") != "POST" {
		t.Errorf("GET: %d %s", res.StatusCode, code)
	}
	if res, code := w.do(request("POST", "/auth/ws-ticket")); res.StatusCode != 401 || code != "auth_required" {
		t.Errorf("without a token: %d %s", res.StatusCode, code)
	}
}

func TestTicketExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{Token: ownerToken})
		first, second := w.ticket(ownerToken), w.ticket(ownerToken)
		time.Sleep(ticketLife - time.Millisecond)
		if status, code := w.open(first); status != 200 {
			t.Errorf("before its end: %d %s", status, code)
		}
		time.Sleep(time.Millisecond)
		if status, _ := w.open(second); status != 401 {
			t.Errorf("after its end: %d", status)
		}
	})
}

// The answer to one ticket too many.
func TestTooManyTickets(t *testing.T) {
	w := newWorld(t, Options{Token: ownerToken})
	for range maxTickets {
		w.ticket(ownerToken)
	}
	if res, code := w.do(request("POST", "/auth/ws-ticket", "Authorization: Bearer "+ownerToken)); res.StatusCode != 429 || code != "resource_limit_reached" {
		t.Errorf("%d %s", res.StatusCode, code)
	}
}

// Withdrawing a token ends its requests and tickets at once.
func TestWithdrawal(t *testing.T) {
	for _, how := range []string{"withdrawn", "expired"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, Options{Token: ownerToken})
				issued := w.token(terminals.NewToken{Rights: []string{"read"}, ExpiresInMS: new(uint64(20_000))})
				ticket := w.ticket(issued.Secret)
				entered, cause := make(chan struct{}), make(chan error)
				blocked, err := New(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
					close(entered)
					<-r.Context().Done()
					cause <- contextCause(r)
				}), Options{Token: ownerToken, Tokens: w.local.Tokens(), Log: silent(), Peer: own})
				if err != nil {
					t.Fatal(err)
				}
				go blocked.ServeHTTP(nothing{}, request("GET", "/sessions/a/idle", "Authorization: Bearer "+issued.Secret))
				<-entered
				before := time.Now()
				if how == "expired" {
					time.Sleep(21 * time.Second)
				} else if _, err := terminals.WithdrawToken.Do(t.Context(), w.local, terminals.Everything, terminals.TokenID{ID: issued.ID}); err != nil {
					t.Fatal(err)
				}
				if err := <-cause; !isWithdrawn(err) {
					t.Errorf("the request ended because of %v", err)
				}
				if how == "withdrawn" && time.Since(before) > 0 {
					t.Errorf("after %v", time.Since(before))
				}
				if res, code := w.do(request("GET", "/sessions", "Authorization: Bearer "+issued.Secret)); res.StatusCode != 403 || code != "auth_invalid" {
					t.Errorf("the token: %d %s", res.StatusCode, code)
				}
				if status, code := w.open(ticket); status != 403 || code != "auth_invalid" {
					t.Errorf("its ticket: %d %s", status, code)
				}
			})
		})
	}
}

// Many requests of a token that is withdrawn meanwhile: each is refused, or ends.
func TestWithdrawalRace(t *testing.T) {
	for range 50 {
		w := newWorld(t, Options{Token: ownerToken})
		issued := w.token(terminals.NewToken{Rights: []string{"read"}})
		h, err := New(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
			Options{Token: ownerToken, Tokens: w.local.Tokens(), Log: silent(), Peer: own})
		if err != nil {
			t.Fatal(err)
		}
		var running sync.WaitGroup
		for i := range 8 {
			running.Go(func() {
				h.ServeHTTP(nothing{}, request("GET", "/"+strconv.Itoa(i), "Authorization: Bearer "+issued.Secret))
			})
		}
		if _, err := terminals.WithdrawToken.Do(t.Context(), w.local, terminals.Everything, terminals.TokenID{ID: issued.ID}); err != nil {
			t.Fatal(err)
		}
		running.Wait()
	}
}
