//go:build linux || darwin

package ending

import (
	"bufio"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/testkit/wait"
)

// Servers that a script has started in its background ignore Ctrl-C and Ctrl+\ on its terminal, as
// they ignore its end under nohup. Both are served on standard streams here, which shows that they
// go on.
func TestIgnoredAtStart(t *testing.T) {
	folder := t.TempDir()
	// Without debugging information they link in half of the time.
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", folder+"/", "../../../cmd/ui-mcp", "../../../cmd/wsh").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"ui-mcp", "wsh"} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command("/bin/sh", "-c", `trap "" HUP INT QUIT; exec "$0" mcp`, filepath.Join(folder, name))
			cmd.Dir = t.TempDir()
			runtime := t.TempDir()
			cmd.Env = append(cmd.Environ(), "XDG_RUNTIME_DIR="+runtime, "HOME="+t.TempDir(), "BROWSER=true")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			stuck := time.AfterFunc(wait.Patience, func() { _ = cmd.Process.Kill() })
			defer stuck.Stop()
			answers := bufio.NewReader(out)
			ping := func(id int) {
				t.Helper()
				if _, err := fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", id); err != nil {
					t.Fatal(err)
				}
				for {
					line, err := answers.ReadString('\n')
					if err != nil {
						t.Fatalf("it does not answer any more: %v", err)
					}
					if strings.Contains(line, fmt.Sprintf(`"id":%d`, id)) {
						return
					}
				}
			}
			if _, err := fmt.Fprintln(in, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"0"}}}`); err != nil {
				t.Fatal(err)
			}
			ping(1)
			id := 2
			for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP} {
				if err := cmd.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				for range 100 { // a signal takes effect soon
					ping(id)
					id++
				}
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("after TERM: %v", err)
			}
			wait.Until(t, "the server that it has started, if any, has ended", func() bool {
				locks, err := filepath.Glob(filepath.Join(runtime, "wsh", "*.lock"))
				return err == nil && len(locks) == 0
			})
		})
	}
}
