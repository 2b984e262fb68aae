package wsh

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
	"ui-mcp/internal/transport/client"
)

// overSocket returns a client that connects to a Unix socket, whatever the address.
func overSocket(t *testing.T, path string) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// connected returns a client of the server at an address.
func connected(t *testing.T, network, address string) *client.Client {
	t.Helper()
	c := client.New(client.Options{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}})
	t.Cleanup(func() { c.Close(nil) })
	return c
}

// ask makes a request and returns the answer's status and body. headers are "Name: value".
func ask(t *testing.T, client *http.Client, method, url, body string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// overTCP returns a client for TCP.
func overTCP(t *testing.T, config *tls.Config) *http.Client {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: config}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// The socket serves HTTP, to this user only, and describes the same server as the port, where a
// program without a token does not answer the person's questions.
func TestSocket(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	address, stop := serve(t, "--bind", "127.0.0.1:0", "--hostname", "here")
	path := filepath.Join(dir, "default.sock")
	file, err := os.Lstat(path)
	if err != nil || file.Mode().Perm() != 0o600 {
		t.Errorf("the socket: %v, %v", file, err)
	}
	info := func(c *http.Client, address string) (about terminals.ServerInfo) {
		status, body := ask(t, c, "GET", address+"/server/info", "")
		if err := json.Unmarshal([]byte(body), &about); err != nil || status != 200 {
			t.Errorf("status %d, %s, %v", status, body, err)
		}
		about.Load = nil // may change at any time
		return about
	}
	about, overTCP := info(overSocket(t, path), "http://localhost"), info(overTCP(t, nil), address)
	overTCP.Rights = append(overTCP.Rights, terminals.Answer.String())
	if diff := cmp.Diff(about, overTCP); diff != "" {
		t.Errorf("-over the socket +over TCP, with the right to answer:\n%s", diff)
	}
	if about.Hostname != "here" || about.ID == "" || about.Version != "0.1.0" {
		t.Errorf("it is %+v", about)
	}
	stop()
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left behind: %v", err)
	}
}

// Without a port of its own choice, a server that another command starts takes any that is free.
func TestAnyPort(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address, _ := serve(t, "--bind", taken.Addr().String(), "--any-port")
	if status, _ := ask(t, overTCP(t, nil), "GET", address+"/health", ""); status != 200 || strings.HasSuffix(address, taken.Addr().String()) {
		t.Errorf("status %d at %s", status, address)
	}
}

// certificate makes a certificate for this machine, and returns its files and who trusts it.
func certificate(t *testing.T) (cert, key string, trust *tls.Config) {
	t.Helper()
	_, certPEM, keyPEM := testkit.Certificate(t, nil)
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if err := errors.Join(os.WriteFile(cert, certPEM, 0o600), os.WriteFile(key, keyPEM, 0o600)); err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(certPEM)
	return cert, key, &tls.Config{RootCAs: roots}
}

