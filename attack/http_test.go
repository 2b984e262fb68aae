//go:build linux

package attack

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ui-mcp/internal/testkit/load"
	"ui-mcp/internal/testkit/wait"
)

// A port is one of a process that speaks HTTP.
type port struct {
	url  string
	path string // of something that the owner gets
}

// address is the address of a port.
func (p port) address() string { return strings.TrimPrefix(p.url, "http://") }

// strangers are attacks on a port by pages of other sites and by other users of the machine.
func (p port) strangers() (list []attack) {
	_, number, _ := net.SplitHostPort(p.address())
	refused := func(method string, headers ...string) func(t *testing.T) {
		return func(t *testing.T) {
			status, body, err := get(t, method, p.url+p.path, "", headers...)
			if err != nil || status != http.StatusForbidden {
				t.Errorf("%s with %q: %d %.100q, %v, want 403", method, headers, status, body, err)
			}
		}
	}
	for _, host := range []string{
		"evil.example", "evil.example:" + number, "127.0.0.1.evil.example:" + number, "localhost.evil.example:" + number,
		"evil.localhost.example:" + number, "0.0.0.0:" + number, "169.254.169.254", "[::ffff:10.0.0.1]:" + number,
	} {
		list = append(list, attack{"S11", p.path + ": Host " + host, false, refused("GET", "Host", host)})
	}
	for _, origin := range []string{
		"https://evil.example", "null", "http://127.0.0.1:1", "http://localhost:1", "file://", "http://127.0.0.1.evil.example:" + number,
		"http://localhost:" + number + ".evil.example", "http://evil.example:" + number, "https://127.0.0.1@evil.example", "chrome-extension://abc", "",
		"http://127.0.0.1:" + number + ", http://evil.example", "javascript:alert(1)",
	} {
		list = append(list, attack{"S12", p.path + ": Origin " + fmt.Sprintf("%q", origin), false, func(t *testing.T) {
			for _, method := range []string{"GET", "POST", "OPTIONS", "DELETE"} {
				refused(method, "Origin", origin)(t)
			}
		}})
	}
	list = append(list,
		attack{"S11", p.path + ": two hosts", false, func(t *testing.T) {
			p.raw(t, "GET "+p.path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n", "400", "403")
		}},
		attack{"S11", p.path + ": no host", false, func(t *testing.T) {
			p.raw(t, "GET "+p.path+" HTTP/1.1\r\n\r\n", "400", "403")
			p.raw(t, "GET "+p.path+" HTTP/1.0\r\n\r\n", "400", "403")
		}},
		attack{"S11", p.path + ": a foreign absolute URI", false, func(t *testing.T) {
			p.raw(t, "GET http://evil.example"+p.path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", "403")
		}},
		attack{"S12", p.path + ": Sec-Fetch-Site of another site", false, func(t *testing.T) {
			for _, mode := range []string{"cors", "no-cors", "websocket"} {
				refused("POST", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", mode, "Sec-Fetch-Dest", "empty")(t)
			}
		}},
		attack{"S12", p.path + ": a WebSocket of another site", false, func(t *testing.T) {
			for _, path := range []string{p.path, "/ws/1", "/popup-ws"} {
				p.raw(t, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1:"+number+"\r\nOrigin: https://evil.example\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n", "403")
			}
		}},
		attack{"S11", p.path + ": a request smuggled", false, func(t *testing.T) {
			p.raw(t, "POST "+p.path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "4", "3", "2")
		}},
		attack{"S1", p.path + ": another user", false, func(t *testing.T) {
			answer := stranger(t, p.address(), "GET "+p.path+" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", false)
			if !strings.HasPrefix(answer, "HTTP/1.1 403 ") {
				t.Errorf("another user gets %.300q", answer)
			}
		}},
		attack{"S1", p.path + ": another user, many times on a connection", false, func(t *testing.T) {
			one := "GET " + p.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
			answer := stranger(t, p.address(), strings.Repeat(one, 3)+strings.Replace(one, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1), false)
			if n := strings.Count(answer, "HTTP/1.1 403 "); n == 0 || strings.Contains(answer, "HTTP/1.1 2") {
				t.Errorf("another user gets %.300q", answer)
			}
		}},
	)
	return list
}

// raw sends bytes and checks that the answer's status begins with one of want, or that there is
// none at all.
func (p port) raw(t *testing.T, text string, want ...string) {
	t.Helper()
	conn, err := net.Dial("tcp", p.address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(wait.Patience))
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	n, err := io.ReadAtLeast(conn, buf, 12)
	if err != nil && n == 0 {
		return // closed without an answer
	}
	status := strings.TrimPrefix(strings.TrimPrefix(string(buf[:n]), "HTTP/1.1 "), "HTTP/1.0 ")
	for _, w := range want {
		if strings.HasPrefix(status, w) {
			return
		}
	}
	t.Errorf("%.80q is answered %.20q, want %q", text, status, want)
}

// traversals are paths that lead out of a folder that is served.
func (p port) traversals(secret string) (list []attack) {
	for _, path := range []string{
		"/../SECRET", "/../../SECRET", "/%2e%2e/SECRET", "/..%2fSECRET", "/%2e%2e%2f%2e%2e%2fSECRET", "/..\\SECRET", "/%5c..%5cSECRET",
		"/1/../../SECRET", "/1/%2e%2e/%2e%2e/SECRET", "//etc/passwd", "/./../SECRET", "/....//SECRET", "/%00/../SECRET",
		"/shoelace/../../SECRET", "/html/../SECRET", "/.git/config", "/1/.hidden", "/%252e%252e/SECRET", "/;/../SECRET", "/" + strings.Repeat("../", 5_000) + "etc/passwd",
	} {
		path := strings.ReplaceAll(path, "SECRET", "secret.txt")
		list = append(list, attack{"S14", fmt.Sprintf("path: %.40s", path), false, func(t *testing.T) {
			conn, err := net.Dial("tcp", p.address())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(wait.Patience))
			fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path)
			data, err := io.ReadAll(io.LimitReader(conn, 1<<20))
			if err != nil || strings.Contains(string(data), secret) || strings.Contains(string(data), "root:x:0") {
				t.Errorf("%.300q, %v", data, err)
			}
		}})
	}
	return list
}

// secrets puts files with a secret next to the folders that are served, and links to them among the
// documents. (Links in html are the person's, and are followed.)
func secrets(t *testing.T, dir string) string {
	t.Helper()
	const secret = "the secret of this test"
	for _, name := range []string{"secret.txt", "../secret.txt", "../../secret.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(secret), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "resources"), 0o755); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link": "../..", "secret-link.md": "../../secret.txt"} {
		if err := os.Symlink(to, filepath.Join(dir, "resources", link)); err != nil {
			t.Fatal(err)
		}
	}
	return secret
}

// floods are attacks on a port by numbers and by patience.
func (p port) floods(post string) []attack {
	many := func(t *testing.T, n int, text string) (conns []net.Conn) {
		t.Helper()
		for range n {
			conn, err := net.Dial("tcp", p.address())
			if err != nil {
				t.Fatalf("after %d connections: %v", len(conns), err)
			}
			if _, err := io.WriteString(conn, text); err != nil {
				t.Fatal(err)
			}
			conns = append(conns, conn)
		}
		t.Cleanup(func() {
			for _, c := range conns {
				c.Close()
			}
		})
		return conns
	}
	works := func(t *testing.T) {
		t.Helper()
		if status, body, err := get(t, "GET", p.url+p.path, ""); err != nil || status >= 400 {
			t.Errorf("meanwhile: %d %.100q, %v", status, body, err)
		}
	}
	n := load.Count(100, 1_000)
	return []attack{
		{"S38", p.path + ": many connections that say nothing", false, func(t *testing.T) { many(t, n, ""); works(t) }},
		{"S38", p.path + ": many slow headers", false, func(t *testing.T) {
			conns := many(t, n, "GET / HTTP/1.1\r\nHost: 127")
			for _, c := range conns {
				_, _ = io.WriteString(c, ".") // the server may have cut it
			}
			works(t)
		}},
		{"S38", p.path + ": many stalled bodies", false, func(t *testing.T) {
			many(t, n, "POST "+post+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{")
			works(t)
		}},
		{"S38", p.path + ": stalled bodies are cut", true, func(t *testing.T) {
			conns := many(t, 10, "POST "+post+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 100000\r\n\r\n{")
			for _, c := range conns {
				_ = c.SetReadDeadline(time.Now().Add(wait.Patience))
				if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
					t.Fatalf("the connection is still open: %v", err)
				}
			}
		}},
		{"S38", p.path + ": slow headers are cut", true, func(t *testing.T) {
			for _, c := range many(t, 10, "GET / HTTP/1.1\r\nHost: 127") {
				_ = c.SetReadDeadline(time.Now().Add(wait.Patience))
				if _, err := io.Copy(io.Discard, c); err != nil && !strings.Contains(err.Error(), "reset") {
					t.Fatalf("the connection is still open: %v", err)
				}
			}
		}},
		{"S38", p.path + ": a header of 10 MiB", false, func(t *testing.T) {
			conn := many(t, 1, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")[0]
			for range 10 {
				if _, err := io.WriteString(conn, "X: "+strings.Repeat("x", 1<<20)+"\r\n"); err != nil {
					return // it was cut
				}
			}
			_, _ = io.WriteString(conn, "\r\n")
			_ = conn.SetReadDeadline(time.Now().Add(wait.Patience))
			data, _ := io.ReadAll(io.LimitReader(conn, 1<<16)) // or reset
			if strings.HasPrefix(string(data), "HTTP/1.1 2") {
				t.Errorf("it was taken: %.100q", data)
			}
		}},
		{"S38", p.path + ": a body without end", false, func(t *testing.T) {
			conn := many(t, 1, "POST "+post+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")[0]
			chunk := "100000\r\n" + strings.Repeat("x", 1<<20) + "\r\n"
			_ = conn.SetDeadline(time.Now().Add(wait.Patience))
			for i := range 1_000 {
				if _, err := io.WriteString(conn, chunk); err != nil {
					return // it was cut
				}
				if i == 200 {
					t.Errorf("the server takes bodies of %d MiB", i)
					return
				}
			}
		}},
		{"S38", p.path + ": clients that never read", false, func(t *testing.T) {
			// Requests are pipelined; their answers fill the buffers.
			one := "GET " + p.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
			var wg sync.WaitGroup
			for _, c := range many(t, 20, "") {
				_ = c.SetWriteDeadline(time.Now().Add(2 * time.Second))
				wg.Go(func() {
					for range 20 {
						if _, err := io.WriteString(c, strings.Repeat(one, 5_000)); err != nil {
							return // the server reads no more
						}
					}
				})
			}
			wg.Wait()
			works(t)
		}},
		{"S38", p.path + ": many requests at once", false, func(t *testing.T) {
			var wg sync.WaitGroup
			for range load.Count(50, 500) {
				wg.Go(func() {
					if status, body, err := get(t, "GET", p.url+p.path, ""); err == nil && status >= 500 {
						t.Errorf("%d %.100q", status, body)
					}
				})
			}
			wg.Wait()
		}},
		{"S1", p.path + ": other users who send and leave at once", false, func(t *testing.T) {
			for range load.Count(3, 30) {
				stranger(t, p.address(), "POST "+post+" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: 119\r\n\r\n"+
					`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ui_run","arguments":{"code":"BROKEN_IN=1","command":""}}}`[:119], true)
			}
		}},
	}
}
