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

// recordingOf writes a recording of version 2 with a size and events, and returns its path.
func recordingOf(t *testing.T, size, events string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.cast")
	if err := os.WriteFile(file, []byte(`{"version": 2, `+size+"}\n"+events), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// --text prints the lines as a terminal displays them: where the cursor moves to another one, a new
// one begins, and what is drawn again counts once.
func TestRecordText(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, size, events, want string }{
		{"a full screen", `"width": 20, "height": 4`, `[0, "o", "\u001b[H\u001b[2Jtop\u001b[2;1Hmiddle\u001b[4;1Hbottom"]`, "top\nmiddle\n\nbottom\n"},
		{"what was drawn before", `"width": 20, "height": 4`, `[0, "o", "10%"]` + "\n" + `[1, "o", "\r100%\r\ndone\r\n"]`, "100%\ndone\n"},
		{"more than a screen", `"width": 20, "height": 2`, `[0, "o", "1\r\n2\r\n3\r\n4\r\n"]`, "1\n2\n3\n4\n"},
		{"wrapped lines", `"width": 4, "height": 2`, `[0, "o", "abcdefghij\r\nk"]`, "abcdefghij\nk\n"},
		{"an editor that has ended", `"width": 20, "height": 4`, `[0, "o", "$ vi\r\n\u001b[?1049h~\u001b[?1049l$ "]`, "$ vi\n$\n"},
		{"an editor at the end", `"width": 20, "height": 4`, `[0, "o", "$ vi\r\n\u001b[?1049h\u001b[Htext"]`, "$ vi\ntext\n"},
		{"a new size", `"width": 20, "height": 2`, `[0, "o", "one two"]` + "\n" + `[1, "r", "3x2"]` + "\n" + `[2, "o", "\r\nx"]`, "one two\nx\n"},
	} {
		if out := must(t, "record", "--text", recordingOf(t, tt.size, tt.events)); out != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, out, tt.want)
		}
	}
}
