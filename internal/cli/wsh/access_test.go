package wsh

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// dial opens a WebSocket and returns it, or the status of the refusal.
func dial(t *testing.T, c *http.Client, url string) (*websocket.Conn, int) {
	t.Helper()
	conn, res, err := websocket.Dial(t.Context(), "ws"+strings.TrimPrefix(url, "http"), &websocket.DialOptions{HTTPClient: c})
	switch {
	case res == nil:
		t.Fatal(err)
	case err != nil:
		res.Body.Close()
		return nil, res.StatusCode
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn, res.StatusCode
}

// Over plain TCP, TLS and the Unix socket: a ticket opens a WebSocket once, with the rights of the
// token that it was issued for, and the WebSocket ends when that token is withdrawn. Package gate
// has whom it refuses.
func TestTokenOfSocket(t *testing.T) {
	t.Parallel()
	const owner = "the-token-of-the-owner"
	for _, way := range []string{"TCP", "TLS", "Unix"} {
		t.Run(way, func(t *testing.T) {
			dir := runtimeDir(t)
			file := filepath.Join(t.TempDir(), "token")
			if err := os.WriteFile(file, []byte(owner), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"--bind", "127.0.0.1:0", "--token-file", file, "--base-prefix", "/p"}
			c := overTCP(t, nil)
			if way == "TLS" {
				cert, key, trust := certificate(t)
				args = append(args, "--tls-cert", cert, "--tls-key", key)
				c = overTCP(t, trust)
			}
			base, stop := serve(t, args...)
			if way == "Unix" {
				c, base = overSocket(t, filepath.Join(dir, "default.sock")), "http://localhost/p"
			}
			bearer := "Authorization: Bearer " + owner
			status, body := ask(t, c, "POST", base+"/auth/tokens", `{"rights":["read"]}`, bearer)
			var issued struct{ ID, Token string }
			if err := json.Unmarshal([]byte(body), &issued); err != nil || status != 201 {
				t.Fatalf("%d %s, %v", status, body, err)
			}
			reader := "Authorization: Bearer " + issued.Token
			status, body = ask(t, c, "POST", base+"/auth/ws-ticket", "", reader)
			var once struct{ Ticket string }
			if err := json.Unmarshal([]byte(body), &once); err != nil || status != 200 {
				t.Fatalf("%d %s, %v", status, body, err)
			}
			conn, status := dial(t, c, base+"/ws/json?ticket="+once.Ticket)
			if status != 101 {
				t.Fatalf("with a ticket: %d", status)
			}
			if _, status := dial(t, c, base+"/ws/json?ticket="+once.Ticket); status != 401 {
				t.Errorf("the ticket again: %d", status)
			}
			read := func() string {
				t.Helper()
				_, message, err := conn.Read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return string(message)
			}
			read() // the greeting
			if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"id":1,"method":"create_session","params":{}}`)); err != nil {
				t.Fatal(err)
			}
			if got := read(); !strings.Contains(got, `"not_allowed"`) {
				t.Errorf("a reader creates a session: %s", got)
			}
			if status, body := ask(t, c, "DELETE", base+"/auth/tokens/"+issued.ID, "", bearer); status != 204 {
				t.Fatalf("withdraw: %d %s", status, body)
			}
			_, _, err := conn.Read(context.WithoutCancel(t.Context()))
			if code := websocket.CloseStatus(err); code != websocket.StatusPolicyViolation {
				t.Errorf("the WebSocket of a withdrawn token ended with %v, %v", code, err)
			}
			if status, errs := stop(); status != 0 || strings.Contains(errs, owner) || strings.Contains(errs, issued.Token) || !strings.Contains(errs, `msg=serving`) {
				t.Errorf("status %d, log %s", status, errs)
			}
		})
	}
}
