//go:build linux || darwin

package wsh

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/cli/commandline"
)

// What is written to a file goes to regular files and /dev/null only: another may hold it up.
func TestWriteToFiles(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"echo ready; exec sleep 1000"}`)
	d.create(`{"name":"b","command":"exec sleep 1000"}`)
	must(t, "wait", "a", "--text", "ready")
	must(t, "record", "a", "--start")
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"record", "a", "--save"}, {"record", "b"}, {"screen", "a", "-f", "svg", "-o"}} {
		for name, want := range map[string]string{pipe: "it is a named pipe, not a regular file", "/dev/tty": "it is a device, not a regular file", dir: "it is a directory"} {
			if _, errs, status := wsh(t, append(args, name)...); status != commandline.ExitFailure || !strings.Contains(errs, want) {
				t.Errorf("wsh %q %s: status %d, %s", args, name, status, errs)
			}
		}
		if len(args) == 2 {
			continue // it ends with the program
		}
		must(t, append(args, os.DevNull)...)
		for range 2 {
			must(t, append(args, file)...)
		}
	}
}

// /dev/stdout is standard output, also where that is a pipe.
func TestWriteToStdout(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"echo ready; cat","record":true}`)
	must(t, "wait", "a", "--text", "ready")
	for _, args := range []string{"screen a -o /dev/stdout", "record a /dev/stdout --save"} {
		p := sit(t, 80, 12, `"$WSH" `+args+` | sed 's/^/piped /'; "$WSH" `+args+`; echo "status $?"; cat`)
		p.sees("status 0")
		if text := strings.Join(p.history(), "\n"); !strings.Contains(text, "piped ") || strings.Count(text, "ready") < 2 {
			t.Errorf("%s:\n%s", args, text)
		}
	}
}
