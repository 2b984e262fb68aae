package serving

import (
	"bufio"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"ui-mcp/internal/testkit/persons"

	"ui-mcp/internal/popup"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/terminals"
	"ui-mcp/internal/testkit/opcases"
	"ui-mcp/internal/transport/httpserve"
)

// The answer that tells a client of a session comes after the line that tells the bridge, also
// where nothing has reported the session before.
func TestPresentBeforeAnswers(t *testing.T) {
	sessions := opcases.Sessions(t, registry.Config{Start: opcases.Start, Shell: "shell", Log: slog.New(slog.DiscardHandler)})
	here, there := net.Pipe()
	defer here.Close()
	p := &presenter{Conn: here, id: "s", sessions: sessions}
	lines := bufio.NewReader(there)
	for i, want := range []string{`"sessions":null`, "", `"sessions":["a"]`, ""} {
		if i == 2 {
			if _, err := sessions.Create(t.Context(), registry.CreateOptions{Name: "a"}); err != nil {
				t.Fatal(err)
			}
		}
		written := make(chan error, 1)
		go func() {
			_, err := p.Write([]byte("answer\n"))
			written <- err
		}()
		if want != "" {
			if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, want) {
				t.Errorf("%d: %s, %v; want %s", i, line, err, want)
			}
		}
		if line, err := lines.ReadString('\n'); err != nil || line != "answer\n" {
			t.Errorf("%d: %s, %v", i, line, err)
		}
		if err := <-written; err != nil {
			t.Error(err)
		}
	}
}

// An IPv4 address stands for IPv4 alone, and is the address that is reported to the person.
func TestBindToAllOfVersion4(t *testing.T) {
	t.Parallel()
	l, err := bind(t.Context(), "0.0.0.0:0", false)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var out strings.Builder
	if err := greet(&out, new(Command).address(l.Addr().String()), ""); err != nil || !strings.Contains(out.String(), "http://0.0.0.0:") {
		t.Errorf("%v, %q", err, out.String())
	}
	if a := reachable(l.Addr()); !strings.HasPrefix(a, "127.0.0.1:") {
		t.Errorf("programs of this machine connect to %s", a)
	}
}

// A client that does not finish its request is cut off at the end, which is not a failure.
func TestStopDuringRequest(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/mcp"} {
		t.Run(path, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			log := slog.New(slog.NewTextHandler(t.Output(), nil))
			sessions := registry.New(registry.Config{Log: log})
			broker := persons.Broker(t, popup.Options{Log: log})
			overMCP := newMCP(terminals.NewLocal(sessions, terminals.Host{}), broker, "test", 0, nil, log)
			server := httpserve.Serve(l, overMCP.beside(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.ReadAll(r.Body) // until the connection is cut
			})), httpserve.Options{Log: log})
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if _, err := conn.Read(make([]byte, 100)); err != nil { // the handler reads
				t.Fatal(err)
			}
			if err := closeAll(time.Millisecond, overMCP, []*httpserve.Server{server}, log); err != nil {
				t.Errorf("closing is said to have failed: %v", err)
			}
			if err := sessions.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		environ []string
		bare    bool
		locale  bool // is added
	}{
		{nil, true, true},
		{[]string{"HOME=/h", "LANG=de_DE.UTF-8"}, true, false},
		{[]string{"TERM=xterm", "LC_CTYPE=C"}, false, false},
		{[]string{"SHLVL=1", "LANG="}, false, true},
		{[]string{"TERM=", "LC_ALL=C"}, true, false},
	} {
		if got := isBare(tt.environ); got != tt.bare {
			t.Errorf("%q is bare: %v", tt.environ, got)
		}
		if got := withLocale(tt.environ); slices.Contains(got, "LANG=C.UTF-8") != tt.locale {
			t.Errorf("%q: with a locale %q", tt.environ, got)
		}
	}
}
