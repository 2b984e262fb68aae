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
	"ui-mcp/internal/testkit/wait"
)

// Commands that meet a server that is stopped say so soon, and name its process. One that is
// stopped while a command waits for it is noticed, too.
func TestServerThatIsStopped(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	d.create(`{"name":"a","command":"exec sleep 1000"}`)
	d.create(`{"name":"long","command":"seq 1000000; exec sleep 1000","record":true}`)
	must(t, "wait", "long", "--text", "1000000")
	socket, begun := d.proxy(func(b []byte) []byte { return b })
	pid := d.server.cmd.Process.Pid
	var all sync.WaitGroup
	check := func(args ...string) {
		all.Go(func() {
			start := time.Now()
			_, errs, status := wsh(t, args...)
			if want := fmt.Sprintf("process %d, does not answer", pid); status != commandline.ExitFailure || !strings.Contains(errs, want) {
				t.Errorf("wsh %q, after %v: status %d, %s; want %q", args, time.Since(start), status, errs, want)
			}
		})
	}
	all.Go(func() {
		if _, errs, status := wsh(t, "--socket", socket, "wait", "a", "--exit"); status != commandline.ExitFailure || !strings.Contains(errs, "does not answer") {
			t.Errorf("a command that waited: status %d, %s", status, errs)
		}
	})
	out := &held{began: make(chan struct{}), release: make(chan struct{})}
	all.Go(func() {
		var errs strings.Builder
		status := Run(t.Context(), "dev", []string{"record", "long", "-", "--save"}, vars(t), commandline.Streams{In: strings.NewReader(""), Out: out, Err: &errs})
		if status != commandline.ExitFailure || !strings.Contains(errs.String(), "does not answer") {
			t.Errorf("a command that reads: status %d, %s", status, &errs)
		}
	})
	wait.For(t, "the command that waits", begun)
	wait.For(t, "the recording", out.began)
	if err := d.server.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	close(out.release)
	check("list")
	check("stop")
	check("kill", "a", "--yes")
	check("token")
	check("status")
	check("list", "--socket", filepath.Join(d.dir, "default.sock"))
	p := sit(t, 200, 8, recorded(`"$WSH" attach a`))
	all.Wait()
	p.sees(fmt.Sprintf("process %d, does not answer", pid))
	p.seesLine("status 1")
}

// A held writer takes the first bytes, and more of them when it is released.
type held struct {
	once           sync.Once
	began, release chan struct{}
}

func (h *held) Write(b []byte) (int, error) {
	h.once.Do(func() { close(h.began) })
	<-h.release
	return len(b), nil
}
