package wsh

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"ui-mcp/internal/cli/commandline"
	"ui-mcp/internal/cli/wsh/caller"
	"ui-mcp/internal/environ"
	"ui-mcp/internal/files"
)

// A log that gets another name while it is followed is printed to its end, and then the next one.
func TestLogsFollowed(t *testing.T) {
	t.Parallel()
	vars := environ.Variables{"XDG_RUNTIME_DIR=" + t.TempDir()}
	out, w := io.Pipe()
	e := caller.Env{Streams: commandline.Streams{Out: w, Err: io.Discard}, Vars: vars, Where: caller.Where{ServerName: "a"}}
	folder, err := e.NewFolder()
	if err != nil {
		t.Fatal(err)
	}
	path := folder.LogFile("a")
	add := func(text string) {
		log := files.Log{Path: func() string { return path }, Most: 1 << 20, Mode: 0o600}
		if err := log.Append([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	add("one\n")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- logsCommand{Follow: true}.Run(ctx, e) }()
	lines := bufio.NewReader(out)
	for i, want := range []string{"one\n", "two\n", "three\n"} {
		if got, err := lines.ReadString('\n'); got != want || err != nil {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
		if i == 0 {
			add("two\n")
			if err := os.Rename(path, path+".1"); err != nil {
				t.Fatal(err)
			}
			add("three\n")
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
