package wsh

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wshhub"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/signals"
)

// TestMain is also wsh itself, for tests that need processes.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "wsh-hub" { // as machines have it in PATH
		os.Exit(wshhub.Main("0.1.0"))
	}
	// Sessions do not get WSH_TEST. Without the second condition, this program run in a session
	// would run the tests, which run it in a session, and so on without end.
	if os.Getenv("WSH_TEST") == "run" || len(os.Args) == 1 || !strings.HasPrefix(os.Args[1], "-test.") {
		os.Exit(Main("0.1.0"))
	}
	if os.Getenv("TESTING_WSH") != "" { // else a session that runs this program would run all tests
		fmt.Fprintln(os.Stderr, "this is a test of wsh, called without WSH_TEST")
		os.Exit(99)
	}
	signals.Default()
	empty, err := os.MkdirTemp("", "wsh")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CONFIG_HOME", empty) // the person's own settings and servers do not count
	os.Setenv("XDG_CACHE_HOME", empty)
	if err := os.Mkdir(filepath.Join(empty, "wsh"), 0o700); err != nil {
		panic(err)
	}
	// Most tests compare what a terminal displays with the session's picture.
	if err := os.WriteFile(filepath.Join(empty, "wsh", "config.toml"), []byte("[client]\nstatus = \"none\"\n"), 0o600); err != nil {
		panic(err)
	}
	// The server of NATS has a goroutine as long as the process.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.init.1"), goleak.Cleanup(func(status int) {
		os.RemoveAll(empty)
		os.Exit(status)
	}))
}

// runtimeDir gives the test a folder of its own for sockets and locks.
func runtimeDir(t *testing.T) string {
	t.Helper()
	dir := testkit.ShortDir(t)
	setenv(t, "XDG_RUNTIME_DIR", dir)
	return filepath.Join(dir, "wsh")
}

// environments has the variables of tests that have changed them, by the test's name.
var environments sync.Map

// vars returns the environment of a test: that of the test that it is part of, unless setenv has
// changed it. The caller may append to it.
func vars(t *testing.T) environ.Variables {
	for name := t.Name(); name != ""; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
		if v, ok := environments.Load(name); ok {
			return slices.Clip(v.(environ.Variables))
		}
	}
	return os.Environ()
}

// setenv changes a variable for a test and its parts. Unlike t.Setenv, it leaves those of other
// tests, which may run at the same time.
func setenv(t *testing.T, name, value string) {
	t.Helper()
	environments.Store(t.Name(), vars(t).With(name, value))
	t.Cleanup(func() { environments.Delete(t.Name()) })
}

func TestRun(t *testing.T) {
	t.Parallel()
	runtimeDir(t)
	setenv(t, "PATH", t.TempDir())
	for _, tt := range []struct {
		args   string
		status int
		out    string // a part of it
		errs   string
	}{
		{"--version", 0, "wsh v0.1.0\n", ""},
		{"--help", 0, "wsh server", ""},
		{"server --help", 0, "--bind", ""},
		{"", 1, "", "standard input is not a terminal"},
		{"attach --scrollback some a", 2, "", "not a number of lines"},
		{"--detach-key x", 2, "", "not a detach key"},
		{"screen a -f gif", 2, "", `--format must be one of "plain",`},
		{"panel a x --position left", 2, "", `--position must be one of "top","bottom" but got`},
		{"screen a -o a.jpg", 2, "", "-o cannot be a .jpg: choose a file that ends in .png, .svg, .html or .txt"},
		{"wait a --idle --timeout -1s", 2, "", "expected a value but got"},
		{"wait a --idle --quiet=-1s", 2, "", "a time to wait cannot be negative"},
		{"run -q echo hi", 2, "", "unknown flag -q"},
		{"send a -n", 2, "", `put -- before a text that begins with "-"`},
		{"server --token-file /dev/null", 1, "", "not a regular file"},
		{"server --tls-cert x", 2, "", "belong together"},
		{"server --tls-cert x --tls-key y", 2, "", "--tls-cert and --tls-key"},
		{"server --base-prefix x", 2, "", "prefix"},
		{"server --cors-origin x", 2, "", "is not an origin"},
		{"server --scrollback=-1", 2, "", "--scrollback must be"},
		{"server --max-clients 0", 2, "", "at least 1"},
		{"server --max-agent-sessions 0", 2, "", "at least 1"},
		{"server --label a=b=c", 2, "", "is no label"},
		{"mcp --confirm (", 2, "", "missing closing )"},
		{"mcp --confirm=", 2, "", "--confirm is empty"},
		{"server --env-deny A=B", 2, "", "\"A=B\" is not a name of a variable"},
		{"server --idle-kill=-1s", 2, "", "--idle-kill"},
		{"server --record-size 1", 2, "", "--record-size must be"},
		{"server --recordings-size 1", 2, "", "--recordings-size must be"},
		{"server --record-age 1s", 2, "", "--record-age"},
		{"server --record /dev/null/x", 1, "", "open the folder for recordings"},
		{"server --linger 5", 2, "", "--linger: \"5\" is not a duration"},
		{"server --config /dev/null/none", 2, "", "not a directory"},
		{"server --bind nonsense", 2, "", "an address and a port"},
		{"server --max-sessions 0", 2, "", "at least 1"},
		{"hub", 1, "", "no program wsh-hub beside wsh or in PATH"},
		{"hub list", 1, "", "no hub of this user is running"},
		{"hub accept x --as desk", 2, "", "no key of a host"},
		{"hub accept UX", 2, "", "no key of a host"},
		{"hub accept UX --as everything", 2, "", "no key of a host"},
		{"hub withdraw x", 2, "", "no key of a host"},
		{"hub config", 2, "", "lets in everyone"},
		{"hub config a=x=worker", 2, "", "no key of a host"},
	} {
		var out, errs bytes.Buffer
		args := strings.Fields(tt.args)
		if strings.HasPrefix(tt.args, "server --") && !strings.Contains(tt.args, "--bind") {
			args = append(args, "--bind", "127.0.0.1:0") // the usual port may be in use on this machine
		}
		status := Run(t.Context(), "0.1.0", args, vars(t), commandline.Streams{Out: &out, Err: &errs})
		if status != tt.status || !strings.Contains(out.String(), tt.out) || !strings.Contains(errs.String(), tt.errs) {
			t.Errorf("wsh %s: status %d, output %q, errors %q", tt.args, status, out.String(), errs.String())
		}
		if (out.Len() > 0) == (errs.Len() > 0) {
			t.Errorf("wsh %s writes to both streams or neither: %q, %q", tt.args, out.String(), errs.String())
		}
	}
}

