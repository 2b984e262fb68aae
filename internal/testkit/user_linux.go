package testkit

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// StrangerUID is the user of [Stranger].
const StrangerUID = 65533

// Stranger returns a command that runs the test's own program as another user, with nothing but
// these variables in its environment. Without root, which alone can do that, the test is skipped.
func Stranger(t testing.TB, environ ...string) *exec.Cmd {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can start a program as another user")
	}
	// Another user may be unable to reach the folder of the program, so it is handed over as an
	// open file.
	self, err := os.Open("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = self.Close() })
	if err := self.Chmod(0o755); err != nil { // the go command may have run with a narrow umask
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/fd/3")
	cmd.ExtraFiles, cmd.Env, cmd.Dir = []*os.File{self}, environ, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: StrangerUID, Gid: StrangerUID}}
	return cmd
}
