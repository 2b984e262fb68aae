package reach

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"ui-mcp/internal/fault"
	"ui-mcp/internal/fleet"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/terminals/wire"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/gate"
	"ui-mcp/internal/transport/httpterm"
	"ui-mcp/internal/transport/remote"
	"ui-mcp/internal/transport/wsterm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var here = remote.Hello{Name: "here", ID: "1", Version: "1.2.3"}

func newDialer(environ ...string) *Dialer {
	return &Dialer{Self: here, Environ: environ, Log: slog.New(slog.DiscardHandler)}
}

// Addresses are kept in one form, and nothing of them is an option or means something to a shell.
func TestAddresses(t *testing.T) {
	for _, tt := range []struct{ given, want string }{
		{"ssh://build1", "ssh://build1"},
		{"ssh://Build1:22/", "ssh://build1"},
		{"ssh://me@build1.example.org:2222", "ssh://me@build1.example.org:2222"},
		{"ssh://[2001:db8::1]:2222", "ssh://[2001:db8::1]:2222"},
		{"ssh://[::1]", "ssh://[::1]"},
		{"ssh://build1?command=/opt/bin/wsh", "ssh://build1?command=/opt/bin/wsh"},
		{"ssh://-oProxyCommand=touch%20x", ""},
		{"ssh://-l@build1", ""},
		{"ssh://-oProxyCommand=x@build1", ""},
		{"ssh://a%20b", ""},
		{"ssh://build1;reboot", ""},
		{"ssh://$(reboot)", ""},
		{"ssh://me:secret@build1", ""},
		{"ssh://build1:0", ""},
		{"ssh://build1:99999", ""},
		{"ssh://build1:x", ""},
		{"ssh://build1/home", ""},
		{"ssh://build1?command=wsh;reboot", ""},
		{"ssh://build1?command=-x", ""},
		{"ssh://build1?command=", ""},
		{"ssh://build1?other=1", ""},
		{"ssh://", ""},
		{"ssh:build1", ""},
		{"http://127.0.0.1:8080/", "http://127.0.0.1:8080"},
		{"https://Build1/wsh/", "https://build1/wsh"},
		{"http://0.0.0.0:8080", ""},
		{"http://[::]:8080", ""},
		{"http://me:secret@build1", ""},
		{"http://build1?token=secret", ""},
		{"http://", ""},
		{"ftp://build1", ""},
		{"build1:8080", ""},
		{"", ""},
		{"ssh://build1\n", ""},
		{"ssh://" + strings.Repeat("x", maxAddress), ""},
	} {
		got, err := newDialer().Clean(tt.given)
		if (err == nil) != (tt.want != "") || err == nil && got != tt.want || err != nil && fault.KindOf(err) != fault.Invalid {
			t.Errorf("%q: %q, %v", tt.given, got, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error of %q has the secret: %v", tt.given, err)
		}
		if again, err := newDialer().Clean(got); got != "" && (err != nil || again != got) {
			t.Errorf("%q: %q, %v", got, again, err)
		}
	}
}

// What ssh gets is options of ours, and then the host and the command.
func TestArguments(t *testing.T) {
	u, err := url.Parse("ssh://me@build1:2222?command=/opt/wsh")
	if err != nil {
		t.Fatal(err)
	}
	a, err := parseSSH(u)
	if err != nil {
		t.Fatal(err)
	}
	args := a.args(false)
	want := []string{"-p", "2222", "-l", "me", "--", "build1", "/opt/wsh servers pipe"}
	if d := cmp.Diff(want, args[len(args)-len(want):]); d != "" {
		t.Error(d)
	}
	if !strings.Contains(strings.Join(args, " "), "-o BatchMode=yes") {
		t.Errorf("ssh may ask: %v", args)
	}
	if args := a.args(true); args[len(args)-1] != "/opt/wsh servers pipe --start" {
		t.Errorf("with a server to start: %v", args)
	}
}

// What ssh says is told with what to do, and is harmless to display.
func TestRefusals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell in place of ssh")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	dial := func() (fleet.Remote, error) {
		return newDialer("PATH=/usr/bin:/bin").Dial(t.Context(), "ssh://build1", "", false)
	}
	if _, err := dial(); fault.KindOf(err) != fault.Precondition || !strings.Contains(err.Error(), "no program ssh") {
		t.Errorf("without ssh: %v", err)
	}
	for _, tt := range []struct {
		name, script string
		want         []string
	}{
		{"no wsh", "echo 'sh: 1: wsh: not found' >&2; exit 127", []string{"no program wsh on build1", "install"}},
		{"an old wsh", "echo 'wsh: unexpected argument' >&2; exit 2", []string{"too old", "update"}},
		{"a refused key", "echo 'me@build1: Permission denied (publickey).' >&2; exit 255", []string{"authorized_keys", "Permission denied (publickey)"}},
		{"an unknown host key", "echo 'Host key verification failed.' >&2; exit 255", []string{`"ssh build1"`}},
		{"another host key", "printf '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\\nHost key verification failed.\\n' >&2; exit 255", []string{"ssh-keygen -R build1"}},
		{"no host", "echo 'ssh: Could not resolve hostname build1: Name or service not known' >&2; exit 255", []string{"no host build1"}},
		{"something else", `printf 'bad\033[31m\377\r\n' >&2; exit 255`, []string{`ssh to build1 has failed: bad\x1b[31m`}},
		{"a server that cannot start", "echo 'wsh: the server could not start: no room' >&2; exit 1", []string{"build1 says: wsh: the server could not start: no room"}},
		{"another version", `echo 'wsh-fleet 99 {"id":"2","name":"build1","version":"9.9","protocol":99}'; cat`, []string{"9.9", "update"}},
		{"itself", `echo 'wsh-fleet 3 {"id":"1","name":"here","version":"1.2.3","protocol":1}'; cat`, []string{"itself"}},
		{"nothing", "exit 0", []string{"does not introduce itself"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "ssh"), []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			_, err := dial()
			if err == nil {
				t.Fatal("there is a connection")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q lacks %q", err, want)
				}
			}
			if strings.ContainsAny(err.Error(), "\x1b\r") || !utf8.ValidString(err.Error()) {
				t.Errorf("it is not harmless: %q", err)
			}
		})
	}
}

