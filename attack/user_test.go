//go:build linux

package attack

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"testing"

	"ui-mcp/internal/testkit"
)

// strangerVariable makes the test's own program a client of another user. It has an address; what
// the client sends is on its standard input.
const strangerVariable = "ATTACK_STRANGER"

// beStranger sends its standard input to an address, and prints what comes back.
func beStranger(address string) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = io.Copy(conn, os.Stdin)
	if os.Getenv(strangerVariable+"_LEAVES") != "" {
		conn.Close()
		os.Exit(0)
	}
	_, _ = io.Copy(os.Stdout, conn)
	os.Exit(0)
}

// stranger sends raw bytes to an address as another user, and returns what came back. One that
// leaves closes the connection at once.
func stranger(t *testing.T, address, raw string, leaves bool) string {
	t.Helper()
	cmd := testkit.Stranger(t, strangerVariable+"="+address)
	if leaves {
		cmd.Env = append(cmd.Env, strangerVariable+"_LEAVES=1")
	}
	cmd.Stdin = bytes.NewReader([]byte(raw))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the client failed: %v: %s", err, &stderr)
	}
	return string(out)
}
