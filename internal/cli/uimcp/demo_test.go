package uimcp

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"ui-mcp/internal/testkit"

	"ui-mcp/internal/cli/commandline"
)

// list returns the names of everything below a directory.
func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names[1:]
}

// The demo serves its app until it is stopped, and then nothing is left of it: neither in the
// directory for temporary files, nor in the person's home, nor where servers find each other.
func TestDemoLeavesNothing(t *testing.T) {
	root := testkit.ShortDir(t)
	home, temporary := filepath.Join(root, "home"), filepath.Join(root, "tmp")
	for _, dir := range []string{home, temporary} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root) // a path from there is found, too
	for name, value := range map[string]string{
		"HOME": home, "LocalAppData": filepath.Join(home, "local"), "TMPDIR": "tmp", "TMP": "tmp", "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": "", "SHELL": "/bin/sh",
		"DISPLAY": "", "WAYLAND_DISPLAY": "", "WSL_DISTRO_NAME": "", "BROWSER": "",
	} {
		t.Setenv(name, value)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	out, w := io.Pipe()
	var errs strings.Builder
	status := commandline.ExitOK
	var running sync.WaitGroup
	running.Go(func() {
		status = Run(ctx, "0.1.0", []string{"demo", "--no-open"}, commandline.Streams{In: strings.NewReader(""), Out: w, Err: &errs})
		w.Close()
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("the demo ended: %s", errs.String())
	}
	url, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "Open "), " ")
	if code, body := get(t, newBrowser(t), url); code != 200 || !strings.Contains(body, "<html") {
		t.Errorf("GET %s: %d %s", url, code, body)
	}
	if apps := list(t, temporary); !strings.Contains(strings.Join(apps, "\n"), filepath.Join("apps", "demo", "app.lua")) {
		t.Errorf("there is no app in %q", apps)
	}
	stop()
	text := lines.Text()
	for lines.Scan() {
		text += "\n" + lines.Text()
	}
	err := lines.Err()
	running.Wait()
	if !strings.Contains(text, "Everything is in "+temporary+string(filepath.Separator)) || strings.Contains(text, "%!") {
		t.Errorf("it does not say where everything is: %s", text)
	}
	if err != nil || status != commandline.ExitOK || errs.Len() > 0 {
		t.Errorf("status %d, %v, standard error:\n%s", status, err, errs.String())
	}
	if left := list(t, temporary); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}
