//go:build unix

package e2e

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// ownersToken is the token of a server that wants one.
const ownersToken = "the-token-of-the-owner"

// A shellServer is a process of "wsh server", and the way in which a test reaches it.
type shellServer struct {
	cmd     *exec.Cmd
	base    string // URL of its root
	socket  string // path of the Unix socket
	client  *http.Client
	log     *testkit.Log
	stopped bool
}

// startShellServer starts "wsh server". way is TCP or Unix. It must end successfully, by
// itself or when the test is over.
func startShellServer(t testing.TB, way string, flags ...string) *shellServer {
	t.Helper()
	dir := testkit.ShortDir(t)
	s := &shellServer{socket: filepath.Join(dir, "wsh", "default.sock"), log: &testkit.Log{}}
	transport := &http.Transport{MaxIdleConnsPerHost: 200}
	t.Cleanup(transport.CloseIdleConnections)
	s.client = &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	flags = append([]string{"server", "--bind", "127.0.0.1:0", "--config", os.DevNull, "--hostname", "host"}, flags...)
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if tcp, ok := conn.(*net.TCPConn); ok {
			err = tcp.SetReadBuffer(64 << 10) // so that clients that do not read soon hold up the server
		}
		return conn, err
	}
	if way == "Unix" {
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", s.socket)
		}
	}
	s.cmd = exec.Command("wsh", flags...)
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no shell that marks its commands: ", err)
	}
	s.cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+dir, "HOME="+dir, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "SHELL="+shell)
	s.cmd.Stderr = s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		if err := s.cmd.Wait(); err != nil && !s.stopped {
			t.Errorf("the server ended badly: %v", err)
		}
		if t.Failed() {
			t.Logf("standard error of the server:\n%s", s.log)
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(strings.TrimSpace(line), " on ")
	if err != nil || !found {
		t.Fatalf("the server does not say where it is: %q, %v\n%s", line, err, s.log)
	}
	if s.base = address; way == "Unix" {
		s.base = "http://localhost"
	}
	return s
}

// stop ends the server with a signal, and waits for that.
func (s *shellServer) stop(t testing.TB, signal os.Signal) {
	t.Helper()
	s.stopped = true
	if err := s.cmd.Process.Signal(signal); err != nil {
		t.Error(err)
	}
	_ = s.cmd.Wait() // the signal may be the reason
}

// do makes a request. headers are "Name: value".
func (s *shellServer) do(t testing.TB, method, path, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
		if name == "Host" {
			req.Host = value
		}
	}
	res, err := s.client.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	return res, string(b)
}

// dial opens a WebSocket, which is nil if the answer refuses it.
func (s *shellServer) dial(t testing.TB, path string, headers ...string) (*websocket.Conn, *http.Response, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), wait.Patience)
	defer cancel()
	h := http.Header{}
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		h.Set(name, value)
	}
	conn, res, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.base, "http")+path, &websocket.DialOptions{HTTPClient: s.client, HTTPHeader: h})
	if err != nil {
		if res == nil {
			t.Fatalf("%s: %v", path, err)
		}
		b, _ := io.ReadAll(res.Body) // at most what was read with the headers
		return nil, res, string(b)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { _ = conn.CloseNow() })
	return conn, res, ""
}
