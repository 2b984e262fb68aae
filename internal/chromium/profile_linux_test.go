package chromium

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// A process in a container that shares the temporary directory does not see the processes outside,
// and leaves their profiles alone.
func TestSweepInContainer(t *testing.T) {
	if os.Getenv("IN_CONTAINER") != "" {
		sweep()
		return
	}
	temp(t)
	profile, err := newProfile()
	if err != nil {
		t.Fatal(err)
	}
	inside := exec.Command(os.Args[0], "-test.run=^TestSweepInContainer$")
	inside.Env = append(os.Environ(), "IN_CONTAINER=1")
	inside.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	if err := inside.Start(); err != nil {
		t.Skipf("no process can have a namespace of its own here: %v", err)
	}
	if err := inside.Wait(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(profile); err != nil {
		t.Error(err)
	}
}
