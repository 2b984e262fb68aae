package instance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/discovery"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/fault"
	"ui-mcp/internal/testkit/wait"
)

// TestMain is also the server that tests start. INSTANCE_TEST says how it behaves.
func TestMain(m *testing.M) {
	if how := os.Getenv("INSTANCE_TEST"); how != "" {
		if err := child(how, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "wsh:", err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// child serves until a client says "end".
func child(how string, args []string) error {
	if how == "fail" {
		return errors.New("there is no room on the disk")
	}
	after := func(flag string) string {
		if i := slices.Index(args, flag); i >= 0 {
			return args[i+1]
		}
		return ""
	}
	folder, err := Open(os.Environ(), slog.Default())
	if err != nil {
		return err
	}
	claim, err := folder.Claim(after("--server-name"), after("--socket"))
	if err != nil {
		return err
	}
	token, _ := os.ReadFile(after("--token-file"))
	l, err := claim.Listen()
	if err != nil {
		return err
	}
	if err := claim.Publish(func(s *discovery.Server) { s.Address = "127.0.0.1:1" }); err != nil {
		return err
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		fmt.Fprintf(conn, "%d %s %s\n", os.Getpid(), strings.TrimSpace(string(token)), strings.Join(args, " "))
		text, _ := io.ReadAll(conn)
		conn.Close()
		if string(text) == "end" {
			return errors.Join(l.Close(), claim.Release())
		}
	}
}

// open opens a folder of the test's own. Servers that it starts behave as INSTANCE_TEST says.
func open(t *testing.T, behaviour string) *Folder {
	t.Helper()
	dir := testkit.ShortDir(t)
	vars := environ.Variables(os.Environ()).With("XDG_RUNTIME_DIR", dir).With("INSTANCE_TEST", behaviour)
	f, err := Open(vars, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// says returns what a server says first on a connection, and ends the connection.
func says(t *testing.T, conn net.Conn, answer string) string {
	t.Helper()
	defer conn.Close()
	if _, err := io.WriteString(conn, answer); err != nil {
		t.Error(err)
	}
	if err := conn.(*net.UnixConn).CloseWrite(); err != nil {
		t.Error(err)
	}
	b, err := io.ReadAll(conn)
	if err != nil {
		t.Error(err)
	}
	return strings.TrimSpace(string(b))
}

// end ends the server of a name, and waits for it.
func end(t *testing.T, f *Folder, name string) {
	t.Helper()
	conn, err := f.Dial(name, "")
	if err != nil {
		t.Fatal(err)
	}
	server, ok := f.Find(name)
	if !ok {
		t.Fatal("the server is not published")
	}
	says(t, conn, "end")
	wait.Until(t, "the server has ended", func() bool {
		p, err := os.FindProcess(server.PID)
		return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
	})
}

func left(t *testing.T, f *Folder) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(f.LogFile("x")))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Who wants a name that another server has learns where that is.
func TestClaim(t *testing.T) {
	t.Parallel()
	f := open(t, "")
	one, err := f.Claim("one", "")
	if err != nil {
		t.Fatal(err)
	}
	if err := one.Publish(func(s *discovery.Server) { s.Address = "127.0.0.1:8080" }); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Claim("one", ""); fault.KindOf(err) != fault.Exists || !strings.Contains(err.Error(), `already running as "one" at 127.0.0.1:8080`) {
		t.Errorf("the same name: %v", err)
	}
	if _, err := f.Dial("../up", ""); fault.KindOf(err) != fault.Invalid {
		t.Errorf("Dial of what cannot be a name: %v", err)
	}
	if err := one.Release(); err != nil {
		t.Error(err)
	}
}

func TestDialOrStart(t *testing.T) {
	t.Parallel()
	f := open(t, "serve")
	if _, err := f.Dial("x", ""); fault.KindOf(err) != fault.NotFound {
		t.Errorf("Dial without a server: %v", err)
	}
	const token = "0123456789abcdef"
	conn, started, err := f.DialOrStart(t.Context(), Options{Name: "x", Token: token, Args: []string{"--max-sessions", "7"}})
	if err != nil || !started {
		t.Fatalf("DialOrStart = %v, %v", started, err)
	}
	said := says(t, conn, "")
	if !strings.Contains(said, " "+token+" ") || strings.Count(said, token) != 1 {
		t.Errorf("the token is not in the file, or on the command line: %s", said)
	}
	if want := "server --ephemeral --server-name x --log-file " + f.LogFile("x") + " --any-port --token-file " + f.tokenFile("x") + " --max-sessions 7"; !strings.HasSuffix(said, want) {
		t.Errorf("started with %q, want %q", said, want)
	}
	conn, started, err = f.DialOrStart(t.Context(), Options{Name: "x"})
	if err != nil || started {
		t.Fatalf("the second time: %v, %v", started, err)
	}
	if again := says(t, conn, ""); again != said {
		t.Errorf("another server: %q, not %q", again, said)
	}
	end(t, f, "x")
	if diff := cmp.Diff([]string{"x.log"}, left(t, f)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}

// A server can use another socket and address.
func TestStartElsewhere(t *testing.T) {
	t.Parallel()
	f := open(t, "serve")
	socket := filepath.Join(filepath.Dir(f.LogFile("x")), "else.sock")
	conn, _, err := f.DialOrStart(t.Context(), Options{Name: "x", Socket: socket, Bind: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	if said := says(t, conn, ""); !strings.HasSuffix(said, "--socket "+socket+" --bind 127.0.0.1:0") {
		t.Errorf("started with %q", said)
	}
	conn, err = f.Dial("x", "") // its name tells where its socket is
	if err != nil {
		t.Fatal(err)
	}
	says(t, conn, "")
	end(t, f, "x")
}

// Several at once start one server.
func TestStartAtOnce(t *testing.T) {
	t.Parallel()
	f := open(t, "serve")
	var all sync.WaitGroup
	var mu sync.Mutex
	servers, starts := map[string]int{}, 0
	for range 8 {
		all.Go(func() {
			other, err := Open(f.environ, slog.New(slog.DiscardHandler)) // as another process would
			if err != nil {
				t.Error(err)
				return
			}
			conn, started, err := other.DialOrStart(t.Context(), Options{Name: "x"})
			if err != nil {
				t.Error(err)
				return
			}
			pid, _, _ := strings.Cut(says(t, conn, ""), " ")
			mu.Lock()
			defer mu.Unlock()
			servers[pid]++
			if started {
				starts++
			}
		})
	}
	all.Wait()
	if len(servers) != 1 || starts != 1 {
		t.Errorf("%d starts; servers, and how many reached each: %v", starts, servers)
	}
	end(t, f, "x")
}

// A server that is ending has its name until it has ended: the next one starts then. One that is
// starting is awaited, too.
func TestStartAfterEnd(t *testing.T) {
	t.Parallel()
	f := open(t, "serve")
	for _, follows := range []bool{false, true} {
		claim, err := f.Claim("x", "")
		if err != nil {
			t.Fatal(err)
		}
		if err := claim.Publish(func(*discovery.Server) {}); err != nil {
			t.Fatal(err)
		}
		type result struct {
			conn    net.Conn
			started bool
			err     error
		}
		done := make(chan result, 1)
		go func() {
			conn, started, err := f.DialOrStart(t.Context(), Options{Name: "x"})
			done <- result{conn, started, err}
		}()
		wait.Until(t, "the start is locked", func() bool {
			_, err := os.Stat(filepath.Join(filepath.Dir(f.LogFile("x")), "x.spawn.lock"))
			return err == nil || len(done) > 0
		})
		wait.Pause(time.Second) // a server that started now would fail sooner
		select {
		case r := <-done:
			t.Fatalf("while the name is taken: %v", r.err)
		default:
		}
		if follows {
			l, err := claim.Listen()
			if err != nil {
				t.Fatal(err)
			}
			r := wait.For(t, "the connection", done)
			if r.err != nil || r.started {
				t.Fatalf("a server that starts to listen: %v, %v", r.started, r.err)
			}
			if err := errors.Join(r.conn.Close(), l.Close(), claim.Release()); err != nil {
				t.Error(err)
			}
			continue
		}
		if err := claim.Release(); err != nil {
			t.Fatal(err)
		}
		r := wait.For(t, "another server", done)
		if r.err != nil || !r.started {
			t.Fatalf("after the end: %v, %v", r.started, r.err)
		}
		says(t, r.conn, "")
		end(t, f, "x")
	}
}

func TestStartFails(t *testing.T) {
	t.Parallel()
	f := open(t, "fail")
	for range 2 { // the second error has the second server's words only
		_, _, err := f.DialOrStart(t.Context(), Options{Name: "x", Token: "0123456789abcdef"})
		if fault.KindOf(err) != fault.Precondition || err.Error() != "the server could not start: there is no room on the disk" {
			t.Errorf("a server that ends at once: %v", err)
		}
	}
	if diff := cmp.Diff([]string{"x.log"}, left(t, f)); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	unlock, err := f.LockStart(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := f.DialOrStart(ctx, Options{Name: "x"}); fault.KindOf(err) != fault.Timeout {
		t.Errorf("while another process starts it: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}