// On an address that others can reach, clients need a token, over TLS and below a prefix. The owner
// issues another one, with fewer rights. A ticket for that opens a WebSocket once, which ends when
// the token is withdrawn. Package gate has whom it refuses.
func TestExposed(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	cert, key, trust := certificate(t)
	address, stop := serve(t, "--bind", "0.0.0.0:0", "--tls-cert", cert, "--tls-key", key, "--base-prefix", "/wsh/")
	address, ok := strings.CutSuffix(address, "/wsh")
	if !ok || !strings.HasPrefix(address, "https://") {
		t.Errorf("the server is at %s", address)
	}
	_, port, err := net.SplitHostPort(strings.TrimPrefix(address, "https://"))
	if err != nil {
		t.Fatal(err)
	}
	address = "https://127.0.0.1:" + port
	c := overTCP(t, trust)
	if status, body := ask(t, c, "GET", address+"/wsh/sessions", ""); status != 401 {
		t.Errorf("without a token: %d %s", status, body)
	}
	file := filepath.Join(dir, "default.token")
	token, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of the token: %v, %v", info, err)
	}
	bearer := "Authorization: Bearer " + strings.TrimSpace(string(token))
	status, body := ask(t, c, "POST", address+"/wsh/auth/tokens", `{"rights":["read"]}`, bearer)
	var issued struct{ ID, Token string }
	if err := json.Unmarshal([]byte(body), &issued); err != nil || status != 201 {
		t.Fatalf("with the token: %d %s, %v", status, body, err)
	}
	status, body = ask(t, c, "POST", address+"/wsh/auth/ws-ticket", "", "Authorization: Bearer "+issued.Token)
	var once struct{ Ticket string }
	if err := json.Unmarshal([]byte(body), &once); err != nil || status != 200 {
		t.Fatalf("a ticket: %d %s, %v", status, body, err)
	}
	url := strings.Replace(address, "https", "wss", 1) + "/wsh/ws/json?ticket=" + once.Ticket
	conn, _, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: c})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if _, res, err := websocket.Dial(t.Context(), url, &websocket.DialOptions{HTTPClient: c}); err == nil || res == nil || res.StatusCode != 401 {
		t.Errorf("the ticket again: %v", err)
	}
	_, _, greetErr := conn.Read(t.Context())
	writeErr := conn.Write(t.Context(), websocket.MessageText, []byte(`{"id":1,"method":"create_session","params":{}}`))
	if _, got, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(got), `"not_allowed"`) {
		t.Errorf("a reader creates a session: %s, %v", got, errors.Join(greetErr, writeErr, err))
	}
	if status, body := ask(t, c, "DELETE", address+"/wsh/auth/tokens/"+issued.ID, "", bearer); status != 204 {
		t.Fatalf("withdraw: %d %s", status, body)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
		t.Errorf("the WebSocket of a withdrawn token ended with %v", err)
	}
	if status, body := ask(t, c, "GET", address+"/sessions", "", bearer); status != 404 {
		t.Errorf("outside of the prefix: %d %s", status, body)
	}
	if status, body := ask(t, c, "GET", address+"/health", ""); status != 200 {
		t.Errorf("health: %d %s", status, body)
	}
	if errs := stop(); strings.Contains(errs, strings.TrimSpace(string(token))) || strings.Contains(errs, issued.Token) || !strings.Contains(errs, "msg=serving") {
		t.Errorf("it logs %s", errs)
	}
}

// A token is asked for on the loopback, too, and sessions never see it. Package gate has where it
// may come from, but for the configuration file.
func TestTokenOnLoopback(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("token-of-the-file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(config, []byte("[server]\ntoken = \"token-of-the-config\"\nenv_allow = [\"*\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		env, token string
		args       []string
	}{
		{"token-of-environment", "token-of-the-file", []string{"--token-file", file}},
		{"", "token-of-the-config", []string{"--config", config}},
		{"token-of-environment", "token-of-environment", []string{"--config", config}},
	} {
		setenv(t, "WSH_TOKEN", tt.env)
		address, stop := serve(t, append(tt.args, "--bind", "127.0.0.1:0")...)
		if status, _ := ask(t, overTCP(t, nil), "GET", address+"/sessions", ""); status != 401 {
			t.Errorf("%+v: status %d without a token", tt, status)
		}
		bearer := "Authorization: Bearer " + tt.token
		if status, body := ask(t, overTCP(t, nil), "POST", address+"/sessions", `{"name":"a","command":"env"}`, bearer); status != 201 {
			t.Fatalf("%+v: %d %s", tt, status, body)
		}
		var screen string
		wait.Until(t, "the environment is on the screen", func() bool {
			_, screen = ask(t, overTCP(t, nil), "GET", address+"/sessions/a/scrollback?format=plain", "", bearer)
			return strings.Contains(screen, "TERM_PROGRAM=wsh")
		})
		if strings.Contains(screen, "token-of") {
			t.Errorf("%+v: the session sees the token: %s", tt, screen)
		}
		if errs := stop(); strings.Contains(errs, "token-of") {
			t.Errorf("%+v: it logs %s", tt, errs)
		}
	}
}

