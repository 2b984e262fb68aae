package commandline

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestPlainLog(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(&plainHandler{out: &out, level: slog.LevelInfo, mu: new(sync.Mutex)}).With("hub", "h")
	log.Debug("nothing")
	log.Info("a host asks", "key", "UA\x1b[2J")
	log.WithGroup("g").Warn("it failed", "error", "no room")
	got := regexp.MustCompile(`\d\d:\d\d:\d\d`).ReplaceAllString(out.String(), "TIME")
	if want := "TIME a host asks (hub h, key UA\\x1b[2J)\nTIME warn: it failed (hub h, g.error no room)\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A program whose standard error nobody reads waits for a second, once. While somebody reads, all
// lines arrive, in their order.
func TestUnread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		u := &Unread{To: w}
		start := time.Now()
		for range 3 {
			fmt.Fprintln(u, "first")
		}
		if took := time.Since(start); took != unreadTime {
			t.Errorf("three lines took %v", took)
		}
		lines := bufio.NewScanner(r)
		for _, want := range []string{"first", "second", "third"} {
			if lines.Scan(); lines.Text() != want {
				t.Errorf("read %q, want %q", lines.Text(), want)
			}
			if want == "first" {
				synctest.Wait()
				go func() {
					fmt.Fprintln(u, "second")
					fmt.Fprintln(u, "third")
				}()
			}
		}
		if err := lines.Err(); err != nil {
			t.Error(err)
		}
	})
}

func TestCalled(t *testing.T) {
	t.Parallel()
	const message = `there is no session "wsh": "wsh list" lists them, "ui-mcp docs" says more`
	for program, want := range map[string]string{
		"wsh":          message,
		"/opt/bin/wsh": message,
		"./wsh":        `there is no session "wsh": "./wsh list" lists them, "./ui-mcp docs" says more`,
		"bin/ui-mcp":   `there is no session "wsh": "bin/wsh list" lists them, "bin/ui-mcp docs" says more`,
	} {
		if got := called(program, message); got != want {
			t.Errorf("%s: %s", program, got)
		}
	}
}