// wsh runs a command line with the server of the test.
func wsh(t *testing.T, args ...string) (out, errs string, status int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Run(t.Context(), "dev", args, vars(t), commandline.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr})
	return stdout.String(), stderr.String(), status
}

// serve starts a server and returns its address. The function stops it.
func serve(t *testing.T, args ...string) (address string, stop func() (errs string)) {
	t.Helper()
	line, stop := inBackground(t, Run, append([]string{"server"}, args...)...)
	return line[strings.Index(line, "http"):], stop
}

// inBackground starts the command line of a program that runs until it is stopped, and returns the
// first line that it prints. It must end well. The function stops it, as the end of the test does,
// and returns what it has written to standard error.
func inBackground(t *testing.T, run func(context.Context, string, []string, environ.Variables, commandline.Streams) int, args ...string) (line string, stop func() (errs string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	var errs testkit.Log // the MCP library may log for a moment longer than the server runs
	done := make(chan int, 1)
	go func() {
		status := run(ctx, "0.1.0", args, vars(t), commandline.Streams{Out: w, Err: &errs})
		w.Close()
		done <- status
	}()
	stop = sync.OnceValue(func() string {
		cancel()
		if status := <-done; status != 0 {
			t.Errorf("status %d: %s", status, &errs)
		}
		return errs.String()
	})
	t.Cleanup(func() { stop() })
	line, err := bufio.NewReader(r).ReadString('\n')
	go io.Copy(io.Discard, r)
	if err != nil {
		t.Fatalf("it says nothing: %v\n%s", err, stop())
	}
	return strings.TrimSpace(line), stop
}

func TestServer(t *testing.T) {
	t.Parallel()
	dir := runtimeDir(t)
	address, stop := serve(t, "--bind", "127.0.0.1:0")
	defer http.DefaultClient.CloseIdleConnections()

	res, err := http.Get(address + "/health")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil || string(body) != "{\"status\":\"ok\"}\n" {
		t.Errorf("health: %q, %v", body, err)
	}
	res, err = http.Post(address+"/sessions", "application/json", strings.NewReader(`{"command":"sleep 1000"}`))
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusCreated {
		t.Errorf("create: %s", res.Status)
	}

	// The name is taken, and so is the port.
	var out, errs bytes.Buffer
	if status := Run(t.Context(), "", []string{"server", "--bind", "127.0.0.1:0"}, vars(t), commandline.Streams{Out: &out, Err: &errs}); status != 1 || !strings.Contains(errs.String(), `already running as "default" at `+strings.TrimPrefix(address, "http://")) {
		t.Errorf("a second server: status %d, errors %q", status, errs.String())
	}
	errs.Reset()
	port := strings.TrimPrefix(address, "http://")
	if status := Run(t.Context(), "", []string{"server", "-L", "other", "--bind", port}, vars(t), commandline.Streams{Out: &out, Err: &errs}); status != 1 || !strings.Contains(errs.String(), "in use") {
		t.Errorf("a server on the same port: status %d, errors %q", status, errs.String())
	}
	serve(t, "-L", "other", "--bind", "localhost:0")

	if errs := stop(); strings.Contains(errs, "level=WARN") || strings.Contains(errs, "level=ERROR") || !strings.Contains(errs, `reason="a signal"`) {
		t.Errorf("errors %q", errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "default.shell")); !os.IsNotExist(err) {
		t.Errorf("the shells' files are left behind: %v", err)
	}
	serve(t, "--bind", "127.0.0.1:0") // the name was given back
}
