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
