package commandline

import (
	"bytes"
	"log/slog"
	"regexp"
	"sync"
	"testing"
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
