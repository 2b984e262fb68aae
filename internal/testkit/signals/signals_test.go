//go:build unix

package signals_test

import (
	"os"
	"os/exec"
	"testing"

	"ui-mcp/internal/testkit/signals"
)

// TestMain is also a test that is started to ignore signals: it prints what its programs do with
// them.
func TestMain(m *testing.M) {
	if os.Getenv("SIGNALS_TEST") == "" {
		os.Exit(m.Run())
	}
	signals.Default()
	out, err := exec.Command("/bin/sh", "-c", "for s in HUP INT QUIT; do sh -c \"kill -$s \\$\\$; echo ignores $s\"; done; true").Output()
	if err != nil {
		os.Exit(1)
	}
	_, _ = os.Stderr.Write(out)
}

func TestDefault(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", "-c", `trap "" HUP INT QUIT; exec "$0"`, self)
	cmd.Env = append(cmd.Environ(), "SIGNALS_TEST=1")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v, %s", err, out)
	}
}