// dialHTTP starts a server, and returns it and the connection to it, which sends a token.
func dialHTTP(t *testing.T, h http.Handler, token string) (*httptest.Server, fleet.Remote) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	l, err := newDialer().Dial(t.Context(), s.URL, token, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return s, l
}

// serveHTTP starts a server that allows everything, and returns the connection to it and what its
// requests were authorized with.
func serveHTTP(t *testing.T, h http.Handler) (l fleet.Remote, tokens *[]string) {
	t.Helper()
	tokens = new([]string)
	_, l = dialHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*tokens = append(*tokens, r.Header.Get("Authorization"))
		h.ServeHTTP(w, r.WithContext(terminals.NewContext(r.Context(), terminals.Everything)))
	}), "its token")
	return l, tokens
}

// A caller with limited rights has those there, if the server has said that it applies them, and
// otherwise none.
func TestHTTPClaims(t *testing.T) {
	ts := opcases.New(t, opcases.Case{})
	api, err := gate.New(httpterm.New(ts, wsterm.Routes(ts, wsterm.Options{})), gate.Options{
		Token: "its-token-which-is-long", Tokens: ts.Tokens(), Log: slog.New(slog.DiscardHandler), Confirm: regexp.MustCompile("never"),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, l := dialHTTP(t, api, "its-token-which-is-long")
	of := func(session string) (name string) {
		by := terminals.Grant{Rights: terminals.AllRights, Sessions: []string{"a"}}
		info, err := terminals.GetSession.Do(t.Context(), l, by, terminals.Target{Session: session})
		return info.Name + string(fault.DetailOf(err))
	}
	if got := of("a"); got != string(terminals.NotAllowed) {
		t.Errorf("before it has said anything: %s", got)
	}
	if _, err := terminals.GetServer.Do(t.Context(), l, terminals.Everything, terminals.None{}); err != nil {
		t.Fatal(err)
	}
	if a, over := of("a"), of("over"); a != "a" || over == "over" {
		t.Errorf("with rights to a: %s, %s", a, over)
	}
	by := terminals.Everything.Confirmed(regexp.MustCompile("sudo"))
	if _, err := terminals.SendInput.Do(t.Context(), l, by, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("sudo\n")}); err == nil {
		t.Error("a line that is held back here is entered there")
	}
	if _, err := terminals.SendInput.Do(t.Context(), l, by, terminals.Input{Target: terminals.Target{Session: "a"}, Data: []byte("ls\n")}); err != nil {
		t.Errorf("another line: %v", err)
	}
}

// The token goes to its server, and nowhere else.
func TestTokenStays(t *testing.T) {
	_, elsewhere := serveHTTP(t, http.NotFoundHandler())
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		*elsewhere = append(*elsewhere, r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	l, tokens := serveHTTP(t, http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	_, err := terminals.GetServer.Do(t.Context(), l, terminals.Everything, terminals.None{})
	if err == nil || !strings.Contains(err.Error(), "another address") || strings.Contains(err.Error(), "its token") {
		t.Errorf("a redirection: %v", err)
	}
	if d := cmp.Diff([]string{"Bearer its token"}, *tokens); d != "" || len(*elsewhere) > 0 {
		t.Errorf("%s, elsewhere: %q", d, *elsewhere)
	}
}

// A server that is away says that nothing was done; one that breaks off, that something may have
// been.
func TestHTTPAway(t *testing.T) {
	s, l := dialHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
			_ = conn.Close()
		}
	}), "")
	if _, err := terminals.GetServer.Do(t.Context(), l, terminals.Everything, terminals.None{}); fault.DetailOf(err) != terminals.HostSilent {
		t.Errorf("it breaks off: %v", err)
	}
	s.Close()
	if _, err := terminals.GetServer.Do(t.Context(), l, terminals.Everything, terminals.None{}); fault.DetailOf(err) != terminals.HostAway {
		t.Errorf("it is away: %v", err)
	}
	l.Close()
	select {
	case <-l.Done():
	default:
		t.Error("it is not done after Close")
	}
}

