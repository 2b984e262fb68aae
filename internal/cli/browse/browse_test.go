//go:build linux

package browse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a display, or programs that use one, the commands in $BROWSER open pages: the first that
// works.
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
		display      string
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
		"only a display":     {err: "no browser could be started", display: "localhost:10.0"},
		"a display, no way":  {list: works, opened: "works " + url, display: "localhost:10.0"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.display != "" {
				t.Setenv("PATH", dir) // without programs that open URLs
			}
			t.Setenv("DISPLAY", tt.display)
			t.Setenv("WAYLAND_DISPLAY", "")
			t.Setenv("WSL_DISTRO_NAME", "")
			t.Setenv("BROWSER", tt.list)
			_ = os.Remove(opened)
			err := Open(url)
			if tt.err == "" && err != nil || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
				t.Errorf("the error is %v, want %q", err, tt.err)
			}
			if got, _ := os.ReadFile(opened); strings.TrimSpace(string(got)) != tt.opened {
				t.Errorf("opened:\n%s\nwant:\n%s", got, tt.opened)
			}
		})
	}
}
