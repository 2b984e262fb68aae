//go:build linux

package attack

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// ownerToken is the token of a server that other machines can reach.
const ownerToken = "the-token-of-the-attacked-server"

// rate is how many requests a second each address may make there.
const rate = 400

// startExposed starts a server that other machines can reach.
func startExposed(t *testing.T) *shell {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(ownerToken+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := launchShell(t, "--bind", "0.0.0.0:0", "--token-file", file, "--rate-limit", "400", "--server-name", "exposed")
	_, number, err := net.SplitHostPort(strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://127.0.0.1:" + number
	s.headers = []string{"Authorization", "Bearer " + ownerToken}
	s.ready()
	return s
}

// from returns a client with an address of its own, so that it has a rate of its own, too.
func from(t *testing.T, ip string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}).DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// send makes a request and returns the status, or 0 if there is no answer.
func send(t *testing.T, c *http.Client, method, url, body, token string) (status int, answer map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, nil
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := c.Do(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	_ = json.NewDecoder(res.Body).Decode(&answer) // lists and empty answers are of no interest
	return res.StatusCode, answer
}

// patiently is send by the owner, again while the rate is spent.
func (s *shell) patiently(t *testing.T, c *http.Client, method, path, body string) (int, map[string]any) {
	t.Helper()
	var status int
	var answer map[string]any
	wait.Until(t, "the rate allows a request", func() bool {
		status, answer = send(t, c, method, s.url+path, body, ownerToken)
		failure, _ := answer["error"].(map[string]any)
		return failure["code"] != "rate_limited"
	})
	return status, answer
}

// Strangers have neither the token nor a ticket, and nobody can extend rights that are limited.
func TestExposed(t *testing.T) {
	beside(t)
	s := startExposed(t)
	s.face(s.guesses()...)
	s.face(s.greed()...)
	s.settle()
}

func (s *shell) guesses() (list []attack) {
	refused := func(name, target string, headers ...string) attack {
		return attack{"S3", "exposed: " + name, false, func(t *testing.T) {
			for _, method := range []string{"GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS", "HEAD"} {
				if status, body, err := get(t, method, s.url+target, "", headers...); err != nil || status != 401 && status != 403 {
					t.Errorf("%s %s: %d %.100q, %v", method, target, status, body, err)
				}
			}
		}}
	}
	for _, target := range []string{
		"/sessions", "/sessions/answer-1/input", "/auth/tokens", "/auth/ws-ticket", "/server/stop", "/docs", "/ws/json", "/nothing", "/ui/../sessions",
		"/health/../sessions", "/ui/%2e%2e/sessions", "/ui%2f..%2fsessions", "//sessions", "/health/", "/HEALTH", "/;/ui/",
	} {
		list = append(list, refused(target+" without a token", target))
	}
	half := ownerToken[:len(ownerToken)/2]
	for _, value := range []string{
		"Bearer", "Bearer ", "Bearer " + half, "Bearer " + ownerToken + ownerToken, "Bearer " + strings.ToUpper(ownerToken), "Basic " + ownerToken,
		ownerToken, "Bearer \"" + ownerToken + "\"", "Bearer " + ownerToken + ",", "Bearer\t" + ownerToken, "Bearer wsh_" + ownerToken, "Bearer %s%s%s%n",
	} {
		list = append(list, refused("Authorization "+value, "/sessions", "Authorization", value))
	}
	return append(list,
		refused("the token in the URL", "/sessions?token="+ownerToken),
		refused("the token as a ticket", "/ws/json?ticket="+ownerToken, "Upgrade", "websocket", "Connection", "Upgrade", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
		refused("the token in a cookie", "/sessions", "Cookie", "token="+ownerToken),
		attack{"S3", "exposed: two headers, one of which is right", false, func(t *testing.T) {
			p := port{s.url, ""}
			p.raw(t, "GET /sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+ownerToken+"\r\nAuthorization: Bearer x\r\n\r\n", "403")
		}},
		attack{"S4", "exposed: guesses are no faster than the rate", false, func(t *testing.T) {
			guess := from(t, "127.0.0.7")
			var answered atomic.Int64
			var wg sync.WaitGroup
			start := time.Now()
			for range 8 {
				wg.Go(func() {
					for range rate / 2 {
						if status, _ := send(t, guess, "GET", s.url+"/sessions", "", "a-guess-of-the-owners-token"); status != http.StatusTooManyRequests && status != 0 {
							answered.Add(1)
						}
					}
				})
			}
			wg.Wait()
			if n, most := answered.Load(), rate+int64(time.Since(start).Seconds()*rate)+1; n > most || n < rate {
				t.Errorf("%d guesses in %v, want %d to %d", n, time.Since(start), rate, most)
			}
			if status, _ := send(t, from(t, "127.0.0.8"), "GET", s.url+"/sessions", "", ownerToken); status != 200 {
				t.Errorf("meanwhile, another address gets %d", status)
			}
			if status, _ := send(t, guess, "GET", s.url+"/health", "", ""); status != 200 {
				t.Errorf("meanwhile, /health is %d", status)
			}
		}},
		attack{"S3", "exposed: another user", false, func(t *testing.T) {
			answer := stranger(t, strings.TrimPrefix(s.url, "http://"), "GET /sessions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false)
			if !strings.HasPrefix(answer, "HTTP/1.1 401 ") {
				t.Errorf("another user gets %.300q", answer)
			}
		}},
	)
}

// greed are attacks by callers who may do something.
func (s *shell) greed() []attack {
	issue := func(t *testing.T, c *http.Client, body string) (id, secret string) {
		t.Helper()
		status, answer := s.patiently(t, c, "POST", "/auth/tokens", body)
		if status != 201 {
			t.Fatalf("%d %v", status, answer)
		}
		id, _ = answer["id"].(string)
		secret, _ = answer["token"].(string)
		return id, secret
	}
	return []attack{
		{"S7", "exposed: a ticket used by many at once", false, func(t *testing.T) {
			c := from(t, "127.0.0.9")
			_, answer := s.patiently(t, c, "POST", "/auth/ws-ticket", "")
			ticket, _ := answer["ticket"].(string)
			var admitted atomic.Int64
			var wg sync.WaitGroup
			for range 50 {
				wg.Go(func() {
					status, _, err := get(t, "GET", s.url+"/nothing?ticket="+ticket, "", "Upgrade", "websocket", "Connection", "Upgrade", "Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA==")
					if err == nil && status == http.StatusNotFound { // it was let in, and there is nothing
						admitted.Add(1)
					}
				})
			}
			wg.Wait()
			if n := admitted.Load(); n != 1 {
				t.Errorf("it let %d in", n)
			}
		}},
		{"S39", "exposed: tickets without end", true, func(t *testing.T) {
			c := from(t, "127.0.0.10")
			n := 0
			for ; n < 2000; n++ {
				if status, _ := s.patiently(t, c, "POST", "/auth/ws-ticket", ""); status != 200 {
					break
				}
			}
			if n > 1024 { // or fewer, on a machine that needs more than 30 seconds
				t.Errorf("%d tickets wait", n)
			}
		}},
		{"S39", "exposed: tokens without end", true, func(t *testing.T) {
			c := from(t, "127.0.0.11")
			admin, _ := issue(t, c, `{"rights":["administer","read"]}`)
			n := 1
			for ; n < 2000; n++ {
				if status, _ := s.patiently(t, c, "POST", "/auth/tokens", `{"rights":["read"]}`); status != 201 {
					break
				}
			}
			if n != 1024 {
				t.Errorf("%d tokens are valid", n)
			}
			if status, _ := s.patiently(t, c, "DELETE", "/auth/tokens/"+admin, ""); status != 204 {
				t.Errorf("withdraw one of them: %d", status)
			}
			issue(t, c, `{"rights":["read"],"expires_in_ms":1}`)
		}},
		{"S6", "exposed: waits without end, of a token that is withdrawn", false, func(t *testing.T) {
			c := from(t, "127.0.0.12")
			s.want(t, 201, "POST", "/sessions", `{"name":"waited","command":"cat"}`)
			id, secret := issue(t, c, `{"rights":["read"]}`)
			statuses := make(chan int)
			const waits = 300
			for range waits {
				go func() {
					status, _ := send(t, c, "GET", s.url+"/sessions/waited/idle?timeout_ms=300000&max_wait_ms=300000&fresh=true", "", secret)
					statuses <- status
				}()
			}
			count := map[int]int{}
			for range waits - 256 { // those beyond the limit come back
				count[<-statuses]++
			}
			if count[http.StatusTooManyRequests] != waits-256 {
				t.Errorf("answers %v, want 429 only", count)
			}
			if status, _ := s.patiently(t, c, "DELETE", "/auth/tokens/"+id, ""); status != 204 {
				t.Errorf("withdraw: %d", status)
			}
			for range 256 {
				if status := <-statuses; status != http.StatusForbidden {
					t.Errorf("a wait of the withdrawn token: %d", status)
				}
			}
			s.want(t, 204, "DELETE", "/sessions/waited", "")
		}},
		{"S5", "exposed: rights that the issuer lacks", false, func(t *testing.T) {
			c := from(t, "127.0.0.13")
			_, secret := issue(t, c, `{"rights":["administer"]}`)
			for _, body := range []string{`{"rights":["read"]}`, `{"rights":["administer","type"]}`, `{"rights":["administer"],"sessions":["a"]}`, `{"rights":["ADMINISTER","read"]}`, `{"rights":["administer, read"]}`} {
				if status, answer := send(t, c, "POST", s.url+"/auth/tokens", body, secret); status != 403 && status != 400 {
					t.Errorf("%s: %d %v", body, status, answer)
				}
			}
		}},
		{"S38", "exposed: many addresses", false, func(t *testing.T) {
			for i := range load.Count(100, 2000) {
				conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, byte(i>>8), byte(i))}}).Dial("tcp", strings.TrimPrefix(s.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				_, _ = conn.Write([]byte("GET /sessions HTTP/1.1\r\nHost: x\r\n\r\n")) // the server may be quicker
				conn.Close()
			}
		}},
	}
}
