//go:build linux || darwin

package pty_test

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
)

// Programs heed the signals that their server was started to ignore.
func TestSignalsAreNotInherited(t *testing.T) {
	const again = "PTY_TEST_IGNORES"
	if os.Getenv(again) == "" {
		cmd := exec.Command("/bin/sh", "-c", `trap '' HUP INT; exec "$0" -test.run='^TestSignalsAreNotInherited$'`, os.Args[0])
		cmd.Env = append(os.Environ(), again+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("with ignored signals: %v\n%s", err, out)
		}
		return
	}
	for _, name := range []string{"HUP", "INT"} {
		p := sh(t, "echo ready; kill -"+name+" $$; echo survived; read x")
		out := bufio.NewReader(p)
		await(t, out, "ready")
		if line, err := out.ReadString('\n'); err == nil {
			t.Errorf("after SIG%s: %q", name, line)
		}
	}
}
