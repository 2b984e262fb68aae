package nearby

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"ui-mcp/internal/discovery"
)

// A program of another user that has got the port of a server gets no question, and its replies are
// nobody's.
func TestForeignServer(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start a program as another user")
	}
	self, err := os.Open("/proc/self/exe") // another user may be unable to reach its folder
	if err != nil {
		t.Fatal(err)
	}
	defer self.Close()
	if err := self.Chmod(0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "/proc/self/fd/3")
	cmd.ExtraFiles, cmd.Env, cmd.Dir = []*os.File{self}, []string{serveVariable + "=1"}, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65533, Gid: 65533}}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	address, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := program("asker").to(discovery.Server{Address: strings.TrimSpace(address), Token: "secret"}, "page").Follow(t.Context(), nobody{}); err == nil {
		t.Error("it follows")
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	rest, err := io.ReadAll(lines)
	if err := errors.Join(err, cmd.Wait()); err != nil {
		t.Error(err)
	}
	if len(rest) > 0 {
		t.Errorf("it has got %s", rest)
	}
}
