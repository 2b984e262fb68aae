package uimcp

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/discovery"
	"ui-mcp/internal/testkit"
)

// cache gives the test a cache directory of its own.
func cache(t *testing.T) *discovery.Registry {
	t.Helper()
	home := t.TempDir()
	for _, name := range []string{"XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(name, home)
	}
	r, err := discovery.Open(os.Environ(), slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// register makes a fake server findable as the server number n of its directory, and returns its
// address.
func register(t *testing.T, r *discovery.Registry, f *fakeServer, n int) (address string) {
	t.Helper()
	address, release := claimed(t, r, f, n)
	t.Cleanup(release)
	return address
}

func claimed(t *testing.T, r *discovery.Registry, f *fakeServer, n int) (address string, release func()) {
	t.Helper()
	u, err := url.Parse(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	c, err := r.Claim(string(rune('a'+n)), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Publish(func(s *discovery.Server) {
		s.Address, s.Dir, s.Pages, s.Started = u.Host, dir, u.Host, time.Unix(int64(n), 0)
	}); err != nil {
		t.Fatal(err)
	}
	return u.Host, func() {
		if err := c.Release(); err != nil {
			t.Error(err)
		}
	}
}

// Of several servers of a directory, the command asks the newest, and says so on standard error, or
// the chosen one.
func TestSeveralServers(t *testing.T) {
	r := cache(t)
	dir := t.TempDir()
	state := func(text string) answer { return answer{200, []byte(text)} }
	older := serveFake(t, dir, state(`"older"`), state(`"older"`))
	newer := serveFake(t, dir, state(`"newer"`), state(`"newer"`))
	older.write(t, discovery.AgentPortFile) // the registry takes precedence
	first, second := register(t, r, older, 1), register(t, r, newer, 2)
	for _, tt := range []struct {
		args []string
		out  string
		said []string
	}{
		{[]string{"state"}, "\"newer\"\n", []string{"2 servers run in " + dir, "asking the newest, at " + second, "others: " + first}},
		{[]string{"variables"}, "\"newer\"\n", []string{second}},
		{[]string{"state", "--mcp-port", first[strings.LastIndex(first, ":")+1:]}, "\"older\"\n", nil},
	} {
		var out, errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", append(tt.args, "--dir", dir), commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
		if status != commandline.ExitOK || out.String() != tt.out || (tt.said == nil) != (errs.Len() == 0) {
			t.Errorf("ui-mcp %s: status %d, output %q, errors %q", tt.args, status, out.String(), errs.String())
		}
		for _, part := range tt.said {
			if !strings.Contains(errs.String(), part) {
				t.Errorf("ui-mcp %s: errors %q, want %q in them", tt.args, errs.String(), part)
			}
		}
	}
}

// Of several servers of a directory, the newest is listened to, and then the next one.
func TestEventsOfSeveralServers(t *testing.T) {
	r := cache(t)
	dir := t.TempDir()
	older := serveFake(t, dir, events(`[1,2]`))
	newer := serveFake(t, dir, events(`[10]`), events(`[20]`))
	register(t, r, older, 1)
	_, end := claimed(t, r, newer, 2)
	out, w := io.Pipe()
	var errs bytes.Buffer
	l := &listener{client: serverFlags{dirFlag: dirFlag{dir}}.client(0), out: w, errs: &errs, session: "1", within: time.Minute, every: time.Millisecond}
	defer l.client.http.CloseIdleConnections()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- l.run(ctx) }()
	lines := bufio.NewScanner(out)
	for _, want := range []string{"10", "20", "1", "2"} {
		if !lines.Scan() || lines.Text() != want {
			t.Errorf("the event %q, want %s", lines.Text(), want)
		}
		if want == "20" {
			end()
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if strings.Count(errs.String(), "2 servers run in "+dir) != 1 {
		t.Errorf("errors %q", errs.String())
	}
}

// A server that is asked to end while it starts ends successfully.
func TestServeEndsEarly(t *testing.T) {
	cache(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out bytes.Buffer
	var errs testkit.Log
	status := Run(ctx, "0.1.0", []string{"serve", "--dir", filepath.Join(t.TempDir(), "ui"), "--port", "0", "--mcp-port", "0", "--demo", "contacts"}, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if status != commandline.ExitOK || strings.Contains(errs.String(), "ui-mcp: ") {
		t.Errorf("status %d, errors %q", status, errs.String())
	}
}

// An empty --dir is a mistake in a script, and never the working directory.
func TestEmptyDir(t *testing.T) {
	for _, args := range [][]string{{"serve"}, {"mcp"}, {"install"}, {"state"}, {"linkapp", "list"}} {
		var errs bytes.Buffer
		status := Run(t.Context(), "0.1.0", append(args, "--dir", ""), commandline.Streams{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
		if status != commandline.ExitUsage || !strings.Contains(errs.String(), "--dir") {
			t.Errorf("ui-mcp %s: status %d, errors %q", args, status, errs.String())
		}
	}
}