// A configuration file with a token that others can read is refused.
func TestSecretConfig(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	config := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(config, []byte("[server]\ntoken = \"0123456789abcdef\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(config, 0o644); err != nil { // whatever the umask is
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if status := Run(t.Context(), "", []string{"server", "--config", config}, vars(t), commandline.Streams{Out: &out, Err: &errs}); status != 1 || !strings.Contains(errs.String(), "chmod 600 "+config) {
		t.Errorf("status %d: %s", status, errs.String())
	}
}

// A configuration file's relative paths start from its directory.
func TestConfigPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(config, []byte("[server]\nsocket = \"run/s.sock\"\ntoken_file = \"token\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := parse(t, "--config", config)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "run", "s.sock"); s.Socket != want {
		t.Errorf("socket %q, want %q", s.Socket, want)
	}
	if c, err := readConfig(vars(t), config); err != nil || c.TokenFile != filepath.Join(dir, "token") {
		t.Errorf("token file %q, %v", c.TokenFile, err)
	}
	if _, err := parseConfig([]byte("[server]\ntoken = \"short\"\n")); fault.KindOf(err) != fault.Invalid || !strings.HasPrefix(err.Error(), "server.token: ") {
		t.Errorf("a token that is too short: %v", err)
	}
}

// Sessions get the variables that the lists leave, and what they write is recorded.
func TestEnvironmentAndRecordings(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	setenv(t, "WSH_TEST_SECRET", "never") // no list gives it
	setenv(t, "CLOUD_KEY", "denied")
	setenv(t, "PROJECT", "allowed")
	setenv(t, "OTHER", "not-listed")
	folder := filepath.Join(t.TempDir(), "recordings")
	address, stop := serve(t, "--bind", "127.0.0.1:0", "--env-allow", "PROJECT,CLOUD_*", "--env-deny", "CLOUD_KEY,HOME", "--record", folder)
	if status, body := ask(t, overTCP(t, nil), "POST", address+"/sessions", `{"name":"a","command":"env; echo \"HOME is <$HOME>\""}`); status != 201 {
		t.Fatalf("create: %d %s", status, body)
	}
	var screen string
	wait.Until(t, "the environment is on the screen", func() bool {
		_, screen = ask(t, overTCP(t, nil), "GET", address+"/sessions/a/scrollback?format=plain", "")
		return strings.Contains(screen, "HOME is")
	})
	for text, want := range map[string]bool{"PROJECT=allowed": true, "PATH=": true, "denied": false, "not-listed": false, "never": false, "HOME=": false} {
		if strings.Contains(screen, text) != want {
			t.Errorf("%q in the environment: %v, want %v: %s", text, !want, want, screen)
		}
	}
	if errs := stop(); strings.Contains(errs, "level=WARN") {
		t.Errorf("it logs %s", errs)
	}
	files, err := filepath.Glob(filepath.Join(folder, "a.*.wsh.cast"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if recorded, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(recorded), "PROJECT=allowed") {
		t.Errorf("recorded: %q, %v", recorded, err)
	}
}

// A stopped server has ended, also when another one has taken its name at once.
func TestStopBeforeAnotherServer(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	_, stop := serve(t, "--bind", "127.0.0.1:0")
	e := caller.Env{Vars: vars(t), Where: caller.Where{ServerName: "default"}, Streams: commandline.Streams{Err: t.Output()}}
	err := e.WithAnyServer(t.Context(), func(r *caller.Remote, about terminals.ServerInfo) error {
		stop()
		serve(t, "--bind", "127.0.0.1:0")
		return awaitEnd(t.Context(), r, about.ID)
	})
	if err != nil {
		t.Error(err)
	}
}
