//go:build unix

package early

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

func TestRelease(t *testing.T) {
	for _, args := range [][]string{{"wsh"}, {"wsh", "attach", "a"}} {
		if catch(args) != nil {
			t.Errorf("%q catches signals", args)
		}
	}
	caught = catch([]string{"wsh", "-L", "x", "server"})
	also := make(chan os.Signal, 1)
	signal.Notify(also, syscall.SIGTERM)
	defer signal.Stop(also)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-also
	// Channels get a signal one after another.
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-also
	if !Release() {
		t.Error("the signal was not caught")
	}
	if Release() {
		t.Error("it was caught twice")
	}
}
