//go:build linux

// Package netns makes the hosts of a test on one machine: each has a network of its own, with a
// loopback and nothing else, and reaches another one by a [Route] only, which can be slow, lose
// packets and be cut.
//
// Where the system gives no network namespaces, hosts share the network of the test, and routes are
// the same.
package netns

import (
	"net"
	"os"
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// A Host is a network of its own. Its methods may be called from anywhere.
type Host struct {
	Name string
	// Apart reports whether the host has its own network.
	Apart bool

	network *os.File // of the namespace, which exists while it is open; nil unless Apart
}

// New makes a host, which ends with the test.
func New(t testing.TB, name string) *Host {
	t.Helper()
	h := &Host{Name: name}
	network, err := unshare()
	if err != nil {
		t.Logf("host %s shares the network of the test: %v", name, err)
		return h
	}
	h.network, h.Apart = network, true
	t.Cleanup(func() { _ = network.Close() }) // it was only read
	return h
}

// unshare makes a namespace with a loopback that is up. The thread that makes it ends with that, so
// nothing else runs in it.
func unshare() (network *os.File, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if err = os.NewSyscallError("unshare", unix.Unshare(unix.CLONE_NEWNET)); err != nil {
			return
		}
		if err = raise("lo"); err == nil {
			network, err = os.Open("/proc/thread-self/ns/net")
		}
	}()
	<-done
	return network, err
}

// raise switches an interface of the thread's network on.
func raise(name string) error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	defer unix.Close(socket)
	flags, err := unix.NewIfreq(name)
	if err != nil {
		return os.NewSyscallError("ifreq", err)
	}
	flags.SetUint16(unix.IFF_UP)
	return os.NewSyscallError("ioctl", unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, flags))
}

// in calls f on a thread in the host's network. What f opens and starts stays in that network.
func (h *Host) in(f func() error) error {
	if h.network == nil {
		return f()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if err := unix.Setns(int(h.network.Fd()), unix.CLONE_NEWNET); err != nil {
			done <- os.NewSyscallError("setns", err)
			return
		}
		done <- f()
	}()
	return <-done
}

// Start starts a command on the host.
func (h *Host) Start(cmd *exec.Cmd) error { return h.in(cmd.Start) }

// Listen listens on a port of the host's loopback; 0 is any that is free.
func (h *Host) Listen(port int) (l *net.TCPListener, err error) {
	err = h.in(func() error {
		l, err = net.ListenTCP("tcp4", &net.TCPAddr{IP: loopback, Port: port})
		return err
	})
	return l, err
}

// Dial connects to a port of the host's loopback.
func (h *Host) Dial(port int) (c *net.TCPConn, err error) {
	err = h.in(func() error {
		c, err = net.DialTCP("tcp4", nil, &net.TCPAddr{IP: loopback, Port: port})
		return err
	})
	return c, err
}

var loopback = net.IPv4(127, 0, 0, 1)
