//go:build linux || darwin

package wsh

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ui-mcp/internal/cli/commandline"
)

// Commands that meet a server that is stopped say so soon, and name its process; so does a terminal
// that would be attached. transport/client has servers that are stopped while a command waits.
func TestServerThatIsStopped(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000"}`)
	if err := d.server.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("process %d, does not answer", d.server.cmd.Process.Pid)
	var all sync.WaitGroup
	for _, args := range []string{"list", "stop", "kill a --yes", "token", "status", "list --socket " + filepath.Join(d.dir, "default.sock")} {
		all.Go(func() {
			start := time.Now()
			if _, errs, status := wsh(t, strings.Fields(args)...); status != commandline.ExitFailure || !strings.Contains(errs, want) {
				t.Errorf("wsh %s, after %v: status %d, %s; want %q", args, time.Since(start), status, errs, want)
			}
		})
	}
	p := sit(t, 200, 8, recorded(`"$WSH" attach a`))
	all.Wait()
	p.sees(want)
	p.seesLine("status 1")
}
