//go:build linux

package uimcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/testkit"
	"ui-mcp/internal/testkit/wait"
)

// Without a display, the commands in $BROWSER open pages: the first that works.
func TestBrowserVariable(t *testing.T) {
	dir := t.TempDir()
	opened := filepath.Join(dir, "opened")
	program := func(name, end string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		script := "#!/bin/sh\necho " + name + " \"$@\" >> " + opened + "\n" + end + "\n"
		if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	works, fails, text := program("works", "exit 0"), program("fails", "exit 3"), program("w3m", "exit 0")
	const url = "http://127.0.0.1:8000/1/?a=b%20c&d"
	for name, tt := range map[string]struct {
		list, opened string
		err          string // part of it
	}{
		"none":               {list: "", err: "no display"},
		"empty entries":      {list: " : :", err: "no display"},
		"a program":          {list: works, opened: "works " + url},
		"arguments":          {list: works + " --new tab", opened: "works --new tab " + url},
		"a place":            {list: works + " --app=%s --last &", opened: "works --app=" + url + " --last"},
		"one that fails":     {list: fails + ":" + works, opened: "fails " + url + "\nworks " + url},
		"one that is absent": {list: filepath.Join(dir, "none") + "::" + works, opened: "works " + url},
		"all fail":           {list: fails, opened: "fails " + url, err: "exit status 3"},
		"needs a terminal":   {list: text, err: "no display"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("DISPLAY", "")
			t.Setenv("WAYLAND_DISPLAY", "")
			t.Setenv("WSL_DISTRO_NAME", "")
			t.Setenv("BROWSER", tt.list)
			_ = os.Remove(opened)
			err := openURL(url)
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("the error is %v, want %q", err, tt.err)
			}
			if got, _ := os.ReadFile(opened); strings.TrimSpace(string(got)) != tt.opened {
				t.Errorf("opened:\n%s\nwant:\n%s", got, tt.opened)
			}
		})
	}
}

// serve --open opens the page, and says why when it cannot.
func TestServeOpens(t *testing.T) {
	dir := t.TempDir()
	opened, script, base := filepath.Join(dir, "opened"), filepath.Join(dir, "browser"), filepath.Join(dir, "100%sure", ".claude", "ui")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$1\" > "+opened+".new && mv "+opened+".new "+opened+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"DISPLAY": "", "WAYLAND_DISPLAY": "", "WSL_DISTRO_NAME": "", "XDG_CACHE_HOME": dir, "HOME": dir} {
		t.Setenv(name, value)
	}
	for browser, done := range map[string]func(out, errs string) bool{
		script: func(out, errs string) bool {
			url, err := os.ReadFile(opened)
			return err == nil && strings.HasPrefix(out, "Serving "+base+"\nOpen "+strings.TrimSuffix(strings.TrimSpace(string(url)), "?conserve=true")+" in your browser")
		},
		"": func(out, errs string) bool {
			return strings.Contains(out, "Open http") && errs == "ui-mcp: the browser was not opened: this machine has no display\n"
		},
	} {
		t.Setenv("BROWSER", browser)
		ctx, stop := context.WithCancel(t.Context())
		var out, errs testkit.Log
		var running sync.WaitGroup
		running.Go(func() {
			args := []string{"serve", "--open", "--port", "0", "--mcp-port", "0", "--log-level", "error", "--dir", base}
			if status := Run(ctx, "0.1.0", args, commandline.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); status != commandline.ExitOK {
				t.Errorf("status %d: %s", status, errs.String())
			}
		})
		wait.Until(t, "the browser is opened, or why not is said", func() bool { return done(out.String(), errs.String()) })
		stop()
		running.Wait()
	}
}