// A server that knows others is asked for its own sessions only: if that one knows this server,
// too, they would ask each other without end.
func TestHTTPAsksOneServer(t *testing.T) {
	var asked []string
	l, _ := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		if r.URL.Path == "/server/info" {
			_, _ = io.WriteString(w, `{"hostname":"b","features":["servers.list"]}`)
			return
		}
		_, _ = io.WriteString(w, `[]`)
	}))
	if _, err := terminals.GetServer.Do(t.Context(), l, terminals.Everything, terminals.None{}); err != nil {
		t.Fatal(err)
	}
	if _, err := terminals.ListSessions.Do(t.Context(), l, terminals.Everything, terminals.SessionFilter{Tags: []string{"x"}}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"/server/info", "/sessions?server=b&tag=x"}, asked); d != "" {
		t.Error(d)
	}
	by := terminals.Everything
	by.Token = "one of ours"
	if _, err := terminals.CreateToken.Do(t.Context(), l, by, terminals.NewToken{}); fault.DetailOf(err) != terminals.NotAllowed {
		t.Errorf("a token there for the holder of a token here: %v", err)
	}
}

// What a server is asked for again and again must be short, and its texts disturb nothing.
func TestHTTPAnswersAreBounded(t *testing.T) {
	answer := ""
	l, _ := serveHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
	list := func() ([]wire.Session, error) {
		return terminals.ListSessions.Do(t.Context(), l, terminals.Everything, terminals.SessionFilter{})
	}
	answer = `[{"name":"a\u001bc"}]`
	if got, err := list(); err != nil || len(got) != 1 || got[0].Name != "ac" {
		t.Errorf("%+v, %v", got, err)
	}
	for _, answer = range []string{"[" + strings.Repeat("0,", 1<<17) + "0]", `[{"title":"` + strings.Repeat("x", 5<<20) + `"}]`} {
		if got, err := list(); err == nil {
			t.Errorf("%.20s…: %d sessions", answer, len(got))
		}
	}
}
