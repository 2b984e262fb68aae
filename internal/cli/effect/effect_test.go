package effect_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/effect"
	"ui-mcp/internal/transport/httpserve"
	"ui-mcp/internal/ui/lua"
	"ui-mcp/internal/ui/lua/async"
)

const limit = 1 << 16

func TestHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/long":
			_, _ = w.Write(make([]byte, limit+1))
		case "/never":
			<-r.Context().Done()
		default:
			w.Header().Add("X-Two", "a")
			w.Header().Add("X-Two", "b")
			w.WriteHeader(http.StatusTeapot)
			_, _ = w.Write([]byte(r.Method + " " + r.Host + " " + r.Header.Get("X-Mine")))
		}
	}))
	t.Cleanup(server.Close)
	do := effect.HTTP(server.Client())

	res, err := do(t.Context(), async.Request{Method: "PUT", URL: server.URL, Header: map[string]string{"host": "example.org", "x-mine": "1"}, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("PUT example.org 1", string(res.Body)); diff != "" || res.Status != http.StatusTeapot || res.Header["x-two"] != "a, b" {
		t.Errorf("%d %v %s", res.Status, res.Header, diff)
	}
	if _, err := do(t.Context(), async.Request{Method: "GET", URL: server.URL + "/long", Limit: limit}); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes") {
		t.Errorf("a long response: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := do(ctx, async.Request{Method: "GET", URL: server.URL + "/never", Limit: limit}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a response that never comes: %v", err)
	}
	if _, err := do(t.Context(), async.Request{Method: "GET", URL: "http://127.0.0.1:1/", Limit: limit}); err == nil {
		t.Error("a port that nobody listens at gave an answer")
	}
}

// What a script asks for cannot take the mark away: not on the way through proxies, which drop the
// headers that Connection names, and not by redirects, also of other servers.
func TestMarked(t *testing.T) {
	var reached atomic.Int32
	ours := httptest.NewServer(httpserve.RefuseScripts(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
	}), httpserve.InText))
	t.Cleanup(ours.Close)
	there, err := url.Parse(ours.URL)
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(there.Host)
	proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(there) }})
	t.Cleanup(proxy.Close)
	tunnel := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect {
			http.Error(w, "CONNECT only", http.StatusMethodNotAllowed)
			return
		}
		to, err := net.Dial("tcp", there.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer to.Close()
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
		go func() { _, _ = io.Copy(to, buffered) }()
		_, _ = io.Copy(conn, to)
	}))
	t.Cleanup(tunnel.Close)
	redirect := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, err := strconv.Atoi(r.URL.Path[1:])
		if err != nil {
			t.Error(err)
		}
		http.Redirect(w, r, r.URL.Query().Get("to"), status)
	}))
	t.Cleanup(redirect.Close)
	attempts := map[string]async.Request{
		"plainly":     {Method: "POST", URL: ours.URL + "/mcp", Body: []byte("{}")},
		"by a proxy":  {Method: "POST", URL: proxy.URL + "/mcp", Header: map[string]string{"connection": "close, Ui-Mcp-Script"}},
		"by proxies":  {Method: "POST", URL: proxy.URL + "/mcp", Header: map[string]string{"connection": "Ui-Mcp-Script", "proxy-connection": "Ui-Mcp-Script", "ui-mcp-script": ""}},
		"by upgrades": {Method: "GET", URL: proxy.URL + "/popup-ws", Header: map[string]string{"connection": "Upgrade, Ui-Mcp-Script", "upgrade": "websocket"}},
		"by a tunnel": {Method: "CONNECT", URL: tunnel.URL, Header: map[string]string{"host": there.Host}, Body: []byte("POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n")},
	}
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, name := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "127.0.0.2", "LOCALHOST"} {
			attempts[fmt.Sprintf("by %d to %s", status, name)] = async.Request{
				Method: "POST", Body: []byte("{}"), Header: map[string]string{"Ui-Mcp-Script": ""},
				URL: fmt.Sprintf("%s/%d?to=%s", redirect.URL, status, url.QueryEscape("http://"+name+":"+port+"/mcp")),
			}
		}
	}
	refused := 0
	do := effect.HTTP(&http.Client{Transport: &http.Transport{Proxy: nil}})
	for name, req := range attempts {
		req.Limit = limit
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		res, err := do(ctx, req)
		cancel()
		if err == nil && res.Status == http.StatusForbidden {
			refused++
		}
		if n := reached.Swap(0); n > 0 {
			t.Errorf("%s: a script's request was served: %d, %v", name, res.Status, err)
		}
	}
	if refused < 14 { // at the address and by its name; the server does not listen at the others
		t.Errorf("%d attempts came to the server", refused)
	}
}

// The commands are this very test, so that there is nothing to install.
func TestMain(m *testing.M) {
	switch os.Getenv("EFFECT_TEST") {
	case "hello":
		var in [100]byte
		n, _ := os.Stdin.Read(in[:])
		_, _ = os.Stdout.WriteString("got " + string(in[:n]))
		_, _ = os.Stderr.WriteString("oh")
		os.Exit(3)
	case "flood":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1000)); err != nil {
				os.Exit(1)
			}
		}
	case "sleep":
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

func command(t *testing.T, what string) lua.Command {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return lua.Command{Argv: []string{exe}, Dir: t.TempDir(), Env: []string{"EFFECT_TEST=" + what}, Input: []byte("in"), Limit: limit}
}

func TestExec(t *testing.T) {
	res, err := effect.Exec(t.Context(), command(t, "hello"))
	if err != nil {
		t.Fatal(err)
	}
	want := lua.Result{Code: 3, Stdout: []byte("got in"), Stderr: []byte("oh")}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := effect.Exec(t.Context(), command(t, "flood")); err == nil || !strings.Contains(err.Error(), "more than 65536 bytes of standard output") {
		t.Errorf("a flood: %v", err)
	}
	if _, err := effect.Exec(t.Context(), lua.Command{Argv: []string{"/no/such/program"}, Limit: limit}); err == nil {
		t.Error("a program that is not there ran")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := effect.Exec(ctx, command(t, "sleep")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a long sleep: %v", err)
	}
}
