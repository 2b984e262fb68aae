//go:build linux

package attack

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// strangerVariable makes the test's own program a client of another user. It has an address; what
// the client sends is on its standard input.
const strangerVariable = "ATTACK_STRANGER"

// strangerUID is the user that the client runs as.
const strangerUID = 65533

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
	if os.Geteuid() != 0 {
		t.Skip("only root can start a program as another user")
	}
	// Another user may be unable to reach the folder of the test's program, so it is handed over as
	// an open file.
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	if err := self.Chmod(0o755); err != nil { // the go command may have run with a narrow umask
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/fd/3")
	cmd.ExtraFiles = []*os.File{self}
	cmd.Env = []string{strangerVariable + "=" + address}
	if leaves {
		cmd.Env = append(cmd.Env, strangerVariable+"_LEAVES=1")
	}
	cmd.Dir = "/"
	cmd.Stdin = bytes.NewReader([]byte(raw))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: strangerUID, Gid: strangerUID}}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the client failed: %v: %s", err, &stderr)
	}
	return string(out)
}
