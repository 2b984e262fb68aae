package term_test

import (
	"bytes"
	"flag"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ui-mcp/internal/term"
	"ui-mcp/internal/term/registry"
	"ui-mcp/internal/term/shell"
	"ui-mcp/internal/term/vt"
)

// The tests mostly wait for shells, so four times as many run at the same time as elsewhere, except
// one by one and with the race detector (-short).
func TestMain(m *testing.M) {
	flag.Parse()
	parallel := flag.Lookup("test.parallel").Value
	if n, _ := strconv.Atoi(parallel.String()); n > 1 && !testing.Short() {
		if err := parallel.Set(strconv.Itoa(4 * n)); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}

// newRegistry returns a registry of real programs, which ends with the test. Shells begin in an
// empty home, with a plain environment.
func newRegistry(t testing.TB, change ...func(*registry.Config)) *registry.Registry {
	t.Helper()
	home := t.TempDir()
	scripts, err := shell.Install(t.TempDir())
	must(t, err)
	// Without this folder, fish reads all manual pages in the background, with a processor of its
	// own for half a minute.
	must(t, os.MkdirAll(filepath.Join(home, "fish", "generated_completions"), 0o700))
	cfg := registry.Config{
		Home: home, Scripts: scripts, Shell: "/bin/sh",
		Environ: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "XDG_CONFIG_HOME=" + home, "XDG_DATA_HOME=" + home},
		Log:     slog.New(slog.NewTextHandler(testLog{t}, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	for _, c := range change {
		c(&cfg)
	}
	r := registry.New(cfg)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("Close = %v", err)
		}
	})
	return r
}

// testLog makes warnings and errors of the log fail the test.
type testLog struct{ t testing.TB }

func (l testLog) Write(b []byte) (int, error) {
	l.t.Errorf("logged: %s", bytes.TrimSpace(b))
	return len(b), nil
}

var _ io.Writer = testLog{}

// program returns the path of a program, or skips the test.
func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: \"make test\" as root installs it on Debian", name)
	}
	return path
}

func create(t testing.TB, r *registry.Registry, o registry.CreateOptions) *term.Session {
	t.Helper()
	s, err := r.Create(t.Context(), o)
	must(t, err)
	s.FollowMarks()
	return s
}

func screenOf(t testing.TB, s *term.Session) *vt.Snapshot {
	t.Helper()
	screen, err := s.Screen(t.Context())
	must(t, err)
	return screen
}

func plain(s *vt.Snapshot) []string {
	var lines []string
	for _, l := range s.Lines {
		lines = append(lines, l.Plain())
	}
	return lines
}

// see waits until the text matches, in any line.
func see(t testing.TB, s *term.Session, expr string) {
	t.Helper()
	if _, err := s.WaitFor(t.Context(), "(?m)"+expr, 2*time.Minute); err != nil {
		t.Fatal(err)
	}
}

// hasLine reports whether a screen has a line that is exactly this.
func hasLine(s *vt.Snapshot, line string) bool { return slices.Contains(plain(s), line) }

// must ends a test in which something has failed that the rest needs.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
