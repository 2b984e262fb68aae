package uimcp

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ui-mcp/internal/testkit"
)

// The log of views stays bounded, follows the base directory, and never fails what it is about.
func TestViewLog(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := ""
	var warned strings.Builder
	l := newViewLog(func() string { return at }, slog.New(slog.NewTextHandler(&warned, nil)))
	line := []byte(strings.Repeat("x", 999) + "\n")
	write := func(n int) {
		t.Helper()
		for range n {
			if written, err := l.Write(line); written != len(line) || err != nil {
				t.Fatalf("Write = %d, %v", written, err)
			}
		}
	}
	write(1) // there is no base directory yet
	at = dir
	const full = maxViewLog / 1000 // lines
	write(2*full + 1)
	now, before := testkit.Read(t, dir, "log/mcp-apps.log"), testkit.Read(t, dir, "log/mcp-apps.log.old")
	if len(now) != 1000 || len(before) != full*1000 {
		t.Errorf("the log has %d bytes and the previous one %d, want 1000 and %d", len(now), len(before), full*1000)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at = filepath.Join(dir, "file")
	write(2)
	if n := strings.Count(warned.String(), "is incomplete"); n != 1 {
		t.Errorf("two failures are reported %d times: %s", n, &warned)
	}
}
